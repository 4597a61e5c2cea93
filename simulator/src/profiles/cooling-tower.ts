import { above, approach, clamp, hysteresis, noise, ramp, wander } from '../dynamics.ts'
import { isShift, threeShifts, twoShifts, warmth, weather } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

interface State {
  wetBulbC: number
  supplyC: number
  supplySetC: number
  returnC: number
  loadK: number
  fanHz: number
  basinPercent: number
  makeUp: boolean
  makeUpM3: number
  conductivity: number
  blowdown: boolean
  vibration: number
}

/** The effect of the valves on the basin, in percent of it per hour; one percent is 100 litres. */
const makeUpPercentH = 210
const blowdownPercentH = 60

const water = group('水路', 'Water')
const basin = group('集水盘', 'Basin')
const fan = group('风机', 'Fan')

/** A counter-flow tower behind a roof; its fan follows the supply temperature, its belt wears until it slips. */
export const coolingTower = defineProfile<State>({
  id: 'cooling-tower',
  machineType: 'cooling-tower',
  model: 'CT-400',
  firmware: '1.8.2',
  network: { kind: '4G', signalDbm: -96 },
  speaks: 'sparkplug',
  presence: 'away',
  name: { cn: '冷却水塔 CT-2', en: 'Cooling tower CT-2' },
  remark: { cn: '屋面', en: 'Roof' },
  place: {
    lat: 29.6166,
    lng: 106.5025,
    address: {
      cn: '重庆市渝北区空港工业园区 3 号厂房屋面',
      en: 'Roof of building 3, Konggang Industrial Park, Yubei, Chongqing, China',
    },
    source: 'gps',
  },
  tags: [
    float(water, 'return_temp', '回水温度', 'Return temp.', '°C', [5, 50], { deadband: 0.1, keyTag: true }),
    float(water, 'supply_temp', '供水温度', 'Supply temp.', '°C', [5, 45], { deadband: 0.1 }),
    float(water, 'supply_temp_sp', '供水温度设定', 'Supply set-point', '°C', [20, 32], { writable: true }),
    float(water, 'wet_bulb', '湿球温度', 'Wet bulb', '°C', [-5, 35], { deadband: 0.1 }),
    float(water, 'conductivity', '电导率', 'Conductivity', 'µS/cm', [200, 3000], { scale: 0, deadband: 2 }),
    float(basin, 'basin_level', '集水盘液位', 'Basin level', '%', [0, 100], { deadband: 0.1 }),
    bool(basin, 'make_up', '补水阀', 'Make-up valve'),
    int(basin, 'make_up_volume', '累计补水', 'Make-up volume', 'm³', counter),
    bool(basin, 'blowdown', '排污阀', 'Blow-down valve'),
    float(fan, 'fan_speed', '风机频率', 'Fan drive', 'Hz', [0, 50], { deadband: 0.1 }),
    float(fan, 'fan_vibration', '风机振动', 'Fan vibration', 'mm/s', [0, 15], { scale: 2, deadband: 0.03 }),
    int(fan, 'louvre', '百叶开度', 'Louvre', '%', [0, 100]),
    text(fan, 'mode', '模式', 'Mode', { auto: ['自动', 'Automatic'], full: ['全速', 'Full speed'] }),
  ],
  faults: [{ id: 'belt', everyMs: 42 * hourMs, developsMs: 8 * hourMs, standsMs: 40 * minuteMs }],
  alarms: [
    {
      id: 'VIB-2',
      level: 'major',
      text: { cn: '风机振动高', en: 'Fan vibration high' },
      raised: (state, was) => above(was, state.vibration, 7.1, 5),
    },
    {
      id: 'TS-HI',
      level: 'minor',
      text: { cn: '供水温度偏高', en: 'Supply temperature high' },
      raised: (state, was) => above(was, state.supplyC - state.supplySetC, 3.5, 1.5),
    },
  ],
  start: (random, at) => ({
    wetBulbC: 20,
    supplyC: 25.6,
    supplySetC: 25.5,
    returnC: 30.6,
    loadK: 5,
    fanHz: 34,
    basinPercent: 60 + random() * 20,
    makeUp: false,
    makeUpM3: countedSince(at, 3.1),
    conductivity: 900 + random() * 700,
    blowdown: false,
    vibration: 2.3,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state }
    const slipping = now.severityOf('belt')
    const weatherC = 20 + 2.4 * warmth(now.hour) + 1.6 * weather(now.at)
    next.wetBulbC = wander(state.wetBulbC, weatherC, 0.2, dtMs, 20 * minuteMs, random)
    const workK = isShift(twoShifts, now) ? 5.6 : isShift(threeShifts, now) ? 4 : 1.6
    next.loadK = clamp(wander(state.loadK, workK, 0.35, dtMs, 12 * minuteMs, random), 0, 10)
    const error = state.supplyC - state.supplySetC
    next.fanHz = ramp(state.fanHz, clamp(32 + 9 * error, 12, 50), dtMs, 0.25)
    const airflow = (next.fanHz / 50) * (1 - 0.45 * slipping)
    const approachK = 2.6 + next.loadK * (0.25 + 1.1 * (1 - airflow) ** 2)
    next.supplyC = approach(state.supplyC, next.wetBulbC + approachK, dtMs, 4 * minuteMs)
    next.supplyC = clamp(next.supplyC + noise(random, 0.02), 5, 45)
    next.returnC = approach(state.returnC, next.supplyC + next.loadK, dtMs, 2 * minuteMs)
    next.returnC = clamp(next.returnC + noise(random, 0.02), 5, 50)
    // Evaporation follows the heat; the float valve refills, the blow-down takes salt away.
    next.makeUp = hysteresis(state.makeUp, state.basinPercent, 55, 82)
    const evaporatesPercentH = 5 * next.loadK
    const perHour =
      (next.makeUp ? makeUpPercentH : 0) - evaporatesPercentH - (state.blowdown ? blowdownPercentH : 0)
    next.basinPercent = clamp(state.basinPercent + (perHour * dtMs) / hourMs, 10, 95)
    if (next.makeUp) next.makeUpM3 += (0.1 * makeUpPercentH * dtMs) / hourMs
    next.blowdown = hysteresis(state.blowdown, -state.conductivity, -1_800, -1_150)
    const saltPerH = next.blowdown ? -2_400 : 50 * next.loadK
    next.conductivity = clamp(
      state.conductivity + (saltPerH * dtMs) / hourMs + noise(random, 0.4),
      300,
      2_600,
    )
    next.vibration = clamp(
      approach(state.vibration, 0.7 + next.fanHz / 20 + 6.5 * slipping, dtMs, 10_000) + noise(random, 0.04),
      0,
      15,
    )
    return next
  },
  read: (state) => ({
    return_temp: state.returnC,
    supply_temp: state.supplyC,
    supply_temp_sp: state.supplySetC,
    wet_bulb: state.wetBulbC,
    conductivity: state.conductivity,
    basin_level: state.basinPercent,
    make_up: state.makeUp,
    make_up_volume: state.makeUpM3,
    blowdown: state.blowdown,
    fan_speed: state.fanHz,
    fan_vibration: state.vibration,
    louvre: clamp(Math.round(state.fanHz / 5) * 10, 20, 100),
    mode: state.fanHz > 49 ? 'full' : 'auto',
  }),
  write: (state, name, value) =>
    name === 'supply_temp_sp' && typeof value === 'number' ? { ...state, supplySetC: value } : state,
})
