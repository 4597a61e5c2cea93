import { above, approach, below, clamp, noise, wander } from '../dynamics.ts'
import { isShift, twoShifts } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const switchMs = 90_000
/** Without paint the chamber is only kept hot enough to begin again. */
const standbyC = 650

interface State {
  chamberC: number
  chamberSetC: number
  painting: boolean
  bedAC: number
  bedBC: number
  inletFromA: boolean
  untilSwitchMs: number
  switches: number
  solvent: number
  lelPercent: number
  gasPercent: number
  gasM3: number
  fanHz: number
  emissionMg: number
  flowNm3h: number
}

const chamber = group('炉膛', 'Chamber')
const beds = group('蓄热室', 'Beds')
const gas = group('燃气', 'Gas')
const exhaust = group('排气', 'Exhaust')

/** A two-bed regenerative thermal oxidiser behind a paint line; a stuck damper lets solvent creep up. */
export const exhaustOxidiser = defineProfile<State>({
  id: 'exhaust-oxidiser',
  machineType: 'oxidiser',
  model: 'RTO-20K',
  firmware: '3.6.1',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: 'RTO 废气焚烧炉', en: 'RTO oxidiser' },
  remark: { cn: '泰国涂装线', en: 'Paint line' },
  place: {
    lat: 12.9836,
    lng: 101.1127,
    address: {
      cn: '泰国罗勇府波登县伊斯特海岸工业园涂装车间',
      en: 'Paint shop, Eastern Seaboard Industrial Estate, Pluak Daeng, Rayong, Thailand',
    },
    utcOffsetHours: 7,
  },
  tags: [
    float(chamber, 'chamber_temp', '炉膛温度', 'Chamber temp.', '°C', [20, 1000], {
      scale: 0,
      deadband: 1,
      keyTag: true,
    }),
    int(chamber, 'chamber_temp_sp', '炉膛温度设定', 'Chamber set-point', '°C', [760, 860], {
      writable: true,
    }),
    text(chamber, 'mode', '模式', 'Mode', {
      firing: ['燃烧', 'Firing'],
      autothermal: ['自持燃烧', 'Autothermal'],
      standby: ['保温', 'Standby'],
    }),
    float(beds, 'bed_a_temp', '蓄热室 A', 'Bed A', '°C', [20, 700], { scale: 0, deadband: 2 }),
    float(beds, 'bed_b_temp', '蓄热室 B', 'Bed B', '°C', [20, 700], { scale: 0, deadband: 2 }),
    bool(beds, 'inlet_bed_a', '进气在 A 室', 'Inlet through A'),
    int(beds, 'switches', '切换次数', 'Bed switches', '', counter),
    float(gas, 'lel', '可燃气浓度', 'Solvent', '% LEL', [0, 60], { deadband: 0.1 }),
    float(gas, 'burner_output', '燃烧器开度', 'Burner output', '%', [0, 100], { deadband: 0.4 }),
    int(gas, 'gas_used', '累计燃气', 'Gas used', 'm³', counter),
    float(exhaust, 'flow', '风量', 'Air flow', 'Nm³/h', [0, 25_000], { scale: 0, deadband: 50 }),
    float(exhaust, 'emission', '排放浓度', 'Emission', 'mg/m³', [0, 120], { deadband: 0.2 }),
    float(exhaust, 'fan_speed', '风机频率', 'Fan drive', 'Hz', [0, 50], { deadband: 0.1 }),
  ],
  faults: [{ id: 'damper', everyMs: 55 * hourMs, developsMs: 6 * hourMs, standsMs: 20 * minuteMs }],
  alarms: [
    {
      id: 'LEL-25',
      level: 'critical',
      text: { cn: '可燃气浓度高', en: 'Solvent concentration high' },
      raised: (state, was) => above(was, state.lelPercent, 25, 18),
    },
    {
      id: 'TC-HI',
      level: 'major',
      text: { cn: '炉膛温度高', en: 'Chamber temperature high' },
      raised: (state, was) => state.painting && above(was, state.chamberC - state.chamberSetC, 55, 30),
    },
    {
      id: 'TC-LO',
      level: 'minor',
      text: { cn: '喷涂时炉膛温度低', en: 'Chamber too cold for painting' },
      raised: (state, was) => state.painting && below(was, state.chamberC - state.chamberSetC, -60, -25),
    },
  ],
  start: (random, at) => ({
    chamberC: 815,
    chamberSetC: 815,
    painting: true,
    bedAC: 240,
    bedBC: 290,
    inletFromA: true,
    untilSwitchMs: random() * switchMs,
    switches: countedSince(at, hourMs / switchMs),
    solvent: 9,
    lelPercent: 9,
    gasPercent: 24,
    gasM3: countedSince(at, 26),
    fanHz: 38,
    emissionMg: 14,
    flowNm3h: 16_400,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, untilSwitchMs: state.untilSwitchMs - dtMs }
    if (next.untilSwitchMs <= 0) {
      next.untilSwitchMs += switchMs
      next.inletFromA = !state.inletFromA
      next.switches += 1
    }
    const isWorked = isShift(twoShifts, now)
    // The booth opens once the chamber is hot.
    next.painting = isWorked && state.chamberC > state.chamberSetC - (state.painting ? 90 : 25)
    next.solvent = wander(state.solvent, next.painting ? 9 : 0.8, 1.2, dtMs, 5 * minuteMs, random)
    const stuck = next.painting ? now.severityOf('damper') : 0
    const solvent = Math.max(0, next.solvent) + 21 * stuck
    next.lelPercent = clamp(approach(state.lelPercent, solvent, dtMs, 15_000) + noise(random, 0.05), 0, 60)
    // Solvent is fuel: above about 13 % LEL the bed carries itself and the burner only idles.
    const setC = isWorked ? state.chamberSetC : standbyC
    const wanted = clamp(
      0.19 * (setC - 700) + 26 - 2.4 * next.lelPercent + 0.9 * (setC - state.chamberC),
      3,
      100,
    )
    next.gasPercent = clamp(approach(state.gasPercent, wanted, dtMs, 12_000) + noise(random, 0.12), 0, 100)
    next.gasM3 += (next.gasPercent * 0.9 * dtMs) / hourMs
    const heatC = 640 + 4.6 * next.gasPercent + 6.6 * next.lelPercent
    next.chamberC = clamp(approach(state.chamberC, heatC, dtMs, 9 * minuteMs) + noise(random, 0.25), 20, 990)
    next.bedAC = approach(state.bedAC, next.inletFromA ? 150 : 420, dtMs, 150_000)
    next.bedBC = approach(state.bedBC, next.inletFromA ? 420 : 150, dtMs, 150_000)
    next.fanHz = clamp(wander(state.fanHz, isWorked ? 38 : 16, 0.5, dtMs, 3 * minuteMs, random), 0, 50)
    next.flowNm3h = clamp(
      approach(state.flowNm3h, 432 * next.fanHz, dtMs, 8_000) + noise(random, 25),
      0,
      25_000,
    )
    const leak = next.untilSwitchMs > switchMs - 6_000 ? 7 : 0
    const slip = next.painting && next.chamberC < 770 ? (770 - next.chamberC) * 0.3 : 0
    next.emissionMg = clamp(
      approach(state.emissionMg, 3 + 0.9 * next.lelPercent + leak + slip, dtMs, 9_000) + noise(random, 0.08),
      0,
      120,
    )
    return next
  },
  read: (state) => ({
    chamber_temp: state.chamberC,
    chamber_temp_sp: state.chamberSetC,
    mode: !state.painting ? 'standby' : state.lelPercent > 13 ? 'autothermal' : 'firing',
    bed_a_temp: state.bedAC,
    bed_b_temp: state.bedBC,
    inlet_bed_a: state.inletFromA,
    switches: state.switches,
    lel: state.lelPercent,
    burner_output: state.gasPercent,
    gas_used: state.gasM3,
    flow: state.flowNm3h,
    emission: state.emissionMg,
    fan_speed: state.fanHz,
  }),
  write: (state, name, value) =>
    name === 'chamber_temp_sp' && typeof value === 'number' ? { ...state, chamberSetC: value } : state,
})
