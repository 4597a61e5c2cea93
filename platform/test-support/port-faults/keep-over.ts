/* Loaded before an agent: the time for which it keeps streams without a line passes at once when its parent asks. */
import { portLimits } from '@busbar/link'

const kept = new Map<NodeJS.Timeout, () => void>()
const { setTimeout: start, clearTimeout: cancel } = globalThis

globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
  const timer: NodeJS.Timeout = start(() => {
    kept.delete(timer)
    run(...args)
  }, ms)
  if (ms === portLimits.keepMs) kept.set(timer, () => run(...args))
  return timer
}) as typeof setTimeout
globalThis.clearTimeout = (timer) => {
  if (timer instanceof Object) kept.delete(timer as NodeJS.Timeout)
  cancel(timer)
}

process.on('message', (message) => {
  if (message !== 'keepOver') return
  for (const [timer, run] of [...kept]) {
    clearTimeout(timer)
    run()
  }
})
// Listening alone does not keep the agent running.
process.channel?.unref()
