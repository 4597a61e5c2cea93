import { above, approach, below, clamp, noise, ramp } from '../dynamics.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

interface State {
  levelSet: number
  tempSet: number
  valveSet: number
  pumpAuto: boolean
  pumpOn: boolean
  heaterOn: boolean
  levelPercent: number
  waterC: number
  valvePercent: number
  inflowLMin: number
  outflowLMin: number
  heaterKW: number
  pumpedL: number
  /** All users may change everything; at the full hour everything is reset. */
  untilResetMs: number
}

const fresh = {
  levelSet: 60,
  tempSet: 45,
  valveSet: 40,
  pumpAuto: true,
  pumpOn: true,
  heaterOn: true,
}

const tank = group('水箱', 'Tank')
const pump = group('水泵', 'Pump')
const valve = group('出水阀', 'Valve')
const heater = group('加热', 'Heater')

/** A 1,000 litre tank with a pump, a drain valve and a heater: small enough to understand; its water supply fails at times. */
export const demoTank = defineProfile<State>({
  id: 'demo',
  machineType: 'tank',
  model: 'Demo-1000',
  firmware: '1.0.0',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '演示水箱', en: 'Demo tank' },
  remark: { cn: '随意操作', en: 'Try me' },
  place: {
    lat: 31.2011,
    lng: 121.5986,
    address: {
      cn: '上海市浦东新区张江高科技园区演示中心',
      en: 'Demo centre, Zhangjiang Hi-Tech Park, Pudong, Shanghai, China',
    },
  },
  tags: [
    float(tank, 'level', '液位', 'Level', '%', [0, 100], { deadband: 0.1, keyTag: true }),
    float(tank, 'level_sp', '液位设定', 'Level set-point', '%', [20, 90], { writable: true }),
    float(tank, 'temperature', '水温', 'Temperature', '°C', [5, 80], { deadband: 0.1 }),
    float(tank, 'temp_sp', '水温设定', 'Temp. set-point', '°C', [20, 70], { writable: true }),
    bool(pump, 'pump_auto', '水泵自动', 'Pump automatic', { writable: true }),
    bool(pump, 'pump_on', '水泵', 'Pump', { writable: true }),
    float(pump, 'inflow', '进水流量', 'Inflow', 'L/min', [0, 120], { deadband: 0.4 }),
    int(pump, 'pumped', '累计泵水', 'Pumped', 'L', counter),
    float(valve, 'valve_position', '出水阀开度', 'Drain valve', '%', [0, 100], { deadband: 0.3 }),
    float(valve, 'valve_sp', '出水阀设定', 'Valve set-point', '%', [0, 100], { scale: 0, writable: true }),
    float(valve, 'outflow', '出水流量', 'Outflow', 'L/min', [0, 120], { deadband: 0.4 }),
    bool(heater, 'heater_on', '加热允许', 'Heater enabled', { writable: true }),
    float(heater, 'heater_power', '加热功率', 'Heater power', 'kW', [0, 36], { deadband: 0.2 }),
    text(tank, 'tank_state', '状态', 'State', {
      filling: ['进水', 'Filling'],
      draining: ['排水', 'Draining'],
    }),
  ],
  faults: [{ id: 'supply', everyMs: 40 * hourMs, developsMs: 4 * hourMs, standsMs: 25 * minuteMs }],
  alarms: [
    {
      id: 'L-HIGH',
      level: 'major',
      text: { cn: '液位高', en: 'Level high' },
      raised: (state, was) => above(was, state.levelPercent, 95, 90),
    },
    {
      id: 'L-LOW',
      level: 'minor',
      text: { cn: '液位低', en: 'Level low' },
      raised: (state, was) => below(was, state.levelPercent, 22, 30),
    },
  ],
  start: (random, at) => ({
    ...fresh,
    levelPercent: 50 + 20 * random(),
    waterC: 45,
    valvePercent: 40,
    inflowLMin: 40,
    outflowLMin: 40,
    heaterKW: 9,
    pumpedL: countedSince(at, 2_300),
    untilResetMs: hourMs - (at % hourMs),
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, untilResetMs: state.untilResetMs - dtMs }
    if (next.untilResetMs <= 0) Object.assign(next, fresh, { untilResetMs: next.untilResetMs + hourMs })
    if (next.pumpAuto) {
      // Two-position control with a comfortable band, so that the level swings visibly.
      if (state.levelPercent < next.levelSet - 6) next.pumpOn = true
      else if (state.levelPercent > next.levelSet + 6) next.pumpOn = false
    }
    next.valvePercent = clamp(ramp(state.valvePercent, next.valveSet, dtMs, 4) + noise(random, 0.12), 0, 100)
    const hasWater = state.levelPercent > 2
    const head = Math.sqrt(state.levelPercent / 60)
    const out = hasWater ? next.valvePercent * 0.9 * head : 0
    const flowNoise = (flow: number) => (flow > 1 ? noise(random, 0.15) : 0)
    const intake = next.pumpOn && state.levelPercent < 99 ? 72 * (1 - 0.85 * now.severityOf('supply')) : 0
    next.outflowLMin = clamp(approach(state.outflowLMin, out, dtMs, 2_500) + flowNoise(out), 0, 120)
    next.inflowLMin = clamp(approach(state.inflowLMin, intake, dtMs, 2_500) + flowNoise(intake), 0, 120)
    next.levelPercent = clamp(
      state.levelPercent + ((next.inflowLMin - next.outflowLMin) * dtMs) / 600_000,
      0,
      100,
    )
    next.pumpedL += (next.inflowLMin * dtMs) / 60_000
    const heats = next.heaterOn && hasWater
    const wantedKW = heats ? clamp(9 + 6 * (next.tempSet - state.waterC), 0, 36) : 0
    next.heaterKW = clamp(
      approach(state.heaterKW, wantedKW, dtMs, 5_000) + (heats ? noise(random, 0.1) : 0),
      0,
      36,
    )
    // 36 kW warm 600 litres by about 0.9 °C a minute; fresh water and the room cool it again.
    const gained = (next.heaterKW * dtMs) / 2_500_000
    const lost = ((state.waterC - 18) * (0.15 + next.inflowLMin / 72)) / 200
    next.waterC = clamp(state.waterC + gained - (lost * dtMs) / 12_000, 8, 78)
    return next
  },
  read: (state) => ({
    level: state.levelPercent,
    level_sp: state.levelSet,
    temperature: state.waterC,
    temp_sp: state.tempSet,
    pump_auto: state.pumpAuto,
    pump_on: state.pumpOn,
    inflow: state.inflowLMin,
    pumped: state.pumpedL,
    valve_position: state.valvePercent,
    valve_sp: state.valveSet,
    outflow: state.outflowLMin,
    heater_on: state.heaterOn,
    heater_power: state.heaterKW,
    tank_state: state.inflowLMin > state.outflowLMin + 2 ? 'filling' : 'draining',
  }),
  write(state, name, value) {
    if (typeof value === 'number') {
      if (name === 'level_sp') return { ...state, levelSet: value }
      if (name === 'temp_sp') return { ...state, tempSet: value }
      if (name === 'valve_sp') return { ...state, valveSet: value }
    }
    if (typeof value === 'boolean') {
      if (name === 'pump_auto') return { ...state, pumpAuto: value }
      // Switching the pump by hand takes it out of automatic, as on a real panel.
      if (name === 'pump_on') return { ...state, pumpOn: value, pumpAuto: false }
      if (name === 'heater_on') return { ...state, heaterOn: value }
    }
    return state
  },
})
