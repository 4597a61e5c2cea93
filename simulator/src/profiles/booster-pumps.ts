import { approach, below, clamp, noise, ramp, wander } from '../dynamics.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { counter, float, group, int, text } from './tags.ts'

/** The suction tank's area, m². */
export const boosterTankM2 = 260

interface State {
  demandM3h: number
  swirl: number
  setMPa: number
  outletMPa: number
  inletMPa: number
  speedHz: number
  pumpsOn: number
  untilStageMs: number
  flowM3h: number
  inflowM3h: number
  totalM3: number
  tankM: number
  kW: number
  kWh: number
  isNight: boolean
}

/** Water a district draws by the hour, as a share of the peak: on a free day it gets up later, and washes. */
function drawAt(hour: number, weekday: number): number {
  const isFree = weekday >= 5
  const bump = (at: number, width: number) => Math.exp(-((hour - at) ** 2) / width)
  return (
    0.26 + (isFree ? 0.48 * bump(9.5, 7) : 0.58 * bump(7.4, 3.2)) + 0.2 * bump(12.5, 4) + 0.6 * bump(19.5, 6)
  )
}

const outlet = group('出口', 'Outlet')
const inlet = group('进口', 'Inlet')
const pumps = group('水泵', 'Pumps')

/** Three speed-controlled pumps that hold 0.42 MPa for a district; now and then a main starts to leak. */
export const boosterPumps = defineProfile<State>({
  id: 'booster-pumps',
  machineType: 'pump-station',
  model: 'SL-3x75',
  firmware: '1.19',
  network: { kind: '4G', signalDbm: -83 },
  speaks: 'plain-json',
  presence: 'flapping',
  name: { cn: '双流加压站', en: 'Shuangliu booster' },
  remark: { cn: '无人值守', en: 'Unattended' },
  place: {
    lat: 30.5632,
    lng: 103.9486,
    address: {
      cn: '四川省成都市双流区空港四路加压泵站',
      en: 'Booster station, Konggang 4th Road, Shuangliu, Chengdu, Sichuan, China',
    },
    source: 'cell',
    movedFrom: { lat: 30.6287, lng: 103.8562 },
  },
  tags: [
    float(outlet, 'outlet_pressure', '出口压力', 'Outlet pressure', 'MPa', [0, 0.7], {
      scale: 3,
      deadband: 0.001,
      keyTag: true,
    }),
    float(outlet, 'pressure_sp', '压力设定', 'Pressure set-point', 'MPa', [0.25, 0.55], {
      scale: 2,
      writable: true,
    }),
    float(outlet, 'flow', '瞬时流量', 'Flow', 'm³/h', [0, 700], { deadband: 1 }),
    int(outlet, 'total_volume', '累计水量', 'Total volume', 'm³', counter),
    float(inlet, 'inlet_pressure', '进口压力', 'Inlet pressure', 'MPa', [0, 0.4], {
      scale: 3,
      deadband: 0.002,
    }),
    float(inlet, 'inflow', '进水流量', 'Inflow', 'm³/h', [0, 700], { deadband: 2 }),
    float(inlet, 'tank_level', '水箱液位', 'Tank level', 'm', [0, 4.5], { scale: 2, deadband: 0.01 }),
    int(pumps, 'pumps_on', '运行泵数', 'Pumps running', '', [0, 3]),
    float(pumps, 'speed', '变频频率', 'Drive frequency', 'Hz', [0, 50], { deadband: 0.2 }),
    float(pumps, 'active_power', '有功功率', 'Active power', 'kW', [0, 240], { deadband: 1 }),
    int(pumps, 'energy', '累计电量', 'Energy', 'kWh', counter),
    text(pumps, 'mode', '模式', 'Mode', {
      '夜间 night': ['夜间', 'Night'],
      '自动 auto': ['自动', 'Automatic'],
    }),
  ],
  faults: [{ id: 'leak', everyMs: 58 * hourMs, developsMs: 9 * hourMs, standsMs: 35 * minuteMs }],
  alarms: [
    {
      id: 'P-LOW',
      level: 'critical',
      text: { cn: '出口压力过低', en: 'Outlet pressure low' },
      raised: (state, was) => below(was, state.outletMPa, 0.3, 0.36),
    },
    {
      id: 'Q-HIGH',
      level: 'major',
      text: { cn: '流量高于同时段正常值，疑似漏损', en: 'Flow far above this hour’s normal: leak?' },
      raised: (state, was) => state.flowM3h - state.demandM3h > (was ? 60 : 165),
    },
  ],
  start: (random, at) => ({
    demandM3h: 170,
    swirl: 0,
    setMPa: 0.42,
    outletMPa: 0.42,
    inletMPa: 0.18,
    speedHz: 40,
    pumpsOn: 2,
    untilStageMs: 0,
    flowM3h: 170,
    inflowM3h: 170,
    totalM3: countedSince(at, 158),
    tankM: 2.9 + random() * 0.4,
    kW: 40,
    kWh: countedSince(at, 42),
    isNight: false,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, untilStageMs: Math.max(0, state.untilStageMs - dtMs) }
    const leak = now.severityOf('leak')
    next.swirl = wander(state.swirl, 0, 12, dtMs, 4 * minuteMs, random)
    // This district's demand at this hour; leaks come on top.
    next.demandM3h = clamp(330 * drawAt(now.hour, now.weekday) + next.swirl, 20, 480)
    next.flowM3h = clamp(
      approach(state.flowM3h, next.demandM3h + 200 * leak, dtMs, 15_000) + noise(random, 0.9),
      0,
      700,
    )
    stagePumps(next)
    const perPump = next.flowM3h / next.pumpsOn
    const wantedHz = 28 + 26 * next.setMPa + 0.052 * perPump + 30 * (next.setMPa - state.outletMPa)
    next.speedHz = ramp(state.speedHz, clamp(wantedHz, 20, 50), dtMs, 1.2)
    // The head of the drives at this flow; beyond their 50 Hz the pressure falls.
    const headMPa = (next.speedHz - 28 - 0.052 * perPump) / 26 - 0.2 * leak ** 2
    next.outletMPa = clamp(approach(state.outletMPa, headMPa, dtMs, 6_000) + noise(random, 0.0009), 0, 0.7)
    next.inletMPa = wander(state.inletMPa, 0.2 - 0.00012 * next.flowM3h, 0.004, dtMs, 3 * minuteMs, random)
    next.inletMPa = clamp(next.inletMPa, 0, 0.4)
    next.totalM3 += (next.flowM3h * dtMs) / hourMs
    // The float valve refills the suction tank, the pumps draw it down.
    next.inflowM3h = clamp(560 * clamp((3.9 - state.tankM) / 1.6, 0, 1), 0, 700)
    next.tankM = state.tankM + ((next.inflowM3h - next.flowM3h) * dtMs) / hourMs / boosterTankM2
    next.kW = clamp(next.pumpsOn * 75 * (next.speedHz / 50) ** 3 * (0.35 + perPump / 420), 0, 240)
    next.kWh += (next.kW * dtMs) / hourMs
    next.isNight = now.hour < 5 || now.hour >= 23
    return next
  },
  read: (state) => ({
    outlet_pressure: state.outletMPa,
    pressure_sp: state.setMPa,
    flow: state.flowM3h,
    total_volume: state.totalM3,
    inlet_pressure: state.inletMPa,
    inflow: state.inflowM3h,
    tank_level: state.tankM,
    pumps_on: state.pumpsOn,
    speed: state.speedHz,
    active_power: state.kW,
    energy: state.kWh,
    mode: state.isNight ? '夜间 night' : '自动 auto',
  }),
  write: (state, name, value) =>
    name === 'pressure_sp' && typeof value === 'number' ? { ...state, setMPa: value } : state,
})

/** By what each pump carries, not faster than the starters allow. */
function stagePumps(next: State): void {
  if (next.untilStageMs > 0) return
  const { pumpsOn, flowM3h } = next
  if (flowM3h / pumpsOn > 172 && pumpsOn < 3) next.pumpsOn = pumpsOn + 1
  else if (pumpsOn > 1 && flowM3h / (pumpsOn - 1) < 150) next.pumpsOn = pumpsOn - 1
  if (next.pumpsOn !== pumpsOn) next.untilStageMs = 90_000
}
