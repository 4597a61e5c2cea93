import { above, approach, clamp, noise } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

type Operation = 'load' | 'rough' | 'finish' | 'thread' | 'part-off'

const operations: readonly { operation: Operation; ms: number; rpm: number; load: number; feed: number }[] = [
  { operation: 'load', ms: 16_000, rpm: 0, load: 0, feed: 0 },
  { operation: 'rough', ms: 52_000, rpm: 1_450, load: 58, feed: 320 },
  { operation: 'finish', ms: 38_000, rpm: 2_600, load: 31, feed: 210 },
  { operation: 'thread', ms: 24_000, rpm: 800, load: 42, feed: 800 },
  { operation: 'part-off', ms: 14_000, rpm: 1_100, load: 47, feed: 70 },
]
const loading = operations[0] as (typeof operations)[number]
const partMs = operations.reduce((sum, entry) => sum + entry.ms, 0)

interface State {
  index: number
  leftMs: number
  rpm: number
  load: number
  /** The highest load of late: a part's idle strokes must not clear the alarm. */
  peakLoad: number
  feed: number
  bearingC: number
  coolantPercent: number
  toolPercent: number
  parts: number
  override: number
}

/** A bar-fed lathe turning shafts. Tools wear and are changed; now and then an insert wears fast. */
export const cncLathe = defineTrade<State>({
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
    lat: 31.3846,
    lng: 120.9807,
    address: { cn: '江苏省昆山市精密一厂', en: 'Precision plant 1, Kunshan' },
  },
  tags: [
    float('Spindle', 'spindle_load', '主轴负载', 'Spindle load', '%', [0, 120], {
      deadband: 0.1,
      keyTag: true,
    }),
    int('Spindle', 'spindle_speed', '主轴转速', 'Spindle speed', 'rpm', [0, 3000], { deadband: 2 }),
    float('Spindle', 'bearing_temp', '主轴轴承温度', 'Bearing temp.', '°C', [15, 80], { deadband: 0.1 }),
    float('Axes', 'feed_rate', '进给速度', 'Feed rate', 'mm/min', [0, 1000], { scale: 0, deadband: 1 }),
    int('Axes', 'feed_override', '进给倍率', 'Feed override', '%', [50, 120], { writable: true }),
    text('Program', 'operation', '工步', 'Operation'),
    int('Program', 'parts', '零件计数', 'Parts', '', counter),
    int('Tool', 'tool_life', '刀具寿命', 'Tool life left', '%', [0, 100]),
    float('Coolant', 'coolant_level', '冷却液液位', 'Coolant level', '%', [0, 100], { deadband: 0.1 }),
    bool('Program', 'door_open', '防护门打开', 'Door open'),
  ],
  faults: [{ id: 'insert', everyMs: 13 * hourMs, lastsMs: 35 * minuteMs }],
  alarms: [
    {
      id: '410021',
      level: 'major',
      text: { cn: '主轴负载过高，检查刀片', en: 'Spindle load high: check the insert' },
      raised: (state, was) => above(was, state.peakLoad, 84, 74),
    },
    {
      id: '700114',
      level: 'info',
      text: { cn: '冷却液液位低', en: 'Coolant level low' },
      raised: (state, was) => above(was, 100 - state.coolantPercent, 78, 30),
    },
  ],
  start: (random, at) => ({
    index: 1,
    leftMs: 10_000 + random() * 40_000,
    rpm: 1_450,
    load: 55,
    peakLoad: 60,
    feed: 320,
    bearingC: 38,
    coolantPercent: 40 + random() * 55,
    toolPercent: 20 + random() * 75,
    parts: countedSince(at, 3_600_000 / partMs),
    override: 100,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, leftMs: state.leftMs - (dtMs * state.override) / 100 }
    const chipped = severityOf('insert')
    if (next.leftMs <= 0) {
      next.index = (state.index + 1) % operations.length
      const operation = operations[next.index] ?? loading
      next.leftMs += operation.ms * (1 + noise(random, 0.015))
      if (operation.operation === 'load') {
        next.parts += 1
        // 45 parts an insert; the operator changes it while the next bar is loaded.
        next.toolPercent = state.toolPercent < 4 ? 100 : clamp(state.toolPercent - 2.2 - 3 * chipped, 0, 100)
      }
    }
    const { rpm, load, feed } = operations[next.index] ?? loading
    const wear = 1 + 0.1 * (1 - next.toolPercent / 100) + 0.55 * chipped
    next.rpm = clamp(approach(state.rpm, rpm, dtMs, 1_100) + (rpm > 0 ? noise(random, 3) : 0), 0, 3_000)
    next.load = clamp(
      approach(state.load, load * wear, dtMs, 1_500) + (load > 0 ? noise(random, 0.6) : 0),
      0,
      120,
    )
    next.peakLoad = Math.max(next.load, approach(state.peakLoad, 0, dtMs, 25 * minuteMs))
    next.feed = approach(state.feed, (feed * state.override) / 100, dtMs, 1_000)
    next.bearingC = approach(state.bearingC, 26 + 0.006 * next.rpm + 0.1 * next.load, dtMs, 9 * minuteMs)
    next.coolantPercent = state.coolantPercent < 20 ? 96 : state.coolantPercent - (dtMs / hourMs) * 7
    return next
  },
  read: (state) => ({
    spindle_load: state.load,
    spindle_speed: state.rpm,
    bearing_temp: state.bearingC,
    feed_rate: clamp(state.feed, 0, 1_000),
    feed_override: state.override,
    operation: (operations[state.index] ?? loading).operation,
    parts: state.parts,
    tool_life: state.toolPercent,
    coolant_level: state.coolantPercent,
    door_open: state.index === 0 && state.rpm < 50,
  }),
  write: (state, name, value) =>
    name === 'feed_override' && typeof value === 'number' ? { ...state, override: value } : state,
})
