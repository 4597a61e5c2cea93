import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By how much V8 lets its young generation grow at a time, when nothing is set. */
const usualGrowth = 2

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Keeps V8's young generation small while the program is loaded. All loaded code stays, so that V8 would let the
 * generation grow to 60 MB, and not shrink it while the process is idle.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Collects the garbage of the start and lets the young generation grow again as work needs it. It holds the process up
 * for a tenth of a second.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString(`--semi-space-growth-factor=${usualGrowth}`)
}
