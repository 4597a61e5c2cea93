/** Time is counted in such steps. */
const stepMs = 100
/** A step later by so much means that this process stalled; a stall does not count as waiting for an answer. */
export const stallMs = 1_000

/**
 * Calls `late` after this process ran for `ms`; the returned function cancels that. Time of a stall does not count,
 * because the process could not read an answer then.
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
    // Timers run before the network's events of the same turn: the answer may have arrived.
    if (leftMs <= 0) last = setImmediate(late)
    else begin()
  }
  begin()
  return () => {
    clearTimeout(timer)
    if (last) clearImmediate(last)
  }
}

/** The answer, or after `ms` the error that `late` makes; a stall of this process does not count. */
export function within<Answer>(ms: number, answer: Promise<Answer>, late: () => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const callOff = startDeadline(ms, () => reject(late()))
    answer.then(resolve, reject).finally(callOff)
  })
}
