import { above, approach, below, clamp, noise, wander } from '../dynamics.ts'
import { isShift, threeShifts, warmth, workedShare } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const materials = ['PP H9018', 'ABS 757', 'PC 2858'] as const
const drawPercentH = [130, 105, 150] as const
/** A full hopper and a full silo hold this much. */
const hopperKg = 25
const siloKg = 1_000
const conveyMs = 40_000
const conveyPercent = 18
/** A lorry's load is blown in at this pace. */
const refillPercentH = 240

interface State {
  hopperPercent: readonly number[]
  /** The hopper being filled, from 0; -1 while the blower rests. */
  fillingIndex: number
  conveyLeftMs: number
  vacuumKPa: number
  /** Clogging of the dust filter, 0 to 1. */
  filterDirt: number
  conveyedKg: number
  dryerC: number
  dryerSetC: number
  dewC: number
  siloPercent: number
  refilling: boolean
  materialIndex: number
}

const hoppers = group('料斗', 'Hoppers')
const conveying = group('输送', 'Conveying')
const dryer = group('干燥', 'Dryer')

/** A vacuum conveyor that keeps the hoppers of three presses full, one at a time, from a drying silo. */
export const materialFeeding = defineProfile<State>({
  id: 'material-feeding',
  machineType: 'feeder',
  model: 'CF-3',
  firmware: '2.2.5',
  network: { kind: 'ETH' },
  speaks: 'plain-json',
  presence: 'steady',
  name: { cn: '中央供料系统', en: 'Central feeding' },
  remark: { cn: '料房', en: 'Resin room' },
  place: {
    lat: 22.8152,
    lng: 113.2441,
    address: {
      cn: '广东省佛山市顺德区北滘镇工业大道 27 号料房',
      en: 'Resin room, 27 Gongye Avenue, Beijiao, Shunde, Foshan, Guangdong, China',
    },
  },
  tags: [
    float(hoppers, 'hopper_1', '1# 料位', 'Hopper 1', '%', [0, 100], { deadband: 0.4, keyTag: true }),
    float(hoppers, 'hopper_2', '2# 料位', 'Hopper 2', '%', [0, 100], { deadband: 0.4 }),
    float(hoppers, 'hopper_3', '3# 料位', 'Hopper 3', '%', [0, 100], { deadband: 0.4 }),
    float(conveying, 'vacuum', '真空度', 'Vacuum', 'kPa', [-60, 0], { deadband: 0.4 }),
    float(conveying, 'filter_dp', '过滤器压差', 'Filter Δp', 'kPa', [0, 10], { scale: 2, deadband: 0.03 }),
    int(conveying, 'line', '送料管路', 'Line in use', '', [0, 3]),
    bool(conveying, 'blower', '风机', 'Blower'),
    int(conveying, 'conveyed', '累计送料', 'Conveyed', 'kg', counter),
    float(dryer, 'dryer_temp', '干燥温度', 'Dryer temp.', '°C', [20, 140], { deadband: 0.1 }),
    float(dryer, 'dryer_temp_sp', '干燥温度设定', 'Dryer set-point', '°C', [60, 120], { writable: true }),
    float(dryer, 'dew_point', '露点', 'Dew point', '°C', [-60, 10], { deadband: 0.1 }),
    float(dryer, 'silo_level', '料仓料位', 'Silo level', '%', [0, 100], { deadband: 0.1 }),
    text(dryer, 'material', '物料', 'Material', {
      'PP H9018': ['PP H9018', 'PP H9018'],
      'ABS 757': ['ABS 757', 'ABS 757'],
      'PC 2858': ['PC 2858', 'PC 2858'],
    }),
  ],
  faults: [{ id: 'filter', everyMs: 50 * hourMs, developsMs: 9 * hourMs, standsMs: 30 * minuteMs }],
  alarms: [
    {
      id: 'H1-LOW',
      level: 'major',
      text: { cn: '料斗缺料', en: 'Hopper running empty' },
      raised: (state, was) => below(was, Math.min(...state.hopperPercent), 20, 40),
    },
    {
      id: 'FLT-DP',
      level: 'minor',
      text: { cn: '集尘过滤器堵塞', en: 'Dust filter clogged' },
      raised: (state, was) => above(was, state.filterDirt, 0.75, 0.3),
    },
  ],
  start: (random, at) => ({
    hopperPercent: [70 + 20 * random(), 60 + 20 * random(), 75 + 15 * random()],
    fillingIndex: -1,
    conveyLeftMs: 0,
    vacuumKPa: -1,
    filterDirt: 0,
    conveyedKg: countedSince(at, 96 * workedShare(threeShifts)),
    dryerC: 82,
    dryerSetC: 82,
    dewC: -38,
    siloPercent: 30 + 65 * random(),
    refilling: false,
    materialIndex: 0,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, conveyLeftMs: Math.max(0, state.conveyLeftMs - dtMs) }
    next.filterDirt = approach(state.filterDirt, now.severityOf('filter'), dtMs, minuteMs)
    const isWorked = isShift(threeShifts, now)
    const levels = drawPercentH.map((draw, index) =>
      Math.max(2, (state.hopperPercent[index] ?? 0) - (isWorked ? (draw * dtMs) / hourMs : 0)),
    )
    if (next.conveyLeftMs === 0) {
      const lowest = levels.indexOf(Math.min(...levels))
      next.fillingIndex = (levels[lowest] ?? 100) < 68 ? lowest : -1
      if (next.fillingIndex >= 0) next.conveyLeftMs = conveyMs
    }
    if (next.fillingIndex >= 0) {
      const held = levels[next.fillingIndex] ?? 0
      const gain = Math.min((conveyPercent * dtMs * (1 - 0.97 * next.filterDirt)) / conveyMs, 98 - held)
      levels[next.fillingIndex] = held + Math.max(0, gain)
      next.conveyedKg += (Math.max(0, gain) * hopperKg) / 100
      next.siloPercent -= (Math.max(0, gain) * hopperKg) / siloKg
    }
    next.hopperPercent = levels
    next.refilling = state.refilling ? next.siloPercent < 96 : next.siloPercent < 12
    if (next.refilling) next.siloPercent = clamp(next.siloPercent + (refillPercentH * dtMs) / hourMs, 0, 97)
    if (next.refilling && !state.refilling && random() < 0.4)
      next.materialIndex = (state.materialIndex + 1) % materials.length
    const pull = next.fillingIndex < 0 ? -1 : -32 - 16 * next.filterDirt
    next.vacuumKPa = clamp(approach(state.vacuumKPa, pull, dtMs, 2_500) + noise(random, 0.2), -60, 0)
    next.dryerC = clamp(
      approach(state.dryerC, state.dryerSetC, dtMs, 6 * minuteMs) + noise(random, 0.05),
      20,
      140,
    )
    next.dewC = wander(
      state.dewC,
      -38 + 6 * next.filterDirt + 1.5 * warmth(now.hour),
      0.8,
      dtMs,
      15 * minuteMs,
      random,
    )
    return next
  },
  read: (state) => ({
    hopper_1: state.hopperPercent[0] ?? 0,
    hopper_2: state.hopperPercent[1] ?? 0,
    hopper_3: state.hopperPercent[2] ?? 0,
    vacuum: state.vacuumKPa,
    filter_dp: clamp(state.fillingIndex < 0 ? 0 : 0.6 + 6 * state.filterDirt, 0, 10),
    line: state.fillingIndex + 1,
    blower: state.fillingIndex >= 0,
    conveyed: state.conveyedKg,
    dryer_temp: state.dryerC,
    dryer_temp_sp: state.dryerSetC,
    dew_point: state.dewC,
    silo_level: state.siloPercent,
    material: materials[state.materialIndex] ?? materials[0],
  }),
  write: (state, name, value) =>
    name === 'dryer_temp_sp' && typeof value === 'number' ? { ...state, dryerSetC: value } : state,
})
