import { above, approach, below, clamp, hysteresis, noise, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

interface State {
  inflowM3h: number
  oxygenMgL: number
  oxygenSetMgL: number
  blowerPercent: number
  ph: number
  turbidityNtu: number
  chlorineMgL: number
  clearwellM: number
  filterHeadM: number
  backwashLeftMs: number
  pumpOn: boolean
  treatedM3: number
}

/** Filters, aeration and a clear well; a filter is backwashed when its head loss says so. */
export const waterTreatment = defineTrade<State>({
  id: 'water-treatment',
  machineType: 'water-plant',
  model: 'WT-500',
  firmware: '2024.2',
  network: { kind: '4G', signalDbm: -77 },
  speaks: 'plain-json',
  presence: 'rough',
  name: { cn: '净水站 1#', en: 'Water plant 1' },
  remark: { cn: '取水口', en: 'Intake' },
  place: {
    lat: 30.2741,
    lng: 120.1551,
    address: { cn: '浙江省杭州市净水站', en: 'Water works, Hangzhou' },
  },
  tags: [
    float('Quality', 'turbidity', '出水浊度', 'Turbidity', 'NTU', [0, 6], {
      scale: 3,
      deadband: 0.002,
      keyTag: true,
    }),
    float('Quality', 'ph', 'pH 值', 'pH', '', [5, 10], { scale: 2, deadband: 0.01 }),
    float('Quality', 'free_chlorine', '余氯', 'Free chlorine', 'mg/L', [0, 2], { scale: 2, deadband: 0.01 }),
    float('Aeration', 'dissolved_oxygen', '溶解氧', 'Dissolved oxygen', 'mg/L', [0, 9], {
      scale: 2,
      deadband: 0.01,
    }),
    float('Aeration', 'oxygen_sp', '溶解氧设定', 'Oxygen set-point', 'mg/L', [1, 5], {
      scale: 1,
      writable: true,
    }),
    float('Aeration', 'blower', '鼓风机开度', 'Blower', '%', [0, 100], { deadband: 0.3 }),
    float('Flow', 'inflow', '进水流量', 'Inflow', 'm³/h', [0, 700], { deadband: 0.9 }),
    float('Flow', 'clearwell_level', '清水池液位', 'Clear well level', 'm', [0, 5], {
      scale: 2,
      deadband: 0.01,
    }),
    bool('Flow', 'lift_pump', '提升泵', 'Lift pump'),
    text('Filter', 'filter_mode', '滤池状态', 'Filter mode'),
    float('Filter', 'head_loss', '滤池水头损失', 'Filter head loss', 'm', [0, 3], {
      scale: 2,
      deadband: 0.01,
    }),
    int('Flow', 'treated_volume', '累计处理量', 'Treated volume', 'm³', counter),
  ],
  faults: [{ id: 'dosing', everyMs: 15.5 * hourMs, lastsMs: 55 * minuteMs }],
  alarms: [
    {
      id: 'TU-HI',
      level: 'major',
      text: { cn: '出水浊度超标', en: 'Turbidity above limit' },
      raised: (state, was) => above(was, state.turbidityNtu, 1, 0.6),
    },
    {
      id: 'CL-LO',
      level: 'minor',
      text: { cn: '余氯偏低', en: 'Free chlorine low' },
      raised: (state, was) => below(was, state.chlorineMgL, 0.3, 0.4),
    },
  ],
  start: (random, at) => ({
    inflowM3h: 390,
    oxygenMgL: 2.4,
    oxygenSetMgL: 2.4,
    blowerPercent: 52,
    ph: 7.35,
    turbidityNtu: 0.22,
    chlorineMgL: 0.62,
    clearwellM: 3.1,
    filterHeadM: 0.5 + random() * 1.4,
    backwashLeftMs: 0,
    pumpOn: true,
    treatedM3: countedSince(at, 320),
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, backwashLeftMs: Math.max(0, state.backwashLeftMs - dtMs) }
    const starved = severityOf('dosing')
    if (state.filterHeadM > 2.1 && state.backwashLeftMs === 0) next.backwashLeftMs = 11 * minuteMs
    const washing = next.backwashLeftMs > 0
    next.pumpOn = hysteresis(state.pumpOn, state.clearwellM, 2.6, 4)
    next.inflowM3h = next.pumpOn
      ? clamp(approach(state.inflowM3h, 430, dtMs, 40_000) + noise(random, 1), 0, 700)
      : approach(state.inflowM3h, 0, dtMs, 30_000)
    next.filterHeadM = washing
      ? approach(state.filterHeadM, 0.32, dtMs, 3 * minuteMs)
      : state.filterHeadM + (dtMs / hourMs) * 0.19 * (next.inflowM3h / 430)
    next.turbidityNtu = clamp(
      approach(
        state.turbidityNtu,
        0.2 + 0.04 * next.filterHeadM + (washing ? 0.14 : 0) + 2.1 * starved,
        dtMs,
        4 * minuteMs,
      ) + noise(random, 0.0012),
      0,
      6,
    )
    next.chlorineMgL = wander(state.chlorineMgL, 0.62 - 0.38 * starved, 0.02, dtMs, 5 * minuteMs, random)
    next.ph = wander(state.ph, 7.35 - 0.3 * starved, 0.05, dtMs, 15 * minuteMs, random)
    const error = state.oxygenSetMgL - state.oxygenMgL
    next.blowerPercent = clamp(
      approach(state.blowerPercent, clamp(22 * state.oxygenSetMgL + 40 * error, 8, 100), dtMs, 20_000) +
        noise(random, 0.2),
      0,
      100,
    )
    next.oxygenMgL = clamp(
      approach(state.oxygenMgL, next.blowerPercent / 22, dtMs, 3 * minuteMs) + noise(random, 0.008),
      0,
      9,
    )
    next.treatedM3 += (next.inflowM3h * dtMs) / hourMs
    next.clearwellM = clamp(
      state.clearwellM + ((next.inflowM3h - 330 - (washing ? 180 : 0)) * dtMs) / hourMs / 160,
      0.5,
      4.6,
    )
    return next
  },
  read: (state) => ({
    turbidity: state.turbidityNtu,
    ph: state.ph,
    free_chlorine: state.chlorineMgL,
    dissolved_oxygen: state.oxygenMgL,
    oxygen_sp: state.oxygenSetMgL,
    blower: state.blowerPercent,
    inflow: state.inflowM3h,
    clearwell_level: state.clearwellM,
    lift_pump: state.pumpOn,
    filter_mode: state.backwashLeftMs > 0 ? 'backwash' : 'filtering',
    head_loss: state.filterHeadM,
    treated_volume: state.treatedM3,
  }),
  write: (state, name, value) =>
    name === 'oxygen_sp' && typeof value === 'number' ? { ...state, oxygenSetMgL: value } : state,
})
