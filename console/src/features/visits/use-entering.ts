import { useEffect, useRef, useState } from 'react'
import { push } from '../../api/live.ts'
import { onReturn } from '../../api/reachability.ts'
import { type EnterFailure, type EnterFailureCode, type EnterStep, enterMachine } from './entering.ts'

export type Entering =
  | { readonly kind: 'under way'; readonly step: EnterStep }
  | { readonly kind: 'failed'; readonly failure: EnterFailure }

/** What ends by itself: the machine comes back, or the platform does. */
const passing: ReadonlySet<EnterFailureCode> = new Set(['OFFLINE', 'ClOUD_VISIT_TIMEOUT', 'unreachable'])
/** Waits before each further try: a machine's tunnel comes a moment after its first values. */
const afterOnlineMs = [1_000, 3_000, 8_000]

/** Enters a machine as soon as the page is shown, and again when what was in the way is gone. */
export function useEntering(machineId: number, target: string | undefined) {
  const [attempt, setAttempt] = useState(0)
  const [entering, setEntering] = useState<Entering>({ kind: 'under way', step: 'rights' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    const leave = new AbortController()
    const show = (next: Entering) => !leave.signal.aborted && setEntering(next)
    void enterMachine({ machineId, target }, (step) => show({ kind: 'under way', step }), leave.signal).then(
      (result) => {
        if (leave.signal.aborted) return
        if ('failure' in result) show({ kind: 'failed', failure: result.failure })
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
      push.onMachineState((event) => {
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

  return { entering, waits, retry: () => setAttempt((count) => count + 1) }
}
