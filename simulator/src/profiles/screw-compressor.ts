import { above, approach, clamp, hysteresis, noise, wander } from '../dynamics.ts'
import { isShift, threeShifts, twoShifts, warmth, weather } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

interface State {
  netBar: number
  setBar: number
  loaded: boolean
  unloadedMs: number
  running: boolean
  demand: number
  roomC: number
  dischargeC: number
  dewC: number
  filterMbar: number
  amps: number
  runMs: number
  kWh: number
}

const air = group('压缩空气', 'Air')
const screw = group('螺杆', 'Screw')
const motor = group('电机', 'Motor')
const service = group('保养', 'Service')

/** A 75 kW oil-flooded screw with load/unload control and a receiver. Dust blocks its cooler, oil its separator. */
export const screwCompressor = defineProfile<State>({
  id: 'screw-compressor',
  machineType: 'compressor',
  model: 'LG-75A',
  firmware: '3.31',
  network: { kind: 'WiFi', signalDbm: -61 },
  speaks: 'sparkplug',
  presence: 'rough',
  name: { cn: '螺杆空压机 B', en: 'Screw compressor B' },
  remark: { cn: '空压站', en: 'Air room' },
  place: {
    lat: 31.3498,
    lng: 120.9921,
    address: {
      cn: '江苏省昆山市经济技术开发区前进东路 399 号空压站',
      en: 'Air station, 399 Qianjin East Road, Kunshan Economic Zone, Jiangsu, China',
    },
  },
  tags: [
    float(air, 'discharge_pressure', '排气压力', 'Discharge pressure', 'bar', [0, 10], {
      scale: 2,
      deadband: 0.02,
      keyTag: true,
    }),
    float(air, 'pressure_sp', '压力设定', 'Pressure set-point', 'bar', [6, 8], { scale: 1, writable: true }),
    float(air, 'air_use', '用气量', 'Air use', 'm³/min', [0, 14], { deadband: 0.1 }),
    float(air, 'dew_point', '压力露点', 'Dew point', '°C', [-10, 25], { deadband: 0.1 }),
    bool(screw, 'running', '运行', 'Running'),
    bool(screw, 'loaded', '加载', 'Loaded'),
    float(screw, 'discharge_temp', '排气温度', 'Discharge temp.', '°C', [10, 120], { deadband: 0.2 }),
    float(screw, 'room_temp', '机房温度', 'Room temp.', '°C', [-10, 50], { deadband: 0.1 }),
    text(screw, 'mode', '模式', 'Mode', {
      load: ['加载', 'Load'],
      idle: ['空载', 'Idle'],
      standby: ['待机', 'Standby'],
    }),
    float(motor, 'motor_current', '电机电流', 'Motor current', 'A', [0, 170], { deadband: 1 }),
    int(motor, 'energy', '累计电量', 'Energy', 'kWh', counter),
    float(service, 'filter_dp', '油分压差', 'Separator Δp', 'mbar', [0, 900], { scale: 0, deadband: 2 }),
    int(service, 'run_hours', '运行小时', 'Run hours', 'h', counter),
  ],
  faults: [
    { id: 'cooler', everyMs: 49 * hourMs, developsMs: 10 * hourMs, standsMs: 35 * minuteMs },
    { id: 'separator', everyMs: 96 * hourMs, developsMs: 30 * hourMs, standsMs: 90 * minuteMs },
  ],
  alarms: [
    {
      id: 'A-0017',
      level: 'major',
      text: { cn: '排气温度高', en: 'Discharge temperature high' },
      raised: (state, was) => above(was, state.dischargeC, 103, 95),
    },
    {
      id: 'A-0031',
      level: 'info',
      text: { cn: '油分压差偏大，安排保养', en: 'Separator Δp rising: plan a service' },
      raised: (state, was) => above(was, state.filterMbar, 600, 400),
    },
  ],
  start: (random, at) => ({
    netBar: 7.2,
    setBar: 7.3,
    loaded: true,
    unloadedMs: 0,
    running: true,
    demand: 0.62,
    roomC: 26,
    dischargeC: 83,
    dewC: 4,
    filterMbar: 230,
    amps: 138,
    runMs: countedSince(at, 0.8) * hourMs + random() * hourMs,
    kWh: countedSince(at, 44),
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state }
    // The shifts determine the demand for air; on a Sunday only the leaks need it.
    const wanted = isShift(twoShifts, now) ? 0.66 : isShift(threeShifts, now) ? 0.38 : 0.13
    next.demand = clamp(wander(state.demand, wanted, 0.09, dtMs, 6 * minuteMs, random), 0.05, 0.97)
    next.loaded = hysteresis(state.loaded, state.netBar, state.setBar - 0.3, state.setBar + 0.3)
    next.unloadedMs = next.loaded ? 0 : state.unloadedMs + dtMs
    // Idling for two minutes costs more than a start: the controller stops the motor.
    next.running = next.loaded || next.unloadedMs < 2 * minuteMs
    const makes = next.loaded ? 1 : 0
    next.netBar = clamp(state.netBar + ((makes - next.demand) * dtMs) / 90_000, 0.5, 9.5)
    const blocked = now.severityOf('cooler')
    next.roomC = approach(state.roomC, 24 + 5 * warmth(now.hour) + 3 * weather(now.at), dtMs, 40 * minuteMs)
    const heatC = (next.loaded ? 60 : 51) + 25 * blocked
    next.dischargeC = clamp(
      approach(state.dischargeC, next.roomC + (next.running ? heatC : 8), dtMs, 4 * minuteMs) +
        noise(random, 0.05),
      10,
      118,
    )
    next.dewC = clamp(
      wander(state.dewC, 4 + 7 * blocked + 0.15 * (next.roomC - 24), 0.4, dtMs, 6 * minuteMs, random),
      -10,
      25,
    )
    const amps = next.loaded ? 118 + 3.2 * next.netBar : 58
    next.amps = next.running
      ? clamp(approach(state.amps, amps, dtMs, 1_800) + noise(random, 0.4), 0, 168)
      : approach(state.amps, 0, dtMs, 400)
    next.filterMbar = clamp(
      approach(state.filterMbar, 230 + 430 * now.severityOf('separator'), dtMs, 2 * minuteMs) +
        noise(random, 0.4),
      0,
      900,
    )
    if (next.running) next.runMs += dtMs
    // Three phases of 400 V at cos φ 0.87.
    next.kWh += (next.amps * 0.603 * dtMs) / hourMs
    return next
  },
  read: (state) => ({
    discharge_pressure: clamp(state.netBar, 0, 10),
    pressure_sp: state.setBar,
    air_use: 13.2 * state.demand,
    dew_point: state.dewC,
    running: state.running,
    loaded: state.loaded,
    discharge_temp: state.dischargeC,
    room_temp: state.roomC,
    mode: state.running ? (state.loaded ? 'load' : 'idle') : 'standby',
    motor_current: state.amps,
    energy: state.kWh,
    filter_dp: state.filterMbar,
    run_hours: state.runMs / hourMs,
  }),
  write: (state, name, value) =>
    name === 'pressure_sp' && typeof value === 'number' ? { ...state, setBar: value } : state,
})
