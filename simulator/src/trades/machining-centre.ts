import { above, approach, clamp, noise } from '../dynamics.ts'
import { counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

const programs = ['O1042 impeller', 'O1043 blisk', 'O2210 housing'] as const
const tools = [
  { tool: 4, rpm: 9_500, load: 62, feed: 3_800 },
  { tool: 11, rpm: 14_000, load: 38, feed: 5_200 },
  { tool: 7, rpm: 6_200, load: 74, feed: 1_900 },
  { tool: 19, rpm: 17_500, load: 24, feed: 6_400 },
] as const
const firstTool = tools[0]
const partMs = 46 * minuteMs

interface State {
  programIndex: number
  toolIndex: number
  toolLeftMs: number
  changing: boolean
  partLeftMs: number
  parts: number
  rpm: number
  load: number
  feed: number
  headC: number
  vibration: number
  /** Mean over minutes, as the monitor watches it: a tool change must not clear the alarm. */
  meanVibration: number
  airBar: number
  tableDeg: number
}

/** A 5-axis centre milling impellers: 46 minutes a part, a tool change every few minutes. */
export const machiningCentre = defineTrade<State>({
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
    lat: 31.3871,
    lng: 120.9742,
    address: { cn: '江苏省昆山市精密一厂', en: 'Precision plant 1, Kunshan' },
  },
  tags: [
    float('Spindle', 'spindle_load', '主轴负载', 'Spindle load', '%', [0, 120], {
      deadband: 0.8,
      keyTag: true,
    }),
    int('Spindle', 'spindle_speed', '主轴转速', 'Spindle speed', 'rpm', [0, 20_000], { deadband: 60 }),
    float('Spindle', 'head_temp', '主轴头温度', 'Head temp.', '°C', [15, 75], { deadband: 0.1 }),
    float('Spindle', 'vibration', '振动速度', 'Vibration', 'mm/s', [0, 12], { scale: 2, deadband: 0.06 }),
    int('Axes', 'feed_rate', '进给速度', 'Feed rate', 'mm/min', [0, 8_000], { deadband: 80 }),
    float('Axes', 'table_angle', 'C 轴角度', 'C axis', '°', [0, 360], { deadband: 3 }),
    int('Tool', 'tool', '当前刀号', 'Tool', '', [1, 24]),
    text('Program', 'program', '程序', 'Program'),
    int('Program', 'part_progress', '零件进度', 'Part progress', '%', [0, 100]),
    int('Program', 'parts', '零件计数', 'Parts', '', counter),
    float('Utilities', 'air_pressure', '气源压力', 'Air pressure', 'bar', [0, 8], {
      scale: 2,
      deadband: 0.03,
    }),
  ],
  faults: [
    { id: 'imbalance', everyMs: 12 * hourMs, lastsMs: 40 * minuteMs },
    { id: 'air', everyMs: 22 * hourMs, lastsMs: 20 * minuteMs },
  ],
  alarms: [
    {
      id: 'SP9073',
      level: 'critical',
      text: { cn: '主轴振动超限', en: 'Spindle vibration above limit' },
      raised: (state, was) => above(was, state.meanVibration, 5, 3),
    },
    {
      id: 'EX1008',
      level: 'minor',
      text: { cn: '气源压力低', en: 'Air supply pressure low' },
      raised: (state, was) => above(was, 6.2 - state.airBar, 1, 0.4),
    },
  ],
  start: (random, at) => ({
    programIndex: Math.floor(random() * programs.length),
    toolIndex: 0,
    toolLeftMs: 60_000 + random() * 120_000,
    changing: false,
    partLeftMs: partMs * (0.2 + 0.7 * random()),
    parts: countedSince(at, 1.25),
    rpm: 9_500,
    load: 60,
    feed: 3_800,
    headC: 41,
    vibration: 1.3,
    meanVibration: 1.3,
    airBar: 6.2,
    tableDeg: random() * 360,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, toolLeftMs: state.toolLeftMs - dtMs, partLeftMs: state.partLeftMs - dtMs }
    if (next.partLeftMs <= 0) {
      next.partLeftMs += partMs
      next.parts += 1
      // A batch ends now and then, and the next part is another one.
      if (random() < 0.25) next.programIndex = Math.floor(random() * programs.length)
    }
    if (next.toolLeftMs <= 0) {
      next.changing = !state.changing
      if (next.changing) next.toolLeftMs = 8_000
      else {
        next.toolIndex = (state.toolIndex + 1 + Math.floor(random() * 2)) % tools.length
        next.toolLeftMs = (120 + 180 * random()) * 1000
      }
    }
    const tool = tools[next.toolIndex] ?? firstTool
    const cutting = !next.changing
    const bent = severityOf('imbalance')
    next.rpm = clamp(
      approach(state.rpm, cutting ? tool.rpm : 0, dtMs, 1_800) + noise(random, cutting ? 9 : 0),
      0,
      20_000,
    )
    const load = tool.load * (1 + 0.18 * Math.sin(next.partLeftMs / 21_000)) * (1 + 0.2 * bent)
    next.load = clamp(
      approach(state.load, cutting ? load : 0, dtMs, 2_000) + noise(random, cutting ? 0.7 : 0),
      0,
      120,
    )
    next.feed = clamp(
      approach(state.feed, cutting ? tool.feed : 0, dtMs, 2_000) + noise(random, cutting ? 18 : 0),
      0,
      8_000,
    )
    next.headC = approach(state.headC, 30 + next.rpm / 1_100 + 8 * bent, dtMs, 12 * minuteMs)
    next.vibration = clamp(
      approach(state.vibration, (next.rpm / 8_000) * (1 + 6.5 * bent), dtMs, 5_000) + noise(random, 0.035),
      0,
      12,
    )
    next.meanVibration = approach(state.meanVibration, next.vibration, dtMs, 90_000)
    next.airBar = clamp(
      approach(state.airBar, 6.2 - 1.6 * severityOf('air'), dtMs, 60_000) + noise(random, 0.01),
      0,
      8,
    )
    next.tableDeg = cutting
      ? (state.tableDeg + next.feed * dtMs * 1.1e-6 * (1 + random())) % 360
      : state.tableDeg
    return next
  },
  read: (state) => ({
    spindle_load: state.load,
    spindle_speed: state.rpm,
    head_temp: state.headC,
    vibration: state.vibration,
    feed_rate: state.feed,
    table_angle: state.tableDeg,
    tool: (tools[state.toolIndex] ?? firstTool).tool,
    program: programs[state.programIndex] ?? programs[0],
    part_progress: 100 * (1 - state.partLeftMs / partMs),
    parts: state.parts,
    air_pressure: state.airBar,
  }),
})
