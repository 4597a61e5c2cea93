import { above, approach, clamp, hysteresis, noise } from '../dynamics.ts'
import { warmth, weather } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

interface State {
  boxC: number
  setC: number
  outsideC: number
  running: boolean
  dieselPercent: number
  runMs: number
}

const box = group('货厢', 'Box')
const unit = group('机组', 'Unit')

/** The refrigeration unit of a lorry between Kunshan and Shanghai. Its condenser collects the dust of the road. */
export const reeferTruck = defineProfile<State>({
  id: 'reefer-truck',
  machineType: 'chiller',
  model: 'RT-12',
  firmware: '1.2.4',
  network: { kind: '4G', signalDbm: -84 },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '冷藏车 05', en: 'Reefer truck 05' },
  remark: { cn: '昆山—上海', en: 'G2' },
  place: {
    lat: 31.347,
    lng: 120.99,
    address: {
      cn: '江苏省昆山市京沪高速沿线冷链车队',
      en: 'Cold-chain fleet on the G2 expressway, Kunshan, Jiangsu, China',
    },
    source: 'gps',
    travels: true,
  },
  drive: 'kunshan-shanghai',
  tags: [
    float(box, 'box_temp', '厢内温度', 'Box temp.', '°C', [-35, 40], { deadband: 0.1, keyTag: true }),
    float(box, 'box_temp_sp', '温度设定', 'Box set-point', '°C', [-25, 5], { writable: true }),
    float(box, 'outside_temp', '车外温度', 'Outside temp.', '°C', [-20, 50], { deadband: 0.2 }),
    bool(unit, 'running', '运行', 'Running'),
    text(unit, 'mode', '模式', 'Mode', { cool: ['制冷', 'Cooling'], hold: ['保温', 'Holding'] }),
    int(unit, 'diesel', '油箱液位', 'Diesel', '%', [0, 100]),
    int(unit, 'run_hours', '运行小时', 'Run hours', 'h', counter),
  ],
  faults: [{ id: 'condenser', everyMs: 57 * hourMs, developsMs: 6 * hourMs, standsMs: 50 * minuteMs }],
  alarms: [
    {
      id: 'T-HI',
      level: 'critical',
      text: { cn: '厢内温度高', en: 'Box temperature high' },
      raised: (state, was) => above(was, state.boxC - state.setC, 5, 3),
    },
  ],
  start: (random, at) => ({
    boxC: -18.2,
    setC: -18,
    outsideC: 18,
    running: true,
    dieselPercent: 35 + random() * 60,
    runMs: countedSince(at, 0.55) * hourMs,
  }),
  step(state, dtMs, now) {
    const next = { ...state }
    next.outsideC = approach(
      state.outsideC,
      17 + 4 * warmth(now.hour) + 3 * weather(now.at),
      dtMs,
      30 * minuteMs,
    )
    next.running = !hysteresis(!state.running, state.boxC, state.setC - 0.8, state.setC + 0.6)
    const coldC = next.running ? -32 + 26 * now.severityOf('condenser') : next.outsideC
    const tauMs = next.running ? 40 * minuteMs : 11 * hourMs
    next.boxC = clamp(approach(state.boxC, coldC, dtMs, tauMs) + noise(now.random, 0.01), -34, 39)
    // A full tank is enough for three days; the driver fills it in time.
    const used = next.running ? (dtMs / (72 * hourMs)) * 100 : 0
    next.dieselPercent = state.dieselPercent < 12 ? 98 : state.dieselPercent - used
    if (next.running) next.runMs += dtMs
    return next
  },
  read: (state) => ({
    box_temp: state.boxC,
    box_temp_sp: state.setC,
    outside_temp: state.outsideC,
    running: state.running,
    mode: state.running ? 'cool' : 'hold',
    diesel: clamp(state.dieselPercent, 0, 100),
    run_hours: state.runMs / hourMs,
  }),
  write: (state, name, value) =>
    name === 'box_temp_sp' && typeof value === 'number' ? { ...state, setC: value } : state,
})
