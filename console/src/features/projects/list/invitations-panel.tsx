import { projects } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { Project } from '../../../entities/project/project.ts'
import {
  type ProjectSpace,
  projectListQuery,
  projectsKey,
} from '../../../entities/project/project-queries.ts'
import { useProjectsText } from '../../../entities/project/projects-text.ts'
import { call } from '../../../shared/api/client.ts'
import { messageKey } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Panel } from '../../../shared/ui/people/panel.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'

/** The projects that wait for the person's answer. */
export function InvitationsPanel({ space }: { space: ProjectSpace }) {
  const t = useProjectsText().invitations
  const { data = [] } = useQuery(projectListQuery(space))
  const invitations = data.filter(({ invitedBy }) => invitedBy !== null)
  if (invitations.length === 0) return null
  return (
    <Panel title={t.title}>
      <ul>
        {invitations.map((project) => (
          <InvitationRow key={project.id} project={project} />
        ))}
      </ul>
    </Panel>
  )
}

function InvitationRow({ project: { id, name, description, invitedBy } }: { project: Project }) {
  const t = useProjectsText().invitations
  const answer = useAct<boolean>({
    call: (accept) => call(projects.answerProjectInvitation, { id, accept }),
    done: (accept) => (accept ? t.joined(name) : t.declined),
    touched: [projectsKey, messageKey],
  })
  return (
    <Row as="li" line="top" pad="10 16" gap={8} wraps>
      <Box grows>
        <Text as="p" weight={600} breaks>
          {name}
        </Text>
        <Text as="p" tone="quiet" size={12} breaks>
          {[t.from(invitedBy ?? ''), description].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <Button size="small" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
        {t.decline}
        <span className="sr-only">{name}</span>
      </Button>
      <Button kind="primary" size="small" disabled={answer.isPending} onClick={() => answer.mutate(true)}>
        {t.accept}
        <span className="sr-only">{name}</span>
      </Button>
    </Row>
  )
}
