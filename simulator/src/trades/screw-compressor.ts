import { above, approach, clamp, hysteresis, noise, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

interface State {
  netBar: number
  setBar: number
  loaded: boolean
  unloadedMs: number
  running: boolean
  demand: number
  dischargeC: number
  dewC: number
  filterMbar: number
  amps: number
  runMs: number
}

/** A 75 kW oil-flooded screw with load/unload control and a receiver. Its cooler blocks with dust. */
export const screwCompressor = defineTrade<State>({
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
    lat: 31.3829,
    lng: 120.9889,
    address: { cn: '江苏省昆山市精密一厂空压站', en: 'Air station, precision plant 1, Kunshan' },
  },
  tags: [
    float('Air', 'discharge_pressure', '排气压力', 'Discharge pressure', 'bar', [0, 10], {
      scale: 2,
      deadband: 0.01,
      keyTag: true,
    }),
    float('Air', 'pressure_sp', '压力设定', 'Pressure set-point', 'bar', [6, 8], {
      scale: 1,
      writable: true,
    }),
    float('Air', 'dew_point', '压力露点', 'Dew point', '°C', [-10, 25], { deadband: 0.1 }),
    bool('Screw', 'running', '运行', 'Running'),
    bool('Screw', 'loaded', '加载', 'Loaded'),
    float('Screw', 'discharge_temp', '排气温度', 'Discharge temp.', '°C', [20, 120], { deadband: 0.1 }),
    float('Motor', 'motor_current', '电机电流', 'Motor current', 'A', [0, 170], { deadband: 0.5 }),
    float('Service', 'filter_dp', '油分压差', 'Separator Δp', 'mbar', [0, 900], { scale: 0, deadband: 2 }),
    int('Service', 'run_hours', '运行小时', 'Run hours', 'h', counter),
    text('Screw', 'mode', '模式', 'Mode'),
  ],
  faults: [{ id: 'cooler', everyMs: 14.5 * hourMs, lastsMs: 50 * minuteMs }],
  alarms: [
    {
      id: 'A-0017',
      level: 'major',
      text: { cn: '排气温度高', en: 'Discharge temperature high' },
      raised: (state, was) => above(was, state.dischargeC, 102, 95),
    },
    {
      id: 'A-0031',
      level: 'info',
      text: { cn: '油分压差偏大，安排保养', en: 'Separator Δp rising: plan a service' },
      raised: (state, was) => above(was, state.filterMbar, 560, 420),
    },
  ],
  start: (random, at) => ({
    netBar: 7.2,
    setBar: 7.3,
    loaded: true,
    unloadedMs: 0,
    running: true,
    demand: 0.62,
    dischargeC: 83,
    dewC: 4,
    filterMbar: 260 + random() * 120,
    amps: 138,
    runMs: countedSince(at, 0.93) * hourMs,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state }
    next.demand = clamp(wander(state.demand, 0.58, 0.13, dtMs, 6 * minuteMs, random), 0.05, 0.98)
    next.loaded = hysteresis(state.loaded, state.netBar, state.setBar - 0.3, state.setBar + 0.3)
    next.unloadedMs = next.loaded ? 0 : state.unloadedMs + dtMs
    // Idling for two minutes costs more than a start: the controller stops the motor.
    next.running = next.loaded || next.unloadedMs < 2 * minuteMs
    const makes = next.loaded ? 1 : 0
    next.netBar = clamp(state.netBar + ((makes - next.demand) * dtMs) / 90_000, 0.5, 9.5)
    const blocked = severityOf('cooler')
    const targetC = next.running ? (next.loaded ? 86 : 77) + 24 * blocked : 40
    next.dischargeC = clamp(
      approach(state.dischargeC, targetC, dtMs, 3 * minuteMs) + noise(random, 0.05),
      20,
      118,
    )
    next.dewC = wander(state.dewC, 4 + 9 * blocked, 0.5, dtMs, 4 * minuteMs, random)
    next.amps = next.running
      ? clamp(
          approach(state.amps, next.loaded ? 118 + 3.2 * next.netBar : 58, dtMs, 2_500) + noise(random, 0.4),
          0,
          168,
        )
      : approach(state.amps, 0, dtMs, 400)
    next.filterMbar = state.filterMbar > 600 ? 190 : state.filterMbar + (dtMs / hourMs) * 9
    if (next.running) next.runMs += dtMs
    return next
  },
  read: (state) => ({
    discharge_pressure: clamp(state.netBar, 0, 10),
    pressure_sp: state.setBar,
    dew_point: state.dewC,
    running: state.running,
    loaded: state.loaded,
    discharge_temp: state.dischargeC,
    motor_current: state.amps,
    filter_dp: state.filterMbar,
    run_hours: state.runMs / hourMs,
    mode: state.running ? (state.loaded ? 'load' : 'idle') : 'standby',
  }),
  write: (state, name, value) =>
    name === 'pressure_sp' && typeof value === 'number' ? { ...state, setBar: value } : state,
})
