import { above, approach, below, clamp, hysteresis, noise, wander } from '../dynamics.ts'
import { warmth } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

/** The clear well's area, m². */
export const clearwellM2 = 240
const backwashM3h = 180

interface State {
  inflowM3h: number
  outflowM3h: number
  oxygenMgL: number
  oxygenSetMgL: number
  blowerPercent: number
  ph: number
  turbidityNtu: number
  flocculantLH: number
  chlorineMgL: number
  clearwellM: number
  filterHeadM: number
  backwashLeftMs: number
  pumpOn: boolean
  treatedM3: number
}

const quality = group('水质', 'Quality')
const aeration = group('曝气', 'Aeration')
const flow = group('流量', 'Flow')
const filter = group('滤池', 'Filter')

/**
 * Filters, aeration and a clear well; head loss triggers the backwash, and a dosing pump scales up now and
 * then.
 */
export const waterTreatment = defineProfile<State>({
  id: 'water-treatment',
  machineType: 'water-plant',
  model: 'WT-500',
  firmware: '2024.2',
  network: { kind: '4G', signalDbm: -77 },
  speaks: 'plain-json',
  panel: { textEncoding: 'gbk' },
  presence: 'rough',
  name: { cn: '净水站 1#', en: 'Water plant 1' },
  remark: { cn: '取水口', en: 'Intake' },
  place: {
    lat: 30.1372,
    lng: 120.0881,
    address: {
      cn: '浙江省杭州市西湖区转塘街道珊瑚沙净水站',
      en: 'Shanhusha water works, Zhuantang, Xihu, Hangzhou, Zhejiang, China',
    },
    source: 'cell',
  },
  tags: [
    float(quality, 'turbidity', '出水浊度', 'Turbidity', 'NTU', [0, 6], {
      scale: 3,
      deadband: 0.002,
      keyTag: true,
    }),
    float(quality, 'ph', 'pH 值', 'pH', '', [5, 10], { scale: 2, deadband: 0.01 }),
    float(quality, 'free_chlorine', '余氯', 'Free chlorine', 'mg/L', [0, 2], { scale: 2, deadband: 0.01 }),
    float(quality, 'flocculant', '混凝剂投加', 'Flocculant', 'L/h', [0, 20], { scale: 2, deadband: 0.03 }),
    float(aeration, 'dissolved_oxygen', '溶解氧', 'Dissolved oxygen', 'mg/L', [0, 9], {
      scale: 2,
      deadband: 0.01,
    }),
    float(aeration, 'oxygen_sp', '溶解氧设定', 'Oxygen set-point', 'mg/L', [1, 5], {
      scale: 1,
      writable: true,
    }),
    float(aeration, 'blower', '鼓风机开度', 'Blower', '%', [0, 100], { deadband: 0.5 }),
    float(flow, 'inflow', '进水流量', 'Inflow', 'm³/h', [0, 700], { deadband: 1 }),
    float(flow, 'outflow', '供水流量', 'Outflow', 'm³/h', [0, 700], { deadband: 1 }),
    float(flow, 'clearwell_level', '清水池液位', 'Clear well level', 'm', [0, 5], {
      scale: 2,
      deadband: 0.01,
    }),
    bool(flow, 'lift_pump', '提升泵', 'Lift pump'),
    text(filter, 'filter_mode', '滤池状态', 'Filter mode', {
      '过滤 filtering': ['过滤', 'Filtering'],
      '反冲洗 backwash': ['反冲洗', 'Backwash'],
    }),
    float(filter, 'head_loss', '滤池水头损失', 'Filter head loss', 'm', [0, 3], { scale: 2, deadband: 0.01 }),
    int(flow, 'treated_volume', '累计处理量', 'Treated volume', 'm³', counter),
  ],
  faults: [{ id: 'dosing', everyMs: 64 * hourMs, developsMs: 9 * hourMs, standsMs: 45 * minuteMs }],
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
    outflowM3h: 330,
    oxygenMgL: 2.4,
    oxygenSetMgL: 2.4,
    blowerPercent: 52,
    ph: 7.35,
    turbidityNtu: 0.22,
    flocculantLH: 9,
    chlorineMgL: 0.62,
    clearwellM: 3.1,
    filterHeadM: 0.5 + random() * 1.4,
    backwashLeftMs: 0,
    pumpOn: true,
    treatedM3: countedSince(at, 290),
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, backwashLeftMs: Math.max(0, state.backwashLeftMs - dtMs) }
    const scaled = now.severityOf('dosing')
    if (state.filterHeadM > 2.1 && state.backwashLeftMs === 0) next.backwashLeftMs = 11 * minuteMs
    const washing = next.backwashLeftMs > 0
    next.pumpOn = hysteresis(state.pumpOn, state.clearwellM, 2.4, 4)
    next.inflowM3h = next.pumpOn
      ? clamp(approach(state.inflowM3h, 430, dtMs, 40_000) + noise(random, 1), 0, 700)
      : approach(state.inflowM3h, 0, dtMs, 30_000)
    const draws =
      270 + 95 * Math.exp(-((now.hour - 8) ** 2) / 5) + 110 * Math.exp(-((now.hour - 19.5) ** 2) / 7)
    const awake = now.hour > 5.5 && now.hour < 23.5 ? 0 : -110
    next.outflowM3h = clamp(wander(state.outflowM3h, draws + awake, 9, dtMs, 15 * minuteMs, random), 0, 700)
    next.filterHeadM = washing
      ? approach(state.filterHeadM, 0.32, dtMs, 3 * minuteMs)
      : state.filterHeadM + (dtMs / hourMs) * 0.15 * (next.inflowM3h / 430)
    next.flocculantLH = clamp(
      approach(state.flocculantLH, (next.inflowM3h / 430) * 10 * (1 - 0.75 * scaled), dtMs, 60_000) +
        noise(random, 0.02),
      0,
      20,
    )
    next.turbidityNtu = clamp(
      approach(
        state.turbidityNtu,
        0.2 + 0.04 * next.filterHeadM + (washing ? 0.14 : 0) + 1.25 * scaled,
        dtMs,
        6 * minuteMs,
      ) + noise(random, 0.0012),
      0,
      6,
    )
    next.chlorineMgL = clamp(
      wander(state.chlorineMgL, 0.62 - 0.38 * scaled, 0.015, dtMs, 8 * minuteMs, random),
      0,
      2,
    )
    next.ph = wander(
      state.ph,
      7.35 - 0.3 * scaled + 0.05 * warmth(now.hour),
      0.03,
      dtMs,
      25 * minuteMs,
      random,
    )
    const error = state.oxygenSetMgL - state.oxygenMgL
    next.blowerPercent = clamp(
      approach(state.blowerPercent, clamp(22 * state.oxygenSetMgL + 40 * error, 8, 100), dtMs, 20_000) +
        noise(random, 0.2),
      0,
      100,
    )
    next.oxygenMgL = clamp(
      approach(state.oxygenMgL, next.blowerPercent / (22 + warmth(now.hour)), dtMs, 3 * minuteMs) +
        noise(random, 0.008),
      0,
      9,
    )
    next.treatedM3 += (next.inflowM3h * dtMs) / hourMs
    // The backwash takes its water from the clear well.
    const drawn = next.outflowM3h + (washing ? backwashM3h : 0)
    next.clearwellM = state.clearwellM + ((next.inflowM3h - drawn) * dtMs) / hourMs / clearwellM2
    return next
  },
  read: (state) => ({
    turbidity: state.turbidityNtu,
    ph: state.ph,
    free_chlorine: state.chlorineMgL,
    flocculant: state.flocculantLH,
    dissolved_oxygen: state.oxygenMgL,
    oxygen_sp: state.oxygenSetMgL,
    blower: state.blowerPercent,
    inflow: state.inflowM3h,
    outflow: state.outflowM3h + (state.backwashLeftMs > 0 ? backwashM3h : 0),
    clearwell_level: state.clearwellM,
    lift_pump: state.pumpOn,
    filter_mode: state.backwashLeftMs > 0 ? '反冲洗 backwash' : '过滤 filtering',
    head_loss: state.filterHeadM,
    treated_volume: state.treatedM3,
  }),
  write: (state, name, value) =>
    name === 'oxygen_sp' && typeof value === 'number' ? { ...state, oxygenSetMgL: value } : state,
})
