import { applications } from '@busbar/contract'
import type { ReactNode } from 'react'
import { AnswerApplication } from '../../entities/application/answer-application.tsx'
import { ApplicationSteps } from '../../entities/application/application-steps.tsx'
import { isOpen } from '../../entities/application/audit-state.ts'
import { AuditStateTag } from '../../entities/application/audit-state-tag.tsx'
import { WaitingApplication } from '../../entities/application/waiting-application.tsx'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { Box, Grid } from '../../shared/ui/layout/layout.tsx'
import css from './message-pane.module.css'
import type { MessageDetail } from './message-queries.ts'

interface MessageApplicationProps {
  message: MessageDetail
  applyId: number
  machineId: number
}

/** The applicant and the wish, the answer or the state, and the steps so far. */
export function MessageApplication({ message, applyId, machineId }: MessageApplicationProps) {
  const { application, auditState, mayAnswer, type } = message
  const t = useText().applications
  const isMine = type === 'send'
  const state = auditState ?? applications.auditStates.over
  return (
    <>
      <Facts message={message} isMine={isMine} />
      <Box as="section" line="top" pad="14 16" className={css.section}>
        {isMine && isOpen(state) ? (
          <WaitingApplication
            application={{ applyId, kind: application?.kind ?? 'visit', auditState: state }}
            machineId={machineId}
          />
        ) : application && (type === 'bindApply' || type === 'visitApply') ? (
          <AnswerApplication
            application={{
              applyId,
              kind: application.kind,
              name: application.person,
              wish: application.wish,
              auditState: state,
              mayAnswer,
              machineId,
            }}
          />
        ) : (
          <AuditStateTag state={state} />
        )}
      </Box>
      <Box as="section" line="top" pad="14 16" className={css.section} aria-labelledby={`steps-${applyId}`}>
        <h3 id={`steps-${applyId}`}>{t.steps.label}</h3>
        <ApplicationSteps applyId={applyId} />
      </Box>
    </>
  )
}

/** The details of the application; empty ones are left out. */
function Facts({ message, isMine }: { message: MessageDetail; isMine: boolean }) {
  const { application, machine, auditState } = message
  const { messages, access } = useText()
  const t = messages.facts
  const isWaiting = auditState !== null && isOpen(auditState)
  const facts: [name: string, value: ReactNode][] = [
    [t.machine, machine?.name],
    [t.code, machine && <CopyCode code={machine.machineCode} />],
    [t.person, !isMine && application?.person],
    [t.phone, !isMine && application?.phone],
    [t.wish, application?.kind === 'visit' && access.modes[application.wish]],
    [t.message, application?.message],
    [t.remarks, application?.remarks],
    [t.terminal, application?.terminalName],
    [t.expires, application && isWaiting && formatMinute(application.expireAt)],
  ]
  return (
    <Grid as="dl" line="top" pad="14 16" columns={2} gap="10 16" className={css.facts}>
      {facts
        .filter(([, value]) => Boolean(value))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </Grid>
  )
}
