import { above, approach, below, clamp, noise, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

const materials = ['PP H9018', 'ABS 757', 'PC 2858'] as const
const drawPercentH = [130, 105, 150] as const
const hopperKg = 25
const conveyMs = 40_000
const conveyPercent = 18

interface State {
  hopperPercent: readonly number[]
  /** The hopper being filled, from 0; absent while the blower rests. */
  fillingIndex: number | undefined
  conveyLeftMs: number
  vacuumKPa: number
  /** How blocked the dust filter is, 0 to 1. */
  filterDirt: number
  conveyedKg: number
  dryerC: number
  dryerSetC: number
  dewC: number
  siloPercent: number
  materialIndex: number
}

/** A vacuum conveyor that keeps the hoppers of three presses full, one at a time, from a drying silo. */
export const materialFeeding = defineTrade<State>({
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
    lat: 23.0224,
    lng: 113.1231,
    address: { cn: '广东省佛山市禅城区料房', en: 'Resin room, Chancheng, Foshan' },
  },
  tags: [
    float('Hoppers', 'hopper_1', '1# 料位', 'Hopper 1', '%', [0, 100], { deadband: 0.3, keyTag: true }),
    float('Hoppers', 'hopper_2', '2# 料位', 'Hopper 2', '%', [0, 100], { deadband: 0.3 }),
    float('Hoppers', 'hopper_3', '3# 料位', 'Hopper 3', '%', [0, 100], { deadband: 0.3 }),
    float('Conveying', 'vacuum', '真空度', 'Vacuum', 'kPa', [-60, 0], { deadband: 0.3 }),
    int('Conveying', 'line', '送料管路', 'Line in use', '', [0, 3]),
    bool('Conveying', 'blower', '风机', 'Blower'),
    int('Conveying', 'conveyed', '累计送料', 'Conveyed', 'kg', counter),
    float('Dryer', 'dryer_temp', '干燥温度', 'Dryer temp.', '°C', [20, 140], { deadband: 0.1 }),
    float('Dryer', 'dryer_temp_sp', '干燥温度设定', 'Dryer set-point', '°C', [60, 120], { writable: true }),
    float('Dryer', 'dew_point', '露点', 'Dew point', '°C', [-60, 10], { deadband: 0.1 }),
    float('Dryer', 'silo_level', '料仓料位', 'Silo level', '%', [0, 100], { deadband: 0.1 }),
    text('Dryer', 'material', '物料', 'Material'),
  ],
  faults: [{ id: 'filter', everyMs: 8 * hourMs, lastsMs: 60 * minuteMs }],
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
      raised: (state, was) => above(was, state.filterDirt, 0.6, 0.3),
    },
  ],
  start: (random, at) => ({
    hopperPercent: [70 + 20 * random(), 60 + 20 * random(), 75 + 15 * random()],
    fillingIndex: undefined,
    conveyLeftMs: 0,
    vacuumKPa: -1,
    filterDirt: 0,
    conveyedKg: countedSince(at, 96),
    dryerC: 82,
    dryerSetC: 82,
    dewC: -38,
    siloPercent: 30 + 65 * random(),
    materialIndex: 0,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, conveyLeftMs: Math.max(0, state.conveyLeftMs - dtMs) }
    next.filterDirt = approach(state.filterDirt, severityOf('filter'), dtMs, minuteMs)
    const levels = drawPercentH.map((draw, index) =>
      Math.max(2, (state.hopperPercent[index] ?? 0) - (draw * dtMs) / hourMs),
    )
    if (next.conveyLeftMs === 0) {
      const lowest = levels.indexOf(Math.min(...levels))
      next.fillingIndex = (levels[lowest] ?? 100) < 68 ? lowest : undefined
      if (next.fillingIndex !== undefined) next.conveyLeftMs = conveyMs
    }
    if (next.fillingIndex !== undefined) {
      const gain = (conveyPercent * dtMs * (1 - 0.96 * next.filterDirt)) / conveyMs
      levels[next.fillingIndex] = clamp((levels[next.fillingIndex] ?? 0) + gain, 0, 98)
      next.conveyedKg += (gain * hopperKg) / 100
      next.siloPercent -= (gain * hopperKg) / 1_000
    }
    next.hopperPercent = levels
    if (next.siloPercent < 10) {
      next.siloPercent = 96
      if (random() < 0.4) next.materialIndex = (state.materialIndex + 1) % materials.length
    }
    const pull = next.fillingIndex === undefined ? -1 : -32 - 16 * next.filterDirt
    next.vacuumKPa = clamp(approach(state.vacuumKPa, pull, dtMs, 2_500) + noise(random, 0.25), -60, 0)
    next.dryerC = approach(state.dryerC, state.dryerSetC, dtMs, 6 * minuteMs) + noise(random, 0.06)
    next.dewC = wander(state.dewC, -38 + 6 * next.filterDirt, 1.2, dtMs, 10 * minuteMs, random)
    return next
  },
  read: (state) => ({
    hopper_1: state.hopperPercent[0] ?? 0,
    hopper_2: state.hopperPercent[1] ?? 0,
    hopper_3: state.hopperPercent[2] ?? 0,
    vacuum: state.vacuumKPa,
    line: state.fillingIndex === undefined ? 0 : state.fillingIndex + 1,
    blower: state.fillingIndex !== undefined,
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
