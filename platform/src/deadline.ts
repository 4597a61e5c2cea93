/** Time is counted in such steps. */
const stepMs = 100
/** Later than that by so much, this process has stalled: that time counts for no answer that did not come. */
export const stallMs = 1_000

/**
 * Calls `late` once this process ran for `ms`, unless that is called off by the function it answers: an answer that
 * nobody could read while the process stalled is not late.
 */
export function startDeadline(ms: number, late: () => void): () => void {
  let leftMs = ms
  let step = 0
  let begunAt = 0
  let timer: NodeJS.Timeout
  let last: NodeJS.Immediate | undefined
  const begin = () => {
    step = Math.min(leftMs, stepMs)
    begunAt = performance.now()
    timer = setTimeout(end, step)
  }
  const end = () => {
    const tookMs = performance.now() - begunAt
    leftMs -= tookMs - step > stallMs ? step : tookMs
    // Timers run before what the network brought in the same turn: the answer may be there.
    if (leftMs <= 0) last = setImmediate(late)
    else begin()
  }
  begin()
  return () => {
    clearTimeout(timer)
    if (last) clearImmediate(last)
  }
}
