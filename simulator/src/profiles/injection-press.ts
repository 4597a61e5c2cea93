import { above, approach, clamp, noise, wander } from '../dynamics.ts'
import { isShift, threeShifts, workedShare } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const phases = [
  { phase: 'clamp', ms: 3_000, bar: 120, kW: 38, kN: 2_900 },
  { phase: 'inject', ms: 3_000, bar: 162, kW: 61, kN: 3_760 },
  { phase: 'hold', ms: 6_000, bar: 88, kW: 33, kN: 3_740 },
  { phase: 'cool', ms: 16_000, bar: 46, kW: 24, kN: 3_690 },
  { phase: 'eject', ms: 4_000, bar: 71, kW: 29, kN: 0 },
] as const
const [firstPhase] = phases
const cycleMs = phases.reduce((sum, entry) => sum + entry.ms, 0)

/** Position of the screw, mm: it shoots, packs, draws the next shot while the part cools, and waits. */
const shotMm = 182
const cushionMm = 14

const barrelC = { work: [205, 228], standby: [160, 170] } as const
const mouldStandbyC = 38

interface State {
  /** Shots are made; else the barrel is kept warm, or warms up. */
  moulding: boolean
  phaseIndex: number
  phaseMs: number
  phaseLeftMs: number
  cycleSoFarMs: number
  lastCycleS: number
  shots: number
  mouldSetC: number
  mouldC: number
  coolingLMin: number
  barrel1C: number
  barrel3C: number
  oilC: number
  bar: number
  kW: number
  kWh: number
}

const mould = group('模具', 'Mould')
const barrel = group('料筒', 'Barrel')
const hydraulics = group('液压', 'Hydraulics')
const cycle = group('循环', 'Cycle')
const power = group('电能', 'Power')

/** A 380 t hydraulic press moulding PP housings, three shifts, 112 shots an hour. Scale closes the mould's cooling. */
export const injectionPress = defineProfile<State>({
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
    lat: 22.8147,
    lng: 113.2436,
    address: {
      cn: '广东省佛山市顺德区北滘镇工业大道 27 号',
      en: '27 Gongye Avenue, Beijiao, Shunde, Foshan, Guangdong, China',
    },
  },
  tags: [
    float(mould, 'mould_temp', '模具温度', 'Mould temp.', '°C', [15, 130], { deadband: 0.4, keyTag: true }),
    float(mould, 'mould_temp_sp', '模具温度设定', 'Mould set-point', '°C', [30, 95], { writable: true }),
    float(mould, 'cooling_flow', '冷却水流量', 'Cooling flow', 'L/min', [0, 30], { deadband: 0.3 }),
    bool(mould, 'cooling_ok', '冷却水正常', 'Cooling water OK'),
    float(barrel, 'barrel_temp_1', '料筒一段', 'Barrel zone 1', '°C', [20, 260], { deadband: 0.5 }),
    float(barrel, 'barrel_temp_3', '料筒三段', 'Barrel zone 3', '°C', [20, 280], { deadband: 0.5 }),
    float(barrel, 'screw_position', '螺杆位置', 'Screw position', 'mm', [0, 200], { deadband: 4 }),
    float(hydraulics, 'oil_temp', '液压油温', 'Oil temp.', '°C', [20, 70], { deadband: 0.3 }),
    float(hydraulics, 'pressure', '系统压力', 'System pressure', 'bar', [0, 190], { scale: 0, deadband: 4 }),
    int(cycle, 'clamp_force', '锁模力', 'Clamp force', 'kN', [0, 3800]),
    text(cycle, 'phase', '工序', 'Phase', {
      clamp: ['合模', 'Clamp'],
      inject: ['射胶', 'Inject'],
      hold: ['保压', 'Hold'],
      cool: ['冷却', 'Cool'],
      eject: ['顶出', 'Eject'],
      heating: ['升温', 'Heating up'],
      standby: ['待机', 'Standby'],
    }),
    float(cycle, 'cycle_time', '周期时间', 'Cycle time', 's', [20, 60]),
    int(cycle, 'shots', '模次', 'Shots', '', counter),
    float(power, 'active_power', '有功功率', 'Active power', 'kW', [0, 80], { deadband: 2 }),
    int(power, 'energy', '累计电量', 'Energy', 'kWh', counter),
  ],
  faults: [{ id: 'cooling', everyMs: 46 * hourMs, developsMs: 7 * hourMs, standsMs: 25 * minuteMs }],
  alarms: [
    {
      id: 'E2107',
      level: 'critical',
      text: { cn: '模具温度高于上限', en: 'Mould temperature above high limit' },
      raised: (state, was) => above(was, state.mouldC - state.mouldSetC, 28, 16),
    },
    {
      id: 'W0418',
      level: 'minor',
      text: { cn: '周期时间超出公差', en: 'Cycle time out of tolerance' },
      raised: (state, was) => state.moulding && above(was, state.lastCycleS, 38.5, 36),
    },
  ],
  start: (random, at) => ({
    moulding: true,
    phaseIndex: 3,
    phaseMs: 16_000,
    phaseLeftMs: 2_000 + random() * 10_000,
    cycleSoFarMs: cycleMs - 4_000,
    lastCycleS: cycleMs / 1000,
    shots: countedSince(at, (hourMs / cycleMs) * workedShare(threeShifts)),
    mouldSetC: 62,
    mouldC: 62,
    coolingLMin: 18,
    barrel1C: 205,
    barrel3C: 228,
    oilC: 46,
    bar: 46,
    kW: 24,
    kWh: countedSince(at, 30 * workedShare(threeShifts)),
  }),
  step(state, dtMs, now) {
    const { random } = now
    const clogged = now.severityOf('cooling')
    const next = { ...state }
    const isWorked = isShift(threeShifts, now)
    const barrelSetC = isWorked ? barrelC.work : barrelC.standby
    // A cold barrel would break the screw: moulding waits for the heaters.
    next.moulding = isWorked && state.barrel1C > barrelC.work[0] - (state.moulding ? 12 : 4)
    if (next.moulding) runCycle(next, dtMs, clogged, random)
    const phase = phases[next.phaseIndex] ?? firstPhase
    const heat = phase.phase === 'inject' || phase.phase === 'hold' ? 3 : -1
    next.coolingLMin = clamp(
      approach(state.coolingLMin, isWorked ? 18 - 11 * clogged : 4, dtMs, 20_000) + noise(random, 0.08),
      0,
      30,
    )
    const mouldTargetC = next.moulding ? state.mouldSetC + heat + 38 * clogged : mouldStandbyC
    next.mouldC = approach(state.mouldC, mouldTargetC, dtMs, next.moulding ? 150_000 : 50 * minuteMs)
    next.mouldC = clamp(next.mouldC + noise(random, 0.09), 15, 130)
    next.barrel1C = approach(state.barrel1C, barrelSetC[0], dtMs, 14 * minuteMs) + noise(random, 0.12)
    next.barrel3C = approach(state.barrel3C, barrelSetC[1], dtMs, 15 * minuteMs) + noise(random, 0.14)
    const oilC = next.moulding ? 46 + 4 * clogged : 28
    next.oilC = clamp(wander(state.oilC, oilC, 0.8, dtMs, 25 * minuteMs, random), 20, 70)
    const idleKW = isWorked ? 42 : 7
    next.bar = clamp(
      approach(state.bar, next.moulding ? phase.bar : 0, dtMs, 600) +
        (next.moulding ? noise(random, 0.8) : 0),
      0,
      190,
    )
    next.kW = clamp(
      approach(state.kW, next.moulding ? phase.kW : idleKW, dtMs, 900) + noise(random, 0.4),
      0,
      80,
    )
    next.kWh += (next.kW * dtMs) / hourMs
    return next
  },
  read(state) {
    const phase = phases[state.phaseIndex] ?? firstPhase
    return {
      mould_temp: state.mouldC,
      mould_temp_sp: state.mouldSetC,
      cooling_flow: state.coolingLMin,
      cooling_ok: state.coolingLMin > 10 || !state.moulding,
      barrel_temp_1: state.barrel1C,
      barrel_temp_3: state.barrel3C,
      screw_position: screwMm(phase.phase, 1 - state.phaseLeftMs / state.phaseMs),
      oil_temp: state.oilC,
      pressure: state.bar,
      clamp_force: state.moulding ? phase.kN : 0,
      phase: state.moulding ? phase.phase : state.barrel1C > barrelC.standby[0] + 8 ? 'heating' : 'standby',
      cycle_time: state.lastCycleS,
      shots: state.shots,
      active_power: state.kW,
      energy: state.kWh,
    }
  },
  write: (state, name, value) =>
    name === 'mould_temp_sp' && typeof value === 'number' ? { ...state, mouldSetC: value } : state,
})

/** Goes through as many phases as `dtMs` holds. */
function runCycle(next: State, dtMs: number, clogged: number, random: () => number): void {
  next.phaseLeftMs -= dtMs
  while (next.phaseLeftMs <= 0) {
    next.phaseIndex = (next.phaseIndex + 1) % phases.length
    const phase = phases[next.phaseIndex] ?? firstPhase
    // A hot mould must cool longer: the machine waits for the part, and the cycle grows.
    const longer = phase.phase === 'cool' ? 1 + 0.55 * clogged : 1
    next.phaseMs = phase.ms * longer * (1 + noise(random, 0.012))
    next.phaseLeftMs += next.phaseMs
    if (phase.phase === 'clamp') {
      next.lastCycleS = clamp(next.cycleSoFarMs / 1000, 20, 60)
      next.cycleSoFarMs = 0
      next.shots += 1
    }
    next.cycleSoFarMs += next.phaseMs
  }
}

function screwMm(phase: (typeof phases)[number]['phase'], done: number): number {
  const share = clamp(done, 0, 1)
  switch (phase) {
    case 'inject':
      return shotMm - (shotMm - cushionMm - 8) * share
    case 'hold':
      return cushionMm + 8 * (1 - share)
    case 'cool':
      return cushionMm + (shotMm - cushionMm) * Math.min(1, share / 0.7)
    default:
      return shotMm
  }
}
