import { projects } from '@busbar/contract'
import { Link } from '@tanstack/react-router'
import { projectsKey } from '../../entities/project/project-queries.ts'
import { useProjectsText } from '../../entities/project/projects-text.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { MessageAnswer } from './message-answer.tsx'
import css from './message-pane.module.css'
import type { MessageDetail } from './message-queries.ts'

export interface MessageProjectProps {
  message: MessageDetail
  projectId: number
}

/** The project of a message: the answer to its invitation, or the way to it. */
export function MessageProject({ message, projectId }: MessageProjectProps) {
  const { decline, declined, ...texts } = useText().messages.invitation
  const t = useProjectsText().message
  const { type, mayAnswer, outcome } = message
  return (
    <>
      {type === 'invitation' && (
        <MessageAnswer
          mayAnswer={mayAnswer}
          outcome={outcome}
          answer={(accept) => call(projects.answerProjectInvitation, { id: projectId, accept })}
          changes={[projectsKey]}
          texts={{
            ...{ ...texts, accepted: t.joined, refuse: decline, refused: declined },
            outcomes: { ...texts.outcomes, withdrawn: t.withdrawn },
          }}
        />
      )}
      {!mayAnswer && (
        <Row line="top" pad="14 16">
          <Link to="/project/$id/{-$part}" params={{ id: projectId, part: 'overview' }} className={css.way}>
            {t.open}
          </Link>
        </Row>
      )}
    </>
  )
}
