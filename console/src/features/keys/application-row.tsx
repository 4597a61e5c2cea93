import type { applications } from '@busbar/contract'
import { useId, useState } from 'react'
import { AnswerApplication } from '../../entities/application/answer-application.tsx'
import { ApplicationSteps } from '../../entities/application/application-steps.tsx'
import { isOpen as isWaiting } from '../../entities/application/audit-state.ts'
import { AuditStateTag } from '../../entities/application/audit-state-tag.tsx'
import { formatExact, formatMinute, formatRelative, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { useAdministration } from './administration.ts'
import css from './applications-section.module.css'
import { PersonCell } from './person-cell.tsx'

interface ApplicationRowProps {
  application: applications.Application
  /** Its answers are shown without a press. */
  opened: boolean
}

/** The applicant, the wish and the message; below it, if requested, the answers and the steps so far. */
export function ApplicationRow({ application, opened }: ApplicationRowProps) {
  const { machineId } = useAdministration()
  const t = useText().access.applications
  const now = useNow(15_000)
  const partId = useId()
  const [wish, setWish] = useState<boolean>()
  const isShown = wish ?? opened
  const { name, kind, mayAnswer, auditState, createdAt, endedAt } = application
  const isOpen = isWaiting(auditState)
  const at = endedAt ?? createdAt
  const [word, label] = mayAnswer ? [t.answer, t.answerOf(name)] : [t.progress, t.progressOf(name)]
  return (
    <li className={css.row}>
      <div className={css.line}>
        <PersonCell person={application} />
        <div className={css.asked}>
          <p className={css.ask}>
            <b>{t.asks[kind]}</b>
            {kind === 'visit' && <span>{t.wish[application.wish]}</span>}
          </p>
          <Said application={application} />
        </div>
        <div className={css.state}>
          <AuditStateTag state={auditState} />
          <span className={css.minor}>
            <time dateTime={new Date(at).toISOString()} data-tip={formatExact(at)}>
              {formatRelative(at, now)}
            </time>
            {isOpen && ` · ${t.expires(formatMinute(application.expireAt))}`}
          </span>
        </div>
        <Button
          size="small"
          aria-label={label}
          aria-expanded={isShown}
          aria-controls={isShown ? partId : undefined}
          onClick={() => setWish(!isShown)}
        >
          {word}
          <Icon name={isShown ? 'chevronUp' : 'chevronDown'} size={14} />
        </Button>
      </div>
      {isShown && (
        <div id={partId} className={css.part}>
          {isOpen && <AnswerApplication application={{ ...application, machineId }} />}
          <ApplicationSteps applyId={application.applyId} />
        </div>
      )}
    </li>
  )
}

/** The applicant's message, the proposer and the terminal, all shown as plain text. */
function Said({ application }: { application: applications.Application }) {
  const t = useText().access.applications
  const { message, remarks, proposedBy, terminalName } = application
  const said = [
    proposedBy && t.proposedBy(proposedBy),
    message && t.message(message),
    remarks && t.remarks(remarks),
    terminalName && t.terminal(terminalName),
  ].filter(Boolean)
  return said.length > 0 && <p className={css.minor}>{said.join(' · ')}</p>
}
