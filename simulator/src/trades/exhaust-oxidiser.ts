import { above, approach, below, clamp, noise, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

const switchMs = 90_000

interface State {
  chamberC: number
  chamberSetC: number
  bedAC: number
  bedBC: number
  inletFromA: boolean
  untilSwitchMs: number
  switches: number
  solvent: number
  lelPercent: number
  gasPercent: number
  fanHz: number
  emissionMg: number
  flowNm3h: number
}

/** A two-bed regenerative thermal oxidiser behind a paint line: solvent surges lift chamber and LEL. */
export const exhaustOxidiser = defineTrade<State>({
  id: 'exhaust-oxidiser',
  machineType: 'oxidiser',
  model: 'RTO-20K',
  firmware: '3.6.1',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: 'RTO 废气焚烧炉', en: 'RTO oxidiser' },
  remark: { cn: '涂装线', en: 'Paint line' },
  place: {
    lat: 29.8683,
    lng: 121.544,
    address: { cn: '浙江省宁波市涂装线屋面', en: 'Paint line roof, Ningbo' },
  },
  tags: [
    float('Chamber', 'chamber_temp', '炉膛温度', 'Chamber temp.', '°C', [20, 1000], {
      scale: 0,
      deadband: 1,
      keyTag: true,
    }),
    int('Chamber', 'chamber_temp_sp', '炉膛温度设定', 'Chamber set-point', '°C', [760, 860], {
      writable: true,
    }),
    float('Beds', 'bed_a_temp', '蓄热室 A', 'Bed A', '°C', [20, 700], { scale: 0, deadband: 2 }),
    float('Beds', 'bed_b_temp', '蓄热室 B', 'Bed B', '°C', [20, 700], { scale: 0, deadband: 2 }),
    bool('Beds', 'inlet_bed_a', '进气在 A 室', 'Inlet through A'),
    int('Beds', 'switches', '切换次数', 'Bed switches', '', counter),
    float('Gas', 'lel', '可燃气浓度', 'Solvent', '% LEL', [0, 60], { deadband: 0.1 }),
    float('Gas', 'burner_output', '燃烧器开度', 'Burner output', '%', [0, 100], { deadband: 0.4 }),
    float('Exhaust', 'flow', '风量', 'Air flow', 'Nm³/h', [0, 25_000], { scale: 0, deadband: 50 }),
    float('Exhaust', 'emission', '排放浓度', 'Emission', 'mg/m³', [0, 120], { deadband: 0.2 }),
    float('Exhaust', 'fan_speed', '风机频率', 'Fan drive', 'Hz', [0, 50], { deadband: 0.1 }),
    text('Chamber', 'mode', '模式', 'Mode'),
  ],
  faults: [{ id: 'surge', everyMs: 13 * hourMs, lastsMs: 38 * minuteMs }],
  alarms: [
    {
      id: 'LEL-25',
      level: 'critical',
      text: { cn: '可燃气浓度高', en: 'Solvent concentration high' },
      raised: (state, was) => above(was, state.lelPercent, 25, 19),
    },
    {
      id: 'TC-HI',
      level: 'major',
      text: { cn: '炉膛温度高', en: 'Chamber temperature high' },
      raised: (state, was) => above(was, state.chamberC - state.chamberSetC, 60, 35),
    },
    {
      id: 'TC-LO',
      level: 'minor',
      text: { cn: '炉膛温度低', en: 'Chamber temperature low' },
      raised: (state, was) => below(was, state.chamberC - state.chamberSetC, -45, -20),
    },
  ],
  start: (random, at) => ({
    chamberC: 816,
    chamberSetC: 815,
    bedAC: 240,
    bedBC: 290,
    inletFromA: true,
    untilSwitchMs: random() * switchMs,
    switches: countedSince(at, hourMs / switchMs),
    solvent: 9,
    lelPercent: 9,
    gasPercent: 24,
    fanHz: 38,
    emissionMg: 14,
    flowNm3h: 16_400,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, untilSwitchMs: state.untilSwitchMs - dtMs }
    if (next.untilSwitchMs <= 0) {
      next.untilSwitchMs += switchMs
      next.inletFromA = !state.inletFromA
      next.switches += 1
    }
    next.solvent = wander(state.solvent, 9, 1.6, dtMs, 5 * minuteMs, random)
    const solvent = next.solvent + 22 * severityOf('surge')
    next.lelPercent = clamp(approach(state.lelPercent, solvent, dtMs, 15_000) + noise(random, 0.06), 0, 60)
    // Solvent is fuel: above about 13 % LEL the bed carries itself and the burner only idles.
    const error = state.chamberSetC - state.chamberC
    next.gasPercent = clamp(
      approach(state.gasPercent, clamp(46 - 2.4 * next.lelPercent + 0.9 * error, 4, 100), dtMs, 12_000) +
        noise(random, 0.15),
      0,
      100,
    )
    const heatC = 700 + 2.4 * next.gasPercent + 6.5 * next.lelPercent
    next.chamberC = clamp(approach(state.chamberC, heatC, dtMs, 7 * minuteMs) + noise(random, 0.25), 20, 990)
    next.bedAC = approach(state.bedAC, next.inletFromA ? 150 : 420, dtMs, 150_000)
    next.bedBC = approach(state.bedBC, next.inletFromA ? 420 : 150, dtMs, 150_000)
    next.fanHz = clamp(wander(state.fanHz, 38, 0.6, dtMs, 6 * minuteMs, random), 0, 50)
    next.flowNm3h = clamp(
      approach(state.flowNm3h, 432 * next.fanHz, dtMs, 8_000) + noise(random, 25),
      0,
      25_000,
    )
    const leak = next.untilSwitchMs > switchMs - 6_000 ? 7 : 0
    const slip = next.chamberC < 780 ? (780 - next.chamberC) * 0.5 : 0
    next.emissionMg = clamp(
      approach(state.emissionMg, 6 + 0.7 * next.lelPercent + leak + slip, dtMs, 9_000) + noise(random, 0.08),
      0,
      120,
    )
    return next
  },
  read: (state) => ({
    chamber_temp: state.chamberC,
    chamber_temp_sp: state.chamberSetC,
    bed_a_temp: state.bedAC,
    bed_b_temp: state.bedBC,
    inlet_bed_a: state.inletFromA,
    switches: state.switches,
    lel: state.lelPercent,
    burner_output: state.gasPercent,
    flow: state.flowNm3h,
    emission: state.emissionMg,
    fan_speed: state.fanHz,
    mode: state.lelPercent > 13 ? 'autothermal' : 'firing',
  }),
  write: (state, name, value) =>
    name === 'chamber_temp_sp' && typeof value === 'number' ? { ...state, chamberSetC: value } : state,
})
