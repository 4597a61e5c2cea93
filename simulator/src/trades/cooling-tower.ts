import { above, approach, clamp, hysteresis, noise, ramp, wander } from '../dynamics.ts'
import { bool, float, int, text } from './tags.ts'
import { defineTrade, hourMs, minuteMs } from './trade.ts'

interface State {
  at: number
  wetBulbC: number
  supplyC: number
  supplySetC: number
  returnC: number
  loadK: number
  fanHz: number
  basinPercent: number
  makeUp: boolean
  conductivity: number
  blowdown: boolean
  vibration: number
}

/** A counter-flow tower behind a roof; its fan follows the supply temperature, its belt slips now and then. */
export const coolingTower = defineTrade<State>({
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
    lat: 31.3838,
    lng: 120.9861,
    address: { cn: '江苏省昆山市精密一厂屋面', en: 'Roof, precision plant 1, Kunshan' },
  },
  tags: [
    float('Water', 'return_temp', '回水温度', 'Return temp.', '°C', [5, 50], {
      deadband: 0.1,
      keyTag: true,
    }),
    float('Water', 'supply_temp', '供水温度', 'Supply temp.', '°C', [5, 45], { deadband: 0.1 }),
    float('Water', 'supply_temp_sp', '供水温度设定', 'Supply set-point', '°C', [20, 32], { writable: true }),
    float('Water', 'conductivity', '电导率', 'Conductivity', 'µS/cm', [200, 3000], { scale: 0, deadband: 1 }),
    float('Basin', 'basin_level', '集水盘液位', 'Basin level', '%', [0, 100], { deadband: 0.1 }),
    bool('Basin', 'make_up', '补水阀', 'Make-up valve'),
    bool('Basin', 'blowdown', '排污阀', 'Blow-down valve'),
    float('Fan', 'fan_speed', '风机频率', 'Fan drive', 'Hz', [0, 50], { deadband: 0.1 }),
    float('Fan', 'fan_vibration', '风机振动', 'Fan vibration', 'mm/s', [0, 15], { scale: 2, deadband: 0.03 }),
    int('Fan', 'louvre', '百叶开度', 'Louvre', '%', [0, 100]),
    text('Fan', 'mode', '模式', 'Mode'),
  ],
  faults: [{ id: 'belt', everyMs: 6 * hourMs, lastsMs: 45 * minuteMs }],
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
    at,
    wetBulbC: 20,
    supplyC: 25.6,
    supplySetC: 25.5,
    returnC: 30.6,
    loadK: 5,
    fanHz: 34,
    basinPercent: 60 + random() * 20,
    makeUp: false,
    conductivity: 900 + random() * 700,
    blowdown: false,
    vibration: 2.3,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, at: state.at + dtMs }
    const slipping = severityOf('belt')
    // Warmest at 15:00 local (UTC+8).
    const weatherC = 20 + 2.6 * Math.cos(((state.at / hourMs + 8 - 15) / 24) * 2 * Math.PI)
    next.wetBulbC = wander(state.wetBulbC, weatherC, 0.25, dtMs, 20 * minuteMs, random)
    next.loadK = wander(state.loadK, 5.2, 0.5, dtMs, 8 * minuteMs, random)
    const error = state.supplyC - state.supplySetC
    next.fanHz = ramp(state.fanHz, clamp(32 + 9 * error, 12, 50), dtMs, 0.25)
    const air = (next.fanHz / 50) * (1 - 0.45 * slipping)
    const approachK = 2.6 + next.loadK * (0.25 + 1.1 * (1 - air) ** 2)
    next.supplyC =
      approach(state.supplyC, next.wetBulbC + approachK, dtMs, 4 * minuteMs) + noise(random, 0.02)
    next.returnC =
      approach(state.returnC, next.supplyC + next.loadK, dtMs, 2 * minuteMs) + noise(random, 0.02)
    next.makeUp = hysteresis(state.makeUp, state.basinPercent, 55, 82)
    next.basinPercent = clamp(
      state.basinPercent + ((next.makeUp ? 210 : 0) - 26 - (state.blowdown ? 60 : 0)) * (dtMs / hourMs),
      10,
      95,
    )
    next.blowdown = hysteresis(state.blowdown, -state.conductivity, -1_800, -1_150)
    next.conductivity = clamp(
      state.conductivity + (next.blowdown ? -2_400 : 260) * (dtMs / hourMs) + noise(random, 0.5),
      300,
      2_600,
    )
    next.vibration = clamp(
      approach(state.vibration, 0.7 + next.fanHz / 20 + 7.5 * slipping, dtMs, 10_000) + noise(random, 0.04),
      0,
      15,
    )
    return next
  },
  read: (state) => ({
    return_temp: state.returnC,
    supply_temp: state.supplyC,
    supply_temp_sp: state.supplySetC,
    conductivity: state.conductivity,
    basin_level: state.basinPercent,
    make_up: state.makeUp,
    blowdown: state.blowdown,
    fan_speed: state.fanHz,
    fan_vibration: state.vibration,
    louvre: clamp(Math.round(state.fanHz / 5) * 10, 20, 100),
    mode: state.fanHz > 49 ? 'full' : 'auto',
  }),
  write: (state, name, value) =>
    name === 'supply_temp_sp' && typeof value === 'number' ? { ...state, supplySetC: value } : state,
})
