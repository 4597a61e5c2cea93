import type { applications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { formatExact, formatRelative, useText } from '../../shared/i18n/index.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { applicationStepsQuery } from './application-queries.ts'
import css from './application-steps.module.css'

/** The steps of an application and who took them, as far as the caller may know. */
export function ApplicationSteps({ applyId }: { applyId: number }) {
  const t = useText().applications.steps
  const now = useNow(15_000)
  const { data: steps, isError } = useQuery(applicationStepsQuery(applyId))
  if (isError && !steps) return <p className={css.failed}>{t.failed}</p>
  if (!steps) return <Skeleton width={200} />
  return (
    <ol className={css.steps} aria-label={t.label}>
      {steps.map((step) => (
        <li key={`${step.step}-${step.at}-${step.key}`} className={css.step} data-step={step.step}>
          <span className={css.words}>
            <StepActor step={step} />
            {t.names[step.step]}
          </span>
          <time className={css.at} dateTime={new Date(step.at).toISOString()} data-tip={formatExact(step.at)}>
            {formatRelative(step.at, now)}
          </time>
        </li>
      ))}
    </ol>
  )
}

/** The name and role of the key that took a step; an expiry has neither. */
function StepActor({ step }: { step: applications.ApplicationStepRow }) {
  const t = useText().applications.steps
  if (step.step === 'expired') return null
  const key = step.key ? `${step.key}key` : ''
  return (
    <b>{[step.byMasked, step.byMasked && key ? `(${key})` : key].filter(Boolean).join(' ') || t.applicant}</b>
  )
}
