import { above, approach, clamp, noise, ramp, wander } from './dynamics.ts'
import type { SeverityOf } from './profiles/profile.ts'
import type { Random } from './random.ts'

export type PasteuriserPhase = 'idle' | 'heating' | 'running' | 'diverting'

/** A plate pasteuriser for milk: hold at 72 °C for 15 s, else the product is diverted back to the balance tank. */
export interface PasteuriserState {
  enabled: boolean
  holdSetC: number
  flowSetLH: number
  coolSetC: number
  holdC: number
  inletC: number
  outletC: number
  hotWaterC: number
  flowLH: number
  steamPercent: number
  pressureBar: number
  productPumpHz: number
  diverting: boolean
  totalL: number
  runS: number
  batch: string
  phase: PasteuriserPhase
  lowTempAlarm: boolean
}

/** Below its set-point by this much the hold is not safe: the divert valve falls. */
const divertBelowK = 1.5

export function startPasteuriser(): PasteuriserState {
  return {
    enabled: true,
    holdSetC: 74,
    flowSetLH: 5_000,
    coolSetC: 4,
    holdC: 74,
    inletC: 5.5,
    outletC: 4.2,
    hotWaterC: 78,
    flowLH: 5_000,
    steamPercent: 46,
    pressureBar: 3.2,
    productPumpHz: 36,
    diverting: false,
    totalL: 1_284_300,
    runS: 3_600,
    batch: 'MILK-3.5-0412',
    phase: 'running',
    lowTempAlarm: false,
  }
}

/** The state `dtMs` later. The fault `steam` starves the hot-water loop until the hold temperature falls. */
export function stepPasteuriser(
  state: PasteuriserState,
  dtMs: number,
  random: Random,
  severityOf: SeverityOf,
): PasteuriserState {
  const next = { ...state }
  const error = state.holdSetC - state.holdC
  const steam = state.enabled
    ? clamp(18 + 0.0056 * state.flowLH + 1.6 * (state.holdSetC - 74) + 6 * error, 0, 100)
    : 0
  next.steamPercent = clamp(approach(state.steamPercent, steam, dtMs, 4_000) + noise(random, 0.15), 0, 100)
  const supply = next.steamPercent * (1 - 0.3 * severityOf('steam'))
  // Steam heats the loop, the product cools it: about 22 K over the inlet at 46 % and 5,000 l/h.
  const loopC = state.enabled ? 62 + 0.62 * supply - 0.0024 * state.flowLH : 25
  next.hotWaterC = approach(state.hotWaterC, clamp(loopC, 20, 98), dtMs, 40_000) + noise(random, 0.05)
  next.inletC = wander(state.inletC, 5.5, 0.3, dtMs, 120_000, random)
  next.holdC = approach(state.holdC, next.hotWaterC - 4, dtMs, 15_000) + noise(random, 0.03)
  next.outletC = approach(state.outletC, state.coolSetC + 0.2, dtMs, 25_000) + noise(random, 0.03)
  next.flowLH = Math.max(
    0,
    ramp(state.flowLH, state.enabled ? state.flowSetLH : 0, dtMs, 150) +
      (state.enabled ? noise(random, 6) : 0),
  )
  next.productPumpHz = clamp(next.flowLH / 140, 0, 50)
  next.pressureBar = clamp(0.4 + next.flowLH / 1_800 + noise(random, 0.01), 0, 8)
  next.diverting = above(state.diverting, next.holdSetC - next.holdC, divertBelowK, divertBelowK / 3)
  next.lowTempAlarm = state.enabled && next.diverting
  next.phase = !state.enabled
    ? 'idle'
    : next.flowLH < 500
      ? 'heating'
      : next.diverting
        ? 'diverting'
        : 'running'
  if (next.phase === 'running') next.totalL += (next.flowLH * dtMs) / 3_600_000
  if (state.enabled) next.runS += dtMs / 1000
  return next
}
