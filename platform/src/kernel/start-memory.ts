import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By how much V8 lets its young generation grow at a time, when nothing is set. */
const usualGrowth = 2

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Keeps V8's young generation small while the program is read. All of what is read stays, so that V8 would let it grow to
 * 60 MB, and it gives nothing of them back while the process rests.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Collects what the start left behind and lets the young generation grow again, as work asks for it. It holds the process
 * up for a tenth of a second.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString(`--semi-space-growth-factor=${usualGrowth}`)
}
