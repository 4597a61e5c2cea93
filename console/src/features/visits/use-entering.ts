import { machines, type visits } from '@busbar/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PasswordProof } from '../../entities/application/apply-wish.ts'
import { takeEnterRequest } from '../../entities/visit/enter-request.ts'
import {
  type EnterFailure,
  type EnterFailureCode,
  type EnterStep,
  enterMachine,
} from '../../entities/visit/entering.ts'
import { push } from '../../shared/api/live.ts'
import { onReturn } from '../../shared/api/reachability.ts'

export type Entering =
  | { readonly kind: 'under way'; readonly step: EnterStep }
  | { readonly kind: 'failed'; readonly failure: EnterFailure }
  /** The person followed a link: they confirm first. */
  | { readonly kind: 'asked'; readonly mode: visits.VisitMode }

/** Failures that end without an act: the machine comes back, or the platform does. */
const passing: ReadonlySet<EnterFailureCode> = new Set(['OFFLINE', 'ClOUD_VISIT_TIMEOUT', 'unreachable'])
/** Waits before each further try: a machine's tunnel comes a moment after its first values. */
const afterOnlineMs = [1_000, 3_000, 8_000]

/** Enters a machine after the person pressed for it, and again after the obstacle is gone. */
export function useEntering(machineId: number, target: string | undefined) {
  const [attempt, setAttempt] = useState(0)
  const [entering, setEntering] = useState<Entering>({ kind: 'under way', step: 'rights' })
  const isPressed = useRef(false)
  const proof = useRef<PasswordProof>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts over
  useEffect(() => {
    const leave = new AbortController()
    const show = (next: Entering) => !leave.signal.aborted && setEntering(next)
    // A note is used once; its press counts for every further try of this page.
    isPressed.current ||= takeEnterRequest({ machineId, target })
    const wanted = { machineId, target, isPressed: isPressed.current, proof: proof.current }
    proof.current = undefined
    void enterMachine(wanted, (step) => show({ kind: 'under way', step }), leave.signal).then(
      (result) => {
        if (leave.signal.aborted) return
        if ('asks' in result) show({ kind: 'asked', mode: result.asks })
        else if ('failure' in result) show({ kind: 'failed', failure: result.failure })
        else location.replace(result.url)
      },
      () => show({ kind: 'failed', failure: { code: 'other', message: '', who: '' } }),
    )
    return () => leave.abort()
  }, [machineId, target, attempt])

  const waits = entering.kind === 'failed' && passing.has(entering.failure.code)
  const tries = useRef<number[]>([])
  useEffect(() => {
    if (!waits) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => setAttempt((count) => count + 1)
    const schedule = () => {
      const waitMs = tries.current.shift()
      if (waitMs !== undefined) timer = setTimeout(again, waitMs)
    }
    schedule()
    const ends = [
      onReturn(again),
      push.on('machineState', (event) => {
        if (event.machineId !== machineId || !event.online) return
        clearTimeout(timer)
        tries.current = [...afterOnlineMs]
        schedule()
      }),
    ]
    return () => {
      for (const end of ends) end()
      clearTimeout(timer)
    }
  }, [waits, machineId])

  const failure = entering.kind === 'failed' ? entering.failure : undefined
  const result = useRightChange(machineId, failure, () => setAttempt((count) => count + 1))
  const retry = () => setAttempt((count) => count + 1)
  const press = () => {
    isPressed.current = true
    retry()
  }
  const enterBy = (proved: PasswordProof) => {
    proof.current = proved
    press()
  }
  return { entering, waits, result, retry, press, enterBy }
}

/** Failures that another person may resolve: a missing right, or a machine that is closed. */
const givenByOthers: ReadonlySet<EnterFailureCode> = new Set([
  'GENERAL_USER',
  'PASSWORD',
  'REST_TIME_OUT',
  'WRONG_ROLE',
  'BLACKLIST',
  'CLOUD_EXPIRED',
])
/** The clocks of browser and platform differ by a little. */
const afterOpeningMs = 1_500
/** The longest time of a browser's timers. */
const timerMaxMs = 2 ** 31 - 1

/**
 * Tries again when the caller's application was answered, a right was given, the cloud service is back or a
 * maintenance window opens. Returns the state in which an application ended while the page was open.
 */
function useRightChange(
  machineId: number,
  failure: EnterFailure | undefined,
  retry: () => void,
): number | undefined {
  const [result, setResult] = useState<number>()
  const again = useEffectEvent(retry)
  const isGiven = failure !== undefined && givenByOthers.has(failure.code)
  const opensAt = failure?.denial?.opensAt
  const isClosed = failure?.code === 'CLOUD_EXPIRED' && opensAt === undefined
  const isBlacklisted = failure?.code === 'BLACKLIST'
  const applyId = failure?.denial?.applyId
  useEffect(() => {
    if (!isGiven) return
    const ends = [
      push.on('audit', (event) => {
        if (event.machineId !== machineId) return
        if (event.isResult && event.applyId === applyId) setResult(event.auditState)
        again()
      }),
      push.on('machineState', (event) => {
        if (event.machineId !== machineId) return
        // Alarms of the machine arrive here as well, so only changes that may open the way lead to a try.
        const mayOpen = isClosed
          ? event.cloudService
          : event.limitAuthority > machines.limitAuthority.ordinary
        // The options depend on whether the caller is on the blacklist.
        const isOtherRefusal = (event.role === 'blacklisted') !== isBlacklisted
        if (mayOpen || isOtherRefusal) again()
      }),
      push.on('missed', () => again()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [isGiven, isClosed, isBlacklisted, machineId, applyId])
  useEffect(() => {
    if (opensAt === undefined) return
    const waitMs = Math.max(0, opensAt - Date.now()) + afterOpeningMs
    const timer = setTimeout(() => again(), Math.min(waitMs, timerMaxMs))
    return () => clearTimeout(timer)
  }, [opensAt])
  return result
}
