import { above, approach, clamp, noise, wander } from '../dynamics.ts'
import { isShift, type Shift, warmth, weather } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

/** Boats come alongside by day: hatches stand open and warm catches are brought in. */
const loading: readonly Shift[] = [
  { days: [0, 1, 2, 3, 4, 5], from: 6, to: 11 },
  { days: [0, 1, 2, 3, 4], from: 13.5, to: 19 },
]
const defrostEveryMs = 6 * hourMs

interface State {
  coldRoomC: number
  coldRoomSetC: number
  loadKW: number
  ambientC: number
  running: boolean
  runningForMs: number
  defrostLeftMs: number
  untilDefrostMs: number
  slidePercent: number
  evaporatingC: number
  dischargeBar: number
  oilBar: number
  kW: number
  kWh: number
  runMs: number
  iceOnCoil: number
}

/** Pressure of saturated ammonia in bar absolute, good to 2 % from -40 to 40 °C. */
function ammoniaBar(celsius: number): number {
  return 4.294 * Math.exp((2760 * celsius) / (273.15 * (celsius + 273.15)))
}

const store = group('冷库', 'Cold store')
const compressor = group('压缩机', 'Compressor')

/** A screw chiller on R717 that holds the cold store of a factory ship at -22 °C. Scale grows in its condenser, dirt in its oil filter. */
export const ammoniaChiller = defineProfile<State>({
  id: 'ammonia-chiller',
  machineType: 'chiller',
  model: 'NH-220',
  firmware: '2.7.0',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '氨制冷机组 2#', en: 'Ammonia chiller 2' },
  remark: { cn: '机房', en: 'Plant room' },
  place: {
    lat: 34.6128,
    lng: 123.4471,
    address: {
      cn: '黄海中部，冷冻加工船“鲁海 7 号”',
      en: 'Factory ship “Luhai 7”, Yellow Sea',
    },
    source: 'gps',
    travels: true,
  },
  tags: [
    float(store, 'evaporating_temp', '蒸发温度', 'Evaporating temp.', '°C', [-45, 5], {
      deadband: 0.1,
      keyTag: true,
    }),
    float(store, 'room_temp', '库温', 'Room temp.', '°C', [-32, 5], { deadband: 0.1 }),
    float(store, 'room_temp_sp', '库温设定', 'Room set-point', '°C', [-28, -15], { writable: true }),
    float(store, 'heat_load', '热负荷', 'Heat load', 'kW', [0, 400], { scale: 0, deadband: 2 }),
    float(compressor, 'suction_pressure', '吸气压力', 'Suction pressure', 'bar', [0, 6], {
      scale: 2,
      deadband: 0.01,
    }),
    float(compressor, 'discharge_pressure', '排气压力', 'Discharge pressure', 'bar', [4, 22], {
      scale: 2,
      deadband: 0.02,
    }),
    float(compressor, 'oil_pressure', '油压', 'Oil pressure', 'bar', [0, 8], { scale: 2, deadband: 0.02 }),
    int(compressor, 'slide_valve', '滑阀位置', 'Slide valve', '%', [0, 100]),
    bool(compressor, 'running', '压缩机运行', 'Compressor on'),
    text(compressor, 'mode', '模式', 'Mode', {
      cooling: ['制冷', 'Cooling'],
      defrost: ['融霜', 'Defrost'],
      standby: ['待机', 'Standby'],
    }),
    float(compressor, 'motor_power', '电机功率', 'Motor power', 'kW', [0, 260], { deadband: 0.5 }),
    int(compressor, 'energy', '累计电量', 'Energy', 'kWh', counter),
    int(compressor, 'run_hours', '运行小时', 'Run hours', 'h', counter),
  ],
  faults: [
    { id: 'condenser', everyMs: 62 * hourMs, developsMs: 12 * hourMs, standsMs: 40 * minuteMs },
    { id: 'oil', everyMs: 83 * hourMs, developsMs: 6 * hourMs, standsMs: 25 * minuteMs },
  ],
  alarms: [
    {
      id: 'HP-AL',
      level: 'major',
      text: { cn: '排气压力高', en: 'Discharge pressure high' },
      raised: (state, was) => above(was, state.dischargeBar, 16.2, 14.2),
    },
    {
      id: 'OIL-DP',
      level: 'minor',
      text: { cn: '油压差偏低', en: 'Oil differential pressure low' },
      // Oil needs a while to build up after a start.
      raised: (state, was) => state.runningForMs > 2 * minuteMs && above(was, 3.4 - state.oilBar, 1.1, 0.5),
    },
  ],
  start: (random, at) => ({
    coldRoomC: -21.8,
    coldRoomSetC: -22,
    loadKW: 150,
    ambientC: 20,
    running: true,
    runningForMs: hourMs,
    defrostLeftMs: 0,
    untilDefrostMs: (0.3 + 0.7 * random()) * defrostEveryMs,
    slidePercent: 72,
    evaporatingC: -29,
    dischargeBar: 12.4,
    oilBar: 3.4,
    kW: 122,
    kWh: countedSince(at, 118),
    runMs: countedSince(at, 0.93) * hourMs,
    iceOnCoil: random() * 0.5,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state }
    next.untilDefrostMs -= dtMs
    next.defrostLeftMs = Math.max(0, state.defrostLeftMs - dtMs)
    if (next.untilDefrostMs <= 0) {
      next.untilDefrostMs = defrostEveryMs * (0.95 + 0.1 * random())
      next.defrostLeftMs = 16 * minuteMs
    }
    const defrosting = next.defrostLeftMs > 0
    next.iceOnCoil = clamp(
      state.iceOnCoil + (defrosting ? -dtMs / (14 * minuteMs) : dtMs / defrostEveryMs),
      0,
      1,
    )
    next.ambientC = 18 + 6 * warmth(now.hour) + 4 * weather(now.at)
    const doors = isShift(loading, now) ? 85 : 0
    next.loadKW = clamp(
      wander(state.loadKW, 105 + doors + 2 * (next.ambientC - 18), 16, dtMs, 20 * minuteMs, random),
      0,
      400,
    )
    const error = state.coldRoomC - state.coldRoomSetC
    if (defrosting || error < -1) next.running = false
    else if (error > -0.2) next.running = true
    const slideTarget = next.running ? clamp(52 + 60 * error, 25, 100) : 0
    next.slidePercent = approach(state.slidePercent, slideTarget, dtMs, next.running ? 60_000 : 8_000)
    const share = next.slidePercent / 100
    // 320 kW of cold at full slide; 1 K of the store holds 65 kWh.
    const coldKW = next.running ? 320 * share * (1 - 0.15 * next.iceOnCoil) : 0
    next.coldRoomC = clamp(state.coldRoomC + ((next.loadKW - coldKW) * dtMs) / hourMs / 65, -32, 5)
    const coilC = next.running ? next.coldRoomC - 4 - 5 * share - 2.5 * next.iceOnCoil : next.coldRoomC - 1
    next.evaporatingC = clamp(
      approach(state.evaporatingC, defrosting ? -4 : coilC, dtMs, 90_000) + noise(random, 0.05),
      -45,
      5,
    )
    const fouled = now.severityOf('condenser')
    const condensingBar = 8.9 + 2.2 * share + 0.1 * (next.ambientC - 18) + 7.4 * fouled
    next.dischargeBar = clamp(
      approach(state.dischargeBar, next.running ? condensingBar : 8.6, dtMs, 60_000) + noise(random, 0.025),
      4,
      22,
    )
    next.oilBar = clamp(
      approach(state.oilBar, next.running ? 3.4 - 1.5 * now.severityOf('oil') : 0.2, dtMs, 12_000) +
        noise(random, 0.012),
      0,
      8,
    )
    const motorKW = next.running ? 42 + 118 * share + 5.5 * (next.dischargeBar - 10) : 0
    next.kW = clamp(
      approach(state.kW, motorKW, dtMs, next.running ? 9_000 : 700) + (next.running ? noise(random, 0.6) : 0),
      0,
      260,
    )
    next.kWh += (next.kW * dtMs) / hourMs
    next.runningForMs = next.running ? state.runningForMs + dtMs : 0
    if (next.running) next.runMs += dtMs
    return next
  },
  read: (state) => ({
    evaporating_temp: state.evaporatingC,
    room_temp: state.coldRoomC,
    room_temp_sp: state.coldRoomSetC,
    heat_load: state.loadKW,
    suction_pressure: clamp(ammoniaBar(state.evaporatingC), 0, 6),
    discharge_pressure: state.dischargeBar,
    oil_pressure: state.oilBar,
    slide_valve: state.slidePercent,
    running: state.running,
    mode: state.defrostLeftMs > 0 ? 'defrost' : state.running ? 'cooling' : 'standby',
    motor_power: state.kW,
    energy: state.kWh,
    run_hours: state.runMs / hourMs,
  }),
  write: (state, name, value) =>
    name === 'room_temp_sp' && typeof value === 'number' ? { ...state, coldRoomSetC: value } : state,
})
