import { checks } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../shared/api/client.ts'
import { push } from '../../shared/api/live.ts'

const checkKey = (jobId: string | undefined) => ['check', jobId]
/** Without push the parts are asked for. */
const askMs = 1_000

/** The browser's words about itself; `connecting` says nothing yet. */
function ownWords() {
  const { connection, latencyMs } = push.state.get()
  return {
    sentAt: Date.now(),
    ...(connection === 'connecting' ? {} : { pushOpen: connection === 'live' }),
    ...(latencyMs === null ? {} : { roundTripMs: Math.round(latencyMs) }),
  }
}

/** Checks a device at once, and again when asked to; its parts come by push. */
export function useCheck(machineId: number) {
  const client = useQueryClient()
  const start = useMutation({
    mutationFn: () => call(checks.startCheck, { machineID: machineId, ...ownWords() }, { noNotice: true }),
  })
  const begin = useEffectEvent(() => start.mutate())
  // biome-ignore lint/correctness/useExhaustiveDependencies: another device is another check
  useEffect(() => begin(), [machineId])
  const jobId = start.data?.jobId
  const check = useQuery({
    queryKey: checkKey(jobId),
    queryFn: ({ signal }) => call(checks.getCheck, { jobId: jobId ?? '' }, { signal, silent: true }),
    enabled: jobId !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : askMs),
  })
  useEffect(
    () =>
      push.on('machineCheck', (told) => {
        if (told.jobId === jobId) void client.invalidateQueries({ queryKey: checkKey(jobId) })
      }),
    [client, jobId],
  )
  return {
    check: start.isPending ? undefined : check.data,
    error: start.error ?? (check.data ? null : check.error),
    isRunning: start.isPending || (jobId !== undefined && check.data?.state !== 'done' && !check.error),
    again: () => start.mutate(),
  }
}
