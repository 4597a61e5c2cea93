import { applications } from '@busbar/contract'
import { applyWish, type PasswordProof } from '../../entities/application/apply-wish.ts'
import { WaitingApplication } from '../../entities/application/waiting-application.tsx'
import type { EnterFailure, EnterFailureCode } from '../../entities/visit/entering.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import css from './visit-page.module.css'

/** Failures for which a person may apply, if the platform names no way. */
const lacksRight: ReadonlySet<EnterFailureCode> = new Set(['GENERAL_USER', 'PASSWORD', 'REST_TIME_OUT'])

function nextStep({ code, denial }: EnterFailure): applications.NextStep | undefined {
  if (denial) return denial.next
  if (!lacksRight.has(code)) return undefined
  return code === 'PASSWORD' ? 'password' : 'apply'
}

/** Whether there is an action besides trying again. */
export function hasRemedy(failure: EnterFailure): boolean {
  const next = nextStep(failure)
  return next === 'apply' || next === 'password' || next === 'wait'
}

interface EnterRemedyProps {
  machineId: number
  machine: { readonly code: string; readonly name: string } | undefined
  failure: EnterFailure
  /** The result of an application that the person waited for here. */
  result: number | undefined
  onRetry: () => void
  onApplied: () => void
  onProved: (proof: PasswordProof) => void
}

/** The person's options after a failed entry: apply, prove the password, or wait for an answer. */
export function EnterRemedy(props: EnterRemedyProps) {
  const { machineId, machine, failure, result, onRetry, onApplied, onProved } = props
  const { visits, applications: words } = useText()
  const t = visits.page
  const next = nextStep(failure)
  const { denial } = failure
  if (next === 'wait' && denial?.applyId !== undefined) {
    const { applyId, auditState = applications.auditStates.waiting } = denial
    return (
      <Stack gap={10} align="start" className={css.remedy}>
        <WaitingApplication
          application={{ applyId, kind: 'visit', auditState }}
          machineId={machineId}
          onOver={onRetry}
        />
        <Row as="p" gap={8} tone="quiet" size={12}>
          <span className={css.pulse} />
          {t.waitingForKeys}
        </Row>
      </Stack>
    )
  }
  if (next !== 'apply' && next !== 'password') return null
  const isEnded = result !== undefined && result !== applications.auditStates.passed
  return (
    <Stack gap={10} align="start" className={css.remedy}>
      {isEnded && (
        <Row as="p" surface="well" pad="8 12" gap={8} align="start" className={css.result} role="status">
          <Icon name="info" size={14} />
          {t.result(words.states[result] ?? '')}
        </Row>
      )}
      <Button
        kind="primary"
        onClick={() =>
          applyWish.set({
            machineId,
            machineName: machine?.name ?? t.device,
            byPassword: next === 'password',
            kind: 'visit',
            onApplied,
            onProved,
          })
        }
      >
        {next === 'password' ? t.passwordOrApply : words.apply.visit}
      </Button>
      {machine && (
        <>
          <Text as="p" tone="soft" pretty>
            {t.askKeys}
          </Text>
          <Row surface="well" pad="8 12" className={css.code}>
            <CopyCode code={machine.code} />
          </Row>
        </>
      )}
    </Stack>
  )
}
