import type { visits } from '@busbar/contract'
import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import css from './visit-page.module.css'

interface EnterQuestionProps {
  machineId: number
  /** Undefined until it is known. */
  code: string | undefined
  target: string | undefined
  /** The mode of the visit to come. */
  mode: visits.VisitMode
  onEnter: () => void
}

/** Explains to a person who followed a link or a bookmark what entering means, and waits for their press. */
export function EnterQuestion({ machineId, code, target, mode, onEnter }: EnterQuestionProps) {
  const { enter, page: t, targets } = useText().visits
  const known = targets.names[target ?? 'page']
  return (
    <div className={css.failure}>
      <h1 className={css.title}>{t.question.title}</h1>
      <p className={css.hint}>{t.question.means[mode]}</p>
      <dl className={css.facts}>
        {code && (
          <div>
            <dt>{t.question.code}</dt>
            <dd className="mono">{code}</dd>
          </div>
        )}
        <div>
          <dt>{t.question.opens}</dt>
          <dd>
            {known ?? <span className="mono">{target}</span>} <span className="mono">/</span>
          </dd>
        </div>
      </dl>
      <div className={css.actions}>
        <Button kind="primary" onClick={onEnter}>
          {enter}
        </Button>
        <Link to="/index/" search={{ machine: machineId }}>
          {t.toList}
        </Link>
      </div>
    </div>
  )
}
