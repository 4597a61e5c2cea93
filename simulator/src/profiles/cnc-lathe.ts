import { above, approach, clamp, noise } from '../dynamics.ts'
import { isShift, twoShifts, workedShare } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const operations = [
  { operation: 'load', ms: 16_000, rpm: 0, load: 0, feed: 0 },
  { operation: 'rough', ms: 52_000, rpm: 1_450, load: 58, feed: 320 },
  { operation: 'finish', ms: 38_000, rpm: 2_600, load: 31, feed: 210 },
  { operation: 'thread', ms: 24_000, rpm: 800, load: 42, feed: 800 },
  { operation: 'part-off', ms: 14_000, rpm: 1_100, load: 47, feed: 70 },
] as const
const [loading] = operations
const partMs = operations.reduce((sum, entry) => sum + entry.ms, 0)
/** An insert turns this many parts. */
const partsPerInsert = 45

interface State {
  index: number
  leftMs: number
  turning: boolean
  rpm: number
  load: number
  /** The highest load of late: a part's idle strokes must not clear the alarm. */
  peakLoad: number
  feed: number
  bearingC: number
  vibration: number
  coolantPercent: number
  refilling: boolean
  toolPercent: number
  parts: number
  override: number
  kWh: number
}

const spindle = group('主轴', 'Spindle')
const axes = group('进给轴', 'Axes')
const program = group('程序', 'Program')
const tool = group('刀具', 'Tool')
const coolant = group('冷却液', 'Coolant')

/** A bar-fed lathe turning shafts in two shifts. Inserts wear and are changed; now and then a bearing runs hot. */
export const cncLathe = defineProfile<State>({
  id: 'cnc-lathe',
  machineType: 'cnc',
  model: 'CK-6150',
  firmware: '8.4.1',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '数控车床 #11', en: 'CNC lathe #11' },
  remark: { cn: '精车工位', en: 'Finishing' },
  place: {
    lat: 38.9052,
    lng: 121.8217,
    address: {
      cn: '辽宁省大连市金普新区双D港数控产业园',
      en: 'CNC park, Double-D Port, Jinpu New Area, Dalian, Liaoning, China',
    },
  },
  tags: [
    float(spindle, 'spindle_load', '主轴负载', 'Spindle load', '%', [0, 120], {
      deadband: 0.4,
      keyTag: true,
    }),
    int(spindle, 'spindle_speed', '主轴转速', 'Spindle speed', 'rpm', [0, 3000], { deadband: 4 }),
    float(spindle, 'bearing_temp', '主轴轴承温度', 'Bearing temp.', '°C', [15, 90], { deadband: 0.1 }),
    float(spindle, 'vibration', '主轴振动', 'Vibration', 'mm/s', [0, 12], { scale: 2, deadband: 0.05 }),
    float(axes, 'feed_rate', '进给速度', 'Feed rate', 'mm/min', [0, 1000], { scale: 0, deadband: 4 }),
    int(axes, 'feed_override', '进给倍率', 'Feed override', '%', [50, 120], { writable: true }),
    text(program, 'operation', '工步', 'Operation', {
      load: ['上料', 'Load'],
      rough: ['粗车', 'Rough'],
      finish: ['精车', 'Finish'],
      thread: ['车螺纹', 'Thread'],
      'part-off': ['切断', 'Part off'],
      idle: ['停机', 'Idle'],
    }),
    int(program, 'parts', '零件计数', 'Parts', '', counter),
    bool(program, 'door_open', '防护门打开', 'Door open'),
    int(tool, 'tool_life', '刀具寿命', 'Tool life left', '%', [0, 100]),
    float(coolant, 'coolant_level', '冷却液液位', 'Coolant level', '%', [0, 100], { deadband: 0.2 }),
    int(program, 'energy', '累计电量', 'Energy', 'kWh', counter),
  ],
  faults: [{ id: 'bearing', everyMs: 57 * hourMs, developsMs: 10 * hourMs, standsMs: 40 * minuteMs }],
  alarms: [
    {
      id: '410021',
      level: 'major',
      text: { cn: '主轴轴承温度高', en: 'Spindle bearing temperature high' },
      raised: (state, was) => above(was, state.bearingC, 61, 52),
    },
    {
      id: '410034',
      level: 'minor',
      text: { cn: '主轴负载偏高', en: 'Spindle load above normal' },
      raised: (state, was) => above(was, state.peakLoad, 79, 71),
    },
    {
      id: '700114',
      level: 'info',
      text: { cn: '冷却液液位低', en: 'Coolant level low' },
      raised: (state, was) => above(was, 100 - state.coolantPercent, 84.5, 50),
    },
  ],
  start: (random, at) => ({
    index: 1,
    leftMs: 10_000 + random() * 40_000,
    turning: true,
    rpm: 1_450,
    load: 55,
    peakLoad: 60,
    feed: 320,
    bearingC: 40,
    vibration: 1.1,
    coolantPercent: 40 + random() * 55,
    refilling: false,
    toolPercent: 20 + random() * 75,
    parts: countedSince(at, (hourMs / partMs) * workedShare(twoShifts)),
    override: 100,
    kWh: countedSince(at, 11 * workedShare(twoShifts)),
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state }
    // A bar in the spindle is finished first.
    next.turning = isShift(twoShifts, now) || (state.turning && state.index !== 0)
    if (next.turning) turn(next, dtMs, random)
    const { rpm, load, feed } = next.turning ? (operations[next.index] ?? loading) : loading
    const hot = now.severityOf('bearing')
    const wear = 1 + 0.12 * (1 - next.toolPercent / 100) + 0.22 * hot
    next.rpm = clamp(approach(state.rpm, rpm, dtMs, 1_100) + (rpm > 0 ? noise(random, 3) : 0), 0, 3_000)
    next.load = clamp(
      approach(state.load, load * wear, dtMs, 1_500) + (load > 0 ? noise(random, 0.6) : 0),
      0,
      120,
    )
    next.peakLoad = Math.max(next.load, approach(state.peakLoad, 0, dtMs, 40 * minuteMs))
    next.feed = clamp(approach(state.feed, (feed * state.override) / 100, dtMs, 1_000), 0, 1_000)
    const warmC = 24 + 0.006 * next.rpm + 0.1 * next.load + (next.turning ? 27 * hot : 0)
    next.bearingC = clamp(approach(state.bearingC, warmC, dtMs, 18 * minuteMs) + noise(random, 0.02), 15, 90)
    const shakes = 0.25 + next.rpm / 1_800 + 2.4 * hot * (next.rpm / 1_450)
    next.vibration = clamp(approach(state.vibration, shakes, dtMs, 1_500) + noise(random, 0.02), 0, 12)
    next.refilling = state.refilling ? state.coolantPercent < 95 : state.coolantPercent < 15
    const coolantPerH = next.refilling ? 400 : next.turning ? -2.6 : -0.1
    next.coolantPercent = clamp(state.coolantPercent + (coolantPerH * dtMs) / hourMs, 0, 100)
    next.kWh += ((1.2 + 0.18 * next.load) * dtMs) / hourMs
    return next
  },
  read: (state) => ({
    spindle_load: state.load,
    spindle_speed: state.rpm,
    bearing_temp: state.bearingC,
    vibration: state.vibration,
    feed_rate: state.feed,
    feed_override: state.override,
    operation: state.turning ? (operations[state.index] ?? loading).operation : 'idle',
    parts: state.parts,
    door_open: state.turning && state.index === 0 && state.rpm < 50,
    tool_life: state.toolPercent,
    coolant_level: state.coolantPercent,
    energy: state.kWh,
  }),
  write: (state, name, value) =>
    name === 'feed_override' && typeof value === 'number' ? { ...state, override: value } : state,
})

function turn(next: State, dtMs: number, random: () => number): void {
  next.leftMs -= (dtMs * next.override) / 100
  while (next.leftMs <= 0) {
    next.index = (next.index + 1) % operations.length
    const operation = operations[next.index] ?? loading
    next.leftMs += operation.ms * (1 + noise(random, 0.015))
    if (operation.operation !== 'load') continue
    next.parts += 1
    // The operator changes the insert while the next bar is loaded.
    next.toolPercent = next.toolPercent < 4 ? 100 : clamp(next.toolPercent - 100 / partsPerInsert, 0, 100)
  }
}
