import { above, approach, noise, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

type Phase = 'clamp' | 'inject' | 'hold' | 'cool' | 'eject'

const phases: readonly { phase: Phase; ms: number; bar: number; kW: number; kN: number }[] = [
  { phase: 'clamp', ms: 3_000, bar: 120, kW: 38, kN: 2_900 },
  { phase: 'inject', ms: 2_600, bar: 162, kW: 61, kN: 3_760 },
  { phase: 'hold', ms: 6_400, bar: 88, kW: 33, kN: 3_740 },
  { phase: 'cool', ms: 15_600, bar: 46, kW: 24, kN: 3_690 },
  { phase: 'eject', ms: 3_800, bar: 71, kW: 29, kN: 0 },
]
const cycleMs = phases.reduce((sum, entry) => sum + entry.ms, 0)
const firstPhase = phases[0] as (typeof phases)[number]

interface State {
  phaseIndex: number
  phaseLeftMs: number
  plannedMs: number
  lastCycleS: number
  shots: number
  mouldSetC: number
  mouldC: number
  barrel1C: number
  barrel3C: number
  oilC: number
  bar: number
  kW: number
}

/** A 380 t hydraulic press moulding PP housings, about 115 shots an hour. The mould's cooling water clogs. */
export const injectionPress = defineTrade<State>({
  id: 'injection-press',
  machineType: 'injection-press',
  model: 'HX-380T',
  firmware: 'KP-4.12.3',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '注塑机 H-380T', en: 'Injection press 380T' },
  remark: { cn: '1 号线', en: 'Line 1' },
  place: {
    lat: 23.0215,
    lng: 113.1214,
    address: { cn: '广东省佛山市禅城区注塑车间', en: 'Moulding shop, Chancheng, Foshan' },
  },
  tags: [
    float('Mould', 'mould_temp', '模具温度', 'Mould temp.', '°C', [15, 130], { deadband: 0.4, keyTag: true }),
    float('Mould', 'mould_temp_sp', '模具温度设定', 'Mould set-point', '°C', [30, 95], { writable: true }),
    bool('Mould', 'cooling_ok', '冷却水正常', 'Cooling water OK'),
    float('Barrel', 'barrel_temp_1', '料筒一段', 'Barrel zone 1', '°C', [150, 260], { deadband: 0.5 }),
    float('Barrel', 'barrel_temp_3', '料筒三段', 'Barrel zone 3', '°C', [150, 280], { deadband: 0.5 }),
    float('Hydraulics', 'oil_temp', '液压油温', 'Oil temp.', '°C', [20, 70], { deadband: 0.3 }),
    float('Hydraulics', 'pressure', '系统压力', 'System pressure', 'bar', [0, 190], {
      scale: 0,
      deadband: 4,
    }),
    int('Cycle', 'clamp_force', '锁模力', 'Clamp force', 'kN', [0, 3800]),
    text('Cycle', 'phase', '工序', 'Phase'),
    float('Cycle', 'cycle_time', '周期时间', 'Cycle time', 's', [20, 60]),
    int('Cycle', 'shots', '模次', 'Shots', '', counter),
    float('Power', 'active_power', '有功功率', 'Active power', 'kW', [0, 80], { deadband: 2 }),
  ],
  faults: [{ id: 'cooling', everyMs: 11 * hourMs, lastsMs: 40 * minuteMs }],
  alarms: [
    {
      id: 'E2107',
      level: 'critical',
      text: { cn: '模具温度高于上限', en: 'Mould temperature above high limit' },
      raised: (state, was) => above(was, state.mouldC - state.mouldSetC, 30, 18),
    },
    {
      id: 'W0418',
      level: 'minor',
      text: { cn: '周期时间超出公差', en: 'Cycle time out of tolerance' },
      raised: (state, was) => above(was, state.lastCycleS, 37, 35.5),
    },
  ],
  start: (random, at) => ({
    phaseIndex: 3,
    phaseLeftMs: 2_000 + random() * 10_000,
    plannedMs: cycleMs,
    lastCycleS: cycleMs / 1000,
    shots: countedSince(at, 3_600_000 / cycleMs),
    mouldSetC: 62,
    mouldC: 62,
    barrel1C: 205,
    barrel3C: 228,
    oilC: 46,
    bar: 46,
    kW: 24,
  }),
  step(state, dtMs, random, severityOf) {
    const clogged = severityOf('cooling')
    const next = { ...state, phaseLeftMs: state.phaseLeftMs - dtMs }
    if (next.phaseLeftMs <= 0) {
      next.phaseIndex = (state.phaseIndex + 1) % phases.length
      const phase = phases[next.phaseIndex] ?? firstPhase
      // A hot mould must cool longer: the machine waits for the part, and the cycle grows.
      const longer = phase.phase === 'cool' ? 1 + 0.55 * clogged : 1
      const phaseMs = phase.ms * longer * (1 + noise(random, 0.012))
      next.phaseLeftMs += phaseMs
      if (phase.phase === 'clamp') {
        next.lastCycleS = state.plannedMs / 1000
        next.plannedMs = 0
        next.shots += 1
      }
      next.plannedMs += phaseMs
    }
    const phase = phases[next.phaseIndex] ?? firstPhase
    const heat = phase.phase === 'inject' || phase.phase === 'hold' ? 3 : -1
    next.mouldC =
      approach(state.mouldC, state.mouldSetC + heat + 52 * clogged, dtMs, 150_000) + noise(random, 0.09)
    next.barrel1C = wander(state.barrel1C, 205, 0.9, dtMs, 120_000, random)
    next.barrel3C = wander(state.barrel3C, 228, 1.1, dtMs, 120_000, random)
    next.oilC = wander(state.oilC, 46 + 4 * clogged, 0.8, dtMs, 600_000, random)
    next.bar = approach(state.bar, phase.bar, dtMs, 900) + noise(random, 0.8)
    next.kW = approach(state.kW, phase.kW, dtMs, 1_200) + noise(random, 0.5)
    return next
  },
  read(state) {
    const phase = phases[state.phaseIndex] ?? firstPhase
    return {
      mould_temp: state.mouldC,
      mould_temp_sp: state.mouldSetC,
      barrel_temp_1: state.barrel1C,
      barrel_temp_3: state.barrel3C,
      oil_temp: state.oilC,
      pressure: state.bar,
      clamp_force: phase.kN,
      phase: phase.phase,
      cycle_time: state.lastCycleS,
      shots: state.shots,
      active_power: state.kW,
      cooling_ok: state.mouldC - state.mouldSetC < 22,
    }
  },
  write: (state, name, value) =>
    name === 'mould_temp_sp' && typeof value === 'number' ? { ...state, mouldSetC: value } : state,
})
