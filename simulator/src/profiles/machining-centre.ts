import { above, approach, clamp, noise } from '../dynamics.ts'
import { isShift, type Shift, workedShare } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { counter, float, group, int, text } from './tags.ts'

const programs = ['O1042', 'O1043', 'O2210'] as const
const tools = [
  { tool: 4, rpm: 9_500, load: 62, feed: 3_800 },
  { tool: 11, rpm: 14_000, load: 38, feed: 5_200 },
  { tool: 7, rpm: 6_200, load: 74, feed: 1_900 },
  { tool: 19, rpm: 17_500, load: 24, feed: 6_400 },
] as const
const [firstTool] = tools
const partMs = 46 * minuteMs
const setUpMs = 25 * minuteMs
/** Two shifts with people, then alone until the pallets are used up. */
const hours: readonly Shift[] = [{ days: [0, 1, 2, 3, 4, 5], from: 7, to: 27.5 }]

interface State {
  programIndex: number
  toolIndex: number
  toolLeftMs: number
  changing: boolean
  partLeftMs: number
  setUpLeftMs: number
  /** Pallets or people are present. */
  manned: boolean
  cutting: boolean
  parts: number
  rpm: number
  load: number
  feed: number
  bearingC: number
  vibration: number
  /** Mean over minutes, as the monitor watches it: a tool change must not clear the alarm. */
  meanVibration: number
  airBar: number
  tableDeg: number
  kW: number
  kWh: number
}

const spindle = group('主轴', 'Spindle')
const axes = group('进给轴', 'Axes')
const tool = group('刀具', 'Tool')
const program = group('程序', 'Program')
const utilities = group('公用工程', 'Utilities')

/** A 5-axis centre milling impellers, 46 minutes a part, alone at night. Its spindle bearing wears, its air leaks. */
export const machiningCentre = defineProfile<State>({
  id: 'machining-centre',
  machineType: 'machining-centre',
  model: 'UX-650',
  firmware: 'V5.20.06',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '五轴加工中心 #03', en: '5-axis centre #03' },
  remark: { cn: '叶轮单元', en: 'Impellers' },
  place: {
    lat: 31.3512,
    lng: 120.9938,
    address: {
      cn: '江苏省昆山市经济技术开发区前进东路 399 号',
      en: '399 Qianjin East Road, Kunshan Economic Zone, Jiangsu, China',
    },
  },
  tags: [
    float(spindle, 'spindle_load', '主轴负载', 'Spindle load', '%', [0, 120], {
      deadband: 0.8,
      keyTag: true,
    }),
    int(spindle, 'spindle_speed', '主轴转速', 'Spindle speed', 'rpm', [0, 20_000], { deadband: 60 }),
    float(spindle, 'bearing_temp', '主轴轴承温度', 'Bearing temp.', '°C', [15, 80], { deadband: 0.1 }),
    float(spindle, 'vibration', '振动速度', 'Vibration', 'mm/s', [0, 12], { scale: 2, deadband: 0.06 }),
    int(axes, 'feed_rate', '进给速度', 'Feed rate', 'mm/min', [0, 8_000], { deadband: 80 }),
    float(axes, 'table_angle', 'C 轴角度', 'C axis', '°', [0, 360], { deadband: 3 }),
    int(tool, 'tool', '当前刀号', 'Tool', '', [1, 24]),
    text(program, 'state', '状态', 'State', {
      cutting: ['切削', 'Cutting'],
      'tool-change': ['换刀', 'Tool change'],
      'set-up': ['装夹', 'Set-up'],
      idle: ['空闲', 'Idle'],
    }),
    text(program, 'program', '程序', 'Program', {
      O1042: ['O1042 叶轮', 'O1042 impeller'],
      O1043: ['O1043 整体叶盘', 'O1043 blisk'],
      O2210: ['O2210 壳体', 'O2210 housing'],
    }),
    int(program, 'part_progress', '零件进度', 'Part progress', '%', [0, 100]),
    int(program, 'parts', '零件计数', 'Parts', '', counter),
    float(utilities, 'air_pressure', '气源压力', 'Air pressure', 'bar', [0, 8], { scale: 2, deadband: 0.03 }),
    float(utilities, 'active_power', '有功功率', 'Active power', 'kW', [0, 60], { deadband: 1 }),
    int(utilities, 'energy', '累计电量', 'Energy', 'kWh', counter),
  ],
  faults: [
    { id: 'bearing', everyMs: 52 * hourMs, developsMs: 9 * hourMs, standsMs: 30 * minuteMs },
    { id: 'air', everyMs: 71 * hourMs, developsMs: 4 * hourMs, standsMs: 20 * minuteMs },
  ],
  alarms: [
    {
      id: 'SP9073',
      level: 'critical',
      text: { cn: '主轴振动超限', en: 'Spindle vibration above limit' },
      raised: (state, was) => above(was, state.meanVibration, 4.6, 2.6),
    },
    {
      id: 'SP9058',
      level: 'major',
      text: { cn: '主轴轴承温度高', en: 'Spindle bearing temperature high' },
      raised: (state, was) => above(was, state.bearingC, 63, 55),
    },
    {
      id: 'EX1008',
      level: 'minor',
      text: { cn: '气源压力低', en: 'Air supply pressure low' },
      raised: (state, was) => above(was, 6.2 - state.airBar, 1.1, 0.4),
    },
  ],
  start: (random, at) => ({
    programIndex: Math.floor(random() * programs.length),
    toolIndex: 0,
    toolLeftMs: 60_000 + random() * 120_000,
    changing: false,
    partLeftMs: partMs * (0.2 + 0.7 * random()),
    setUpLeftMs: 0,
    manned: true,
    cutting: true,
    parts: countedSince(at, (hourMs / partMs) * workedShare(hours)),
    rpm: 9_500,
    load: 60,
    feed: 3_800,
    bearingC: 41,
    vibration: 1.3,
    meanVibration: 1.3,
    airBar: 6.2,
    tableDeg: random() * 360,
    kW: 21,
    kWh: countedSince(at, 17 * workedShare(hours)),
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, setUpLeftMs: Math.max(0, state.setUpLeftMs - dtMs) }
    // A part that was begun is finished before the centre rests.
    next.manned = isShift(hours, now) || (state.manned && state.partLeftMs < partMs - dtMs)
    next.cutting = next.manned && next.setUpLeftMs === 0
    if (next.cutting) mill(next, dtMs, random)
    const current = tools[next.toolIndex] ?? firstTool
    const cuts = next.cutting && !next.changing
    const worn = now.severityOf('bearing')
    next.rpm = clamp(
      approach(state.rpm, cuts ? current.rpm : 0, dtMs, 1_800) + noise(random, cuts ? 9 : 0),
      0,
      20_000,
    )
    const load = current.load * (1 + 0.18 * Math.sin(next.partLeftMs / 21_000)) * (1 + 0.15 * worn)
    next.load = clamp(
      approach(state.load, cuts ? load : 0, dtMs, 2_000) + noise(random, cuts ? 0.7 : 0),
      0,
      120,
    )
    next.feed = clamp(
      approach(state.feed, cuts ? current.feed : 0, dtMs, 2_000) + noise(random, cuts ? 18 : 0),
      0,
      8_000,
    )
    next.bearingC = clamp(
      approach(state.bearingC, 26 + next.rpm / 1_000 + (cuts ? 4 + 25 * worn : 0), dtMs, 14 * minuteMs) +
        noise(random, 0.03),
      15,
      80,
    )
    next.vibration = clamp(
      approach(state.vibration, (next.rpm / 8_000) * (1 + 3.6 * worn), dtMs, 4_000) + noise(random, 0.03),
      0,
      12,
    )
    next.meanVibration = approach(state.meanVibration, next.vibration, dtMs, 14 * minuteMs)
    next.airBar = clamp(
      approach(state.airBar, 6.2 - 1.5 * now.severityOf('air'), dtMs, 60_000) + noise(random, 0.01),
      0,
      8,
    )
    if (cuts) next.tableDeg = (state.tableDeg + next.feed * dtMs * 1.1e-6 * (1 + random())) % 360
    next.kW = clamp(
      approach(state.kW, cuts ? 9 + 0.32 * next.load : next.manned ? 8 : 1.6, dtMs, 2_500) +
        noise(random, 0.15),
      0,
      60,
    )
    next.kWh += (next.kW * dtMs) / hourMs
    return next
  },
  read: (state) => ({
    spindle_load: state.load,
    spindle_speed: state.rpm,
    bearing_temp: state.bearingC,
    vibration: state.vibration,
    feed_rate: state.feed,
    table_angle: state.tableDeg,
    tool: (tools[state.toolIndex] ?? firstTool).tool,
    state: !state.manned ? 'idle' : !state.cutting ? 'set-up' : state.changing ? 'tool-change' : 'cutting',
    program: programs[state.programIndex] ?? programs[0],
    part_progress: clamp(100 * (1 - state.partLeftMs / partMs), 0, 100),
    parts: state.parts,
    air_pressure: state.airBar,
    active_power: state.kW,
    energy: state.kWh,
  }),
})

function mill(next: State, dtMs: number, random: () => number): void {
  next.partLeftMs -= dtMs
  next.toolLeftMs -= dtMs
  if (next.partLeftMs <= 0) {
    next.partLeftMs += partMs
    next.parts += 1
    // A batch ends now and then: then another program, and another part to clamp.
    if (random() < 0.25) {
      next.programIndex = Math.floor(random() * programs.length)
      next.setUpLeftMs = setUpMs * (0.7 + 0.6 * random())
    }
  }
  if (next.toolLeftMs > 0) return
  next.changing = !next.changing
  if (next.changing) next.toolLeftMs = 8_000
  else {
    next.toolIndex = (next.toolIndex + 1 + Math.floor(random() * 2)) % tools.length
    next.toolLeftMs = (120 + 180 * random()) * 1000
  }
}
