import { createRandom, seedOf } from './random.ts'
import type { FaultSpec } from './trades/trade.ts'

/** Shares of a fault's life: it grows, stands, and is mended quickly. */
const growShare = 0.35
const mendShare = 0.12

/**
 * How far a fault has developed at an instant, 0 to 1. In each stretch of `everyMs` it comes once, at a time and for
 * a length that the machine's code decides: the same machine has the same bad hours in every run.
 */
export function faultSeverity(machineCode: string, fault: FaultSpec, at: number): number {
  const stretch = Math.floor(at / fault.everyMs)
  const random = createRandom(seedOf(`${machineCode}:${fault.id}:${stretch}`))
  const lastsMs = fault.lastsMs * (0.7 + 0.6 * random())
  const fromAt = stretch * fault.everyMs + random() * (fault.everyMs - lastsMs)
  const share = (at - fromAt) / lastsMs
  if (share <= 0 || share >= 1) return 0
  return Math.min(1, share / growShare, (1 - share) / mendShare)
}
