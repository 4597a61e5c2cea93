import { approach, below, clamp, noise, ramp, wander } from '../dynamics.ts'
import { counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

interface State {
  at: number
  demandM3h: number
  swirl: number
  setMPa: number
  outletMPa: number
  inletMPa: number
  speedHz: number
  pumpsOn: number
  untilStageMs: number
  flowM3h: number
  totalM3: number
  tankM: number
}

/** Water a district draws by the hour of its day (UTC+8), as a share of the peak. */
function drawAt(at: number): number {
  const hour = (at / hourMs + 8) % 24
  const morning = Math.exp(-((hour - 7.5) ** 2) / 3.5)
  const evening = Math.exp(-((hour - 19.5) ** 2) / 6)
  return 0.3 + 0.55 * morning + 0.6 * evening + 0.18 * Math.exp(-((hour - 12.5) ** 2) / 4)
}

/** Three speed-controlled pumps that hold 0.42 MPa for a district; a main bursts now and then. */
export const boosterPumps = defineTrade<State>({
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
    lat: 30.5744,
    lng: 103.9237,
    address: { cn: '四川省成都市双流区加压泵站', en: 'Booster station, Shuangliu, Chengdu' },
  },
  tags: [
    float('Outlet', 'outlet_pressure', '出口压力', 'Outlet pressure', 'MPa', [0, 0.7], {
      scale: 3,
      deadband: 0.001,
      keyTag: true,
    }),
    float('Outlet', 'pressure_sp', '压力设定', 'Pressure set-point', 'MPa', [0.25, 0.55], {
      scale: 2,
      writable: true,
    }),
    float('Outlet', 'flow', '瞬时流量', 'Flow', 'm³/h', [0, 700], { deadband: 1 }),
    int('Outlet', 'total_volume', '累计水量', 'Total volume', 'm³', counter),
    float('Inlet', 'inlet_pressure', '进口压力', 'Inlet pressure', 'MPa', [0, 0.4], {
      scale: 3,
      deadband: 0.001,
    }),
    float('Inlet', 'tank_level', '水箱液位', 'Tank level', 'm', [0, 4.5], { scale: 2, deadband: 0.01 }),
    int('Pumps', 'pumps_on', '运行泵数', 'Pumps running', '', [0, 3]),
    float('Pumps', 'speed', '变频频率', 'Drive frequency', 'Hz', [0, 50], { deadband: 0.1 }),
    text('Pumps', 'mode', '模式', 'Mode'),
  ],
  faults: [{ id: 'burst', everyMs: 13 * hourMs, lastsMs: 45 * minuteMs }],
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
      text: { cn: '流量异常偏大，疑似爆管', en: 'Flow far above normal: burst main?' },
      raised: (state, was) => state.flowM3h > (was ? 430 : 480),
    },
  ],
  start(random, at) {
    const demand = 330 * drawAt(at)
    return {
      at,
      demandM3h: demand,
      swirl: 0,
      setMPa: 0.42,
      outletMPa: 0.42,
      inletMPa: 0.18,
      speedHz: 40,
      pumpsOn: demand > 170 ? 2 : 1,
      untilStageMs: 0,
      flowM3h: demand,
      totalM3: countedSince(at, 165),
      tankM: 2.6 + random() * 0.6,
    }
  },
  step(state, dtMs, random, severityOf) {
    const next = { ...state, at: state.at + dtMs, untilStageMs: Math.max(0, state.untilStageMs - dtMs) }
    const burst = severityOf('burst')
    next.swirl = wander(state.swirl, 0, 14, dtMs, 4 * minuteMs, random)
    next.demandM3h = clamp(330 * drawAt(next.at) + next.swirl + 330 * burst, 20, 690)
    next.flowM3h = clamp(approach(state.flowM3h, next.demandM3h, dtMs, 15_000) + noise(random, 0.9), 0, 700)
    // Stage the pumps by what each carries, not faster than the starters allow.
    const share = next.flowM3h / state.pumpsOn
    if (next.untilStageMs === 0 && share > 172 && state.pumpsOn < 3) {
      next.pumpsOn = state.pumpsOn + 1
      next.untilStageMs = 90_000
    } else if (next.untilStageMs === 0 && state.pumpsOn > 1 && next.flowM3h / (state.pumpsOn - 1) < 150) {
      next.pumpsOn = state.pumpsOn - 1
      next.untilStageMs = 90_000
    }
    const perPump = next.flowM3h / next.pumpsOn
    const wantedHz = 28 + 26 * next.setMPa + 0.052 * perPump + 30 * (next.setMPa - state.outletMPa)
    next.speedHz = ramp(state.speedHz, clamp(wantedHz, 20, 50), dtMs, 1.2)
    // What the drives reach at this flow; beyond their 50 Hz the pressure falls.
    const headMPa = (next.speedHz - 28 - 0.052 * perPump) / 26 - 0.2 * burst
    next.outletMPa = clamp(approach(state.outletMPa, headMPa, dtMs, 6_000) + noise(random, 0.0009), 0, 0.7)
    next.inletMPa = wander(state.inletMPa, 0.2 - 0.00012 * next.flowM3h, 0.006, dtMs, 3 * minuteMs, random)
    next.totalM3 += (next.flowM3h * dtMs) / hourMs
    // The float valve refills the suction tank, the pumps draw it down.
    const inflow = 330 * clamp((3.6 - state.tankM) / 1.2, 0, 1)
    next.tankM = clamp(state.tankM + ((inflow - next.flowM3h) * dtMs) / hourMs / 260, 0.9, 4.2)
    return next
  },
  read: (state) => ({
    outlet_pressure: state.outletMPa,
    pressure_sp: state.setMPa,
    flow: state.flowM3h,
    total_volume: state.totalM3,
    inlet_pressure: state.inletMPa,
    tank_level: state.tankM,
    pumps_on: state.pumpsOn,
    speed: state.speedHz,
    mode: state.pumpsOn === 1 && state.flowM3h < 120 ? 'night' : 'auto',
  }),
  write: (state, name, value) =>
    name === 'pressure_sp' && typeof value === 'number' ? { ...state, setMPa: value } : state,
})
