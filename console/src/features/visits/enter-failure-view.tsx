import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PasswordProof } from '../../entities/application/apply-wish.ts'
import { enterAddress } from '../../entities/machine/enter-machine.ts'
import type { EnterFailure, EnterFailureCode } from '../../entities/visit/entering.ts'
import { targetsQuery } from '../../entities/visit/visit-queries.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { EnterRemedy, hasRemedy } from './enter-remedy.tsx'
import css from './visit-page.module.css'

/** Another page of the machine may do; if only another one can be entered, it is the first choice. */
const asksTarget: ReadonlySet<EnterFailureCode> = new Set([
  'TARGET_UNKNOWN',
  'TARGET_NOT_READ_ONLY',
  'CONTROL_TAKEN',
])
const needsTarget: ReadonlySet<EnterFailureCode> = new Set(['TARGET_NOT_READ_ONLY', 'CONTROL_TAKEN'])

interface EnterFailureViewProps {
  machineId: number
  /** The machine's entry in the caller's list. */
  machine: { readonly code: string; readonly name: string; readonly online: boolean } | undefined
  target: string | undefined
  failure: EnterFailure
  /** The page retries automatically. */
  waits: boolean
  /** The result of an application that the person waited for here. */
  result: number | undefined
  onRetry: () => void
  /** The person applied to enter: no further question is needed. */
  onApplied: () => void
  /** The machine's password was right. */
  onProved: (proof: PasswordProof) => void
}

/** Why a machine could not be entered, and the remedies. */
export function EnterFailureView(props: EnterFailureViewProps) {
  const { machineId, machine, failure, waits, result, onRetry, onApplied, onProved } = props
  const { page: t, targets } = useText().visits
  // It sends its values: its power and network are fine, only the way in is missing.
  const isWayMissing = failure.code === 'OFFLINE' && machine?.online === true
  const words = t.failures[isWayMissing ? 'NO_TUNNEL' : failure.code]
  const others = useOtherTargets(props)
  const isOtherFirst = needsTarget.has(failure.code) && others.length > 0
  const opensAt = failure.denial?.opensAt
  const title = typeof words.title === 'string' ? words.title : words.title(failure.who)
  return (
    <Stack
      role="alert"
      gap={10}
      data-subject=""
      data-tells-unreachable={failure.code === 'unreachable' || undefined}
    >
      <Row as="h1" gap={8} align="start" size="16/22" className={css.title}>
        <Icon name="warning" size={20} />
        {opensAt === undefined ? title : t.notOpenYet.title}
      </Row>
      <Text as="p" tone="soft" pretty>
        {opensAt === undefined ? words.hint || failure.message : t.notOpenYet.hint(formatMinute(opensAt))}
      </Text>
      {failure.code === 'VISITS_OFF' && <code className={css.setting}>VISIT_HOST=visit.example.com</code>}
      <EnterRemedy
        machineId={machineId}
        machine={machine}
        failure={failure}
        result={result}
        onRetry={onRetry}
        onApplied={onApplied}
        onProved={onProved}
      />
      {others.length > 0 && (
        <>
          <Text as="p" tone="soft" pretty>
            {t.otherPages}
          </Text>
          <Row gap={8} align="stretch" wraps>
            {others.map(({ name }, place) => (
              <LinkButton
                key={name}
                kind={isOtherFirst && place === 0 ? 'primary' : 'default'}
                href={enterAddress(machineId, name)}
              >
                {targets.names[name] ?? name}
              </LinkButton>
            ))}
          </Row>
        </>
      )}
      {waits && !isWayMissing && failure.code !== 'unreachable' && (
        <Row as="p" gap={8} tone="quiet" size={12}>
          <span className={css.pulse} />
          {t.waiting}
        </Row>
      )}
      <Row above={8} gap={16}>
        <Button
          kind={isOtherFirst || hasRemedy(failure) ? 'default' : 'primary'}
          icon="refresh"
          onClick={onRetry}
        >
          {t.retry}
        </Button>
        <Link to="/index/" search={{ machine: machineId }} className={css.back}>
          {t.toList}
        </Link>
      </Row>
    </Stack>
  )
}

/** Pages of the machine that may be entered instead. */
function useOtherTargets({ machineId, target = 'page', failure }: EnterFailureViewProps) {
  const isAsked = asksTarget.has(failure.code)
  const { data } = useQuery({ ...targetsQuery(machineId), retry: false, enabled: isAsked })
  if (!isAsked || !data) return []
  return data.targets.filter(
    ({ name, readOnly }) => name !== target && (readOnly || !needsTarget.has(failure.code)),
  )
}
