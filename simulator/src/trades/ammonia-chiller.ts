import { above, approach, clamp, noise, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

interface State {
  coldRoomC: number
  coldRoomSetC: number
  loadC: number
  running: boolean
  defrostLeftMs: number
  untilDefrostMs: number
  slidePercent: number
  evaporatingC: number
  dischargeBar: number
  oilBar: number
  kW: number
  runMs: number
  iceOnCoil: number
}

/** Pressure of saturated ammonia in bar absolute, good to 2 % from -40 to 40 °C. */
function ammoniaBar(celsius: number): number {
  return 4.294 * Math.exp((2760 * celsius) / (273.15 * (celsius + 273.15)))
}

/** A screw chiller on R717 that holds a cold store at -22 °C and defrosts every three hours. */
export const ammoniaChiller = defineTrade<State>({
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
    lat: 36.0671,
    lng: 120.3826,
    address: { cn: '山东省青岛市冷链园区', en: 'Cold-chain park, Qingdao' },
  },
  tags: [
    float('Cold store', 'evaporating_temp', '蒸发温度', 'Evaporating temp.', '°C', [-45, 5], {
      deadband: 0.1,
      keyTag: true,
    }),
    float('Cold store', 'room_temp', '库温', 'Room temp.', '°C', [-32, 5], { deadband: 0.1 }),
    float('Cold store', 'room_temp_sp', '库温设定', 'Room set-point', '°C', [-28, -15], { writable: true }),
    float('Compressor', 'suction_pressure', '吸气压力', 'Suction pressure', 'bar', [0, 6], {
      scale: 2,
      deadband: 0.01,
    }),
    float('Compressor', 'discharge_pressure', '排气压力', 'Discharge pressure', 'bar', [4, 22], {
      scale: 2,
      deadband: 0.02,
    }),
    float('Compressor', 'oil_pressure', '油压', 'Oil pressure', 'bar', [0, 8], { scale: 2, deadband: 0.01 }),
    int('Compressor', 'slide_valve', '滑阀位置', 'Slide valve', '%', [0, 100]),
    bool('Compressor', 'running', '压缩机运行', 'Compressor on'),
    text('Compressor', 'mode', '模式', 'Mode'),
    float('Compressor', 'motor_power', '电机功率', 'Motor power', 'kW', [0, 260], { deadband: 0.5 }),
    int('Compressor', 'run_hours', '运行小时', 'Run hours', 'h', counter),
  ],
  faults: [
    { id: 'condenser', everyMs: 15.5 * hourMs, lastsMs: 50 * minuteMs },
    { id: 'oil', everyMs: 22 * hourMs, lastsMs: 30 * minuteMs },
  ],
  alarms: [
    {
      id: 'HP-AL',
      level: 'major',
      text: { cn: '排气压力高', en: 'Discharge pressure high' },
      raised: (state, was) => above(was, state.dischargeBar, 16.2, 14.8),
    },
    {
      id: 'OIL-DP',
      level: 'minor',
      text: { cn: '油压差偏低', en: 'Oil differential pressure low' },
      raised: (state, was) => state.running && above(was, 3.4 - state.oilBar, 0.9, 0.5),
    },
  ],
  start: (random, at) => ({
    coldRoomC: -21.8,
    coldRoomSetC: -22,
    loadC: 0,
    running: true,
    defrostLeftMs: 0,
    untilDefrostMs: (0.3 + 0.7 * random()) * 3 * hourMs,
    slidePercent: 72,
    evaporatingC: -29,
    dischargeBar: 12.4,
    oilBar: 3.4,
    kW: 162,
    runMs: countedSince(at, 0.82) * hourMs,
    iceOnCoil: random() * 0.5,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state }
    next.untilDefrostMs -= dtMs
    next.defrostLeftMs = Math.max(0, state.defrostLeftMs - dtMs)
    if (next.untilDefrostMs <= 0) {
      next.untilDefrostMs = 3 * hourMs * (0.95 + 0.1 * random())
      next.defrostLeftMs = 14 * minuteMs
    }
    const defrosting = next.defrostLeftMs > 0
    next.iceOnCoil = clamp(
      state.iceOnCoil + (defrosting ? -dtMs / (12 * minuteMs) : dtMs / (3 * hourMs)),
      0,
      1,
    )
    // Pallets and open doors: the load wanders over tens of minutes.
    next.loadC = wander(state.loadC, 0, 1.2, dtMs, 20 * minuteMs, random)
    const error = state.coldRoomC - state.coldRoomSetC
    if (defrosting || error < -1.2) next.running = false
    else if (error > -0.3) next.running = true
    const slideTarget = next.running ? clamp(70 + 32 * error, 25, 100) : 0
    next.slidePercent = approach(state.slidePercent, slideTarget, dtMs, next.running ? 45_000 : 8_000)
    const cold = next.slidePercent / 100
    next.evaporatingC =
      approach(
        state.evaporatingC,
        defrosting
          ? -4
          : next.running
            ? state.coldRoomC - 5 - 5 * cold - 2.5 * next.iceOnCoil
            : state.coldRoomC - 1,
        dtMs,
        90_000,
      ) + noise(random, 0.05)
    next.coldRoomC =
      approach(
        state.coldRoomC,
        -8 + next.loadC - 19.6 * cold * (1 - 0.12 * next.iceOnCoil),
        dtMs,
        4 * hourMs,
      ) + noise(random, 0.004)
    const fouled = severityOf('condenser')
    next.dischargeBar =
      approach(state.dischargeBar, (next.running ? 10.6 + 2.4 * cold : 9) + 5.6 * fouled, dtMs, 60_000) +
      noise(random, 0.025)
    next.oilBar =
      approach(state.oilBar, next.running ? 3.4 - 1.5 * severityOf('oil') : 0.2, dtMs, 12_000) +
      noise(random, 0.012)
    next.kW = next.running ? approach(state.kW, 60 + 138 * cold + 3 * next.dischargeBar - 36, dtMs, 9_000) : 0
    if (next.running) {
      next.kW = clamp(next.kW + noise(random, 0.6), 0, 260)
      next.runMs += dtMs
    }
    return next
  },
  read: (state) => ({
    evaporating_temp: state.evaporatingC,
    room_temp: state.coldRoomC,
    room_temp_sp: state.coldRoomSetC,
    suction_pressure: ammoniaBar(state.evaporatingC),
    discharge_pressure: state.dischargeBar,
    oil_pressure: clamp(state.oilBar, 0, 8),
    slide_valve: state.slidePercent,
    running: state.running,
    mode: state.defrostLeftMs > 0 ? 'defrost' : state.running ? 'cooling' : 'standby',
    motor_power: state.kW,
    run_hours: state.runMs / hourMs,
  }),
  write: (state, name, value) =>
    name === 'room_temp_sp' && typeof value === 'number' ? { ...state, coldRoomSetC: value } : state,
})
