import type { applications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { formatExact, formatRelative, useText } from '../../shared/i18n/index.ts'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { applicationStepsQuery } from './application-queries.ts'
import css from './application-steps.module.css'

/** The steps of an application and who took them, as far as the caller may know. */
export function ApplicationSteps({ applyId }: { applyId: number }) {
  const t = useText().applications.steps
  const now = useNow(15_000)
  const { data: steps, isError } = useQuery(applicationStepsQuery(applyId))
  if (isError && !steps)
    return (
      <Text as="p" tone="quiet" size={12}>
        {t.failed}
      </Text>
    )
  if (!steps) return <Skeleton width={200} />
  return (
    <Stack as="ol" aria-label={t.label}>
      {steps.map((step) => (
        <li key={`${step.step}-${step.at}-${step.key}`} className={css.step} data-step={step.step}>
          <Row as="span" gap="0 6" align="stretch" wraps inline shrinks tone="soft" className={css.words}>
            <StepActor step={step} />
            {t.names[step.step]}
          </Row>
          <Text
            as="time"
            fixed
            tone="quiet"
            numbers
            dateTime={new Date(step.at).toISOString()}
            data-tip={formatExact(step.at)}
          >
            {formatRelative(step.at, now)}
          </Text>
        </li>
      ))}
    </Stack>
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
