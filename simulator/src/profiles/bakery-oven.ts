import { above, approach, clamp, noise, ramp, wander } from '../dynamics.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const recipes = {
  toast: { zone1: 205, zone2: 218, zone3: 196, beltMMin: 1.07, humidity: 22 },
  baguette: { zone1: 238, zone2: 246, zone3: 224, beltMMin: 1.36, humidity: 30 },
  croissant: { zone1: 192, zone2: 201, zone3: 184, beltMMin: 1.76, humidity: 21 },
  cleaning: { zone1: 90, zone2: 90, zone3: 90, beltMMin: 0.6, humidity: 12 },
} as const
type Recipe = keyof typeof recipes

/** The day's bread: until which hour each recipe runs. On Sundays the shops want croissants longer. */
function recipeAt(hour: number, weekday: number): Recipe {
  if (hour < 3.5) return 'toast'
  if (hour < 6.5) return 'baguette'
  if (hour < (weekday === 6 ? 11 : 9.5)) return 'croissant'
  if (hour < 11.5) return 'cleaning'
  if (hour < 16) return 'toast'
  if (hour < 19) return 'baguette'
  if (hour < 20.5) return 'cleaning'
  return 'toast'
}

interface State {
  recipe: Recipe
  zone1C: number
  zone2C: number
  zone3C: number
  heat: number
  beltMMin: number
  humidity: number
  gasM3h: number
  gasM3: number
  trays: number
  carryMs: number
  flame: number
  burnerOn: boolean
}

const zones = group('温区', 'Zones')
const belt = group('网带', 'Belt')
const recipe = group('配方', 'Recipe')
const burner = group('燃烧器', 'Burner')

/** A 30 m gas tunnel oven in three zones, baking by the clock. Zone 2's flame rod fouls until the burner trips. */
export const bakeryOven = defineProfile<State>({
  id: 'bakery-oven',
  machineType: 'oven',
  model: 'TG-30',
  firmware: '5.0.8',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '隧道烤炉 2#', en: 'Tunnel oven 2' },
  remark: { cn: '烘焙线', en: 'Bakery' },
  place: {
    lat: 28.1983,
    lng: 113.0947,
    address: {
      cn: '湖南省长沙市长沙县星沙产业基地烘焙工厂',
      en: 'Bakery plant, Xingsha Industrial Base, Changsha County, Hunan, China',
    },
  },
  tags: [
    float(zones, 'zone2_temp', '二区温度', 'Zone 2 temp.', '°C', [20, 280], { deadband: 0.2, keyTag: true }),
    float(zones, 'zone1_temp', '一区温度', 'Zone 1 temp.', '°C', [20, 280], { deadband: 0.2 }),
    float(zones, 'zone3_temp', '三区温度', 'Zone 3 temp.', '°C', [20, 280], { deadband: 0.2 }),
    float(zones, 'zone2_set', '二区设定', 'Zone 2 wanted', '°C', [20, 280]),
    float(zones, 'humidity', '炉内湿度', 'Chamber humidity', '%', [0, 60], { deadband: 0.2 }),
    float(belt, 'belt_speed', '网带速度', 'Belt speed', 'm/min', [0.5, 2.5], { scale: 2, deadband: 0.01 }),
    int(belt, 'trays', '烤盘计数', 'Trays', '', counter),
    text(recipe, 'recipe', '配方', 'Recipe', {
      toast: ['吐司', 'Toast'],
      baguette: ['法棍', 'Baguette'],
      croissant: ['可颂', 'Croissant'],
      cleaning: ['清洁', 'Cleaning'],
    }),
    float(burner, 'burner_output', '燃烧器开度', 'Burner output', '%', [0, 100], { deadband: 0.4 }),
    float(burner, 'flame_signal', '二区火焰信号', 'Zone 2 flame', 'µA', [0, 12], {
      scale: 2,
      deadband: 0.04,
    }),
    float(burner, 'gas_flow', '燃气流量', 'Gas flow', 'm³/h', [0, 80], { deadband: 0.2 }),
    int(burner, 'gas_used', '累计燃气', 'Gas used', 'm³', counter),
    bool(burner, 'burner2_on', '二区燃烧器', 'Zone 2 burner on'),
  ],
  faults: [{ id: 'flame', everyMs: 61 * hourMs, developsMs: 8 * hourMs, standsMs: 18 * minuteMs }],
  alarms: [
    {
      id: 'F-203',
      level: 'critical',
      text: { cn: '二区燃烧器熄火', en: 'Zone 2 burner flame failure' },
      raised: (state) => !state.burnerOn,
    },
    {
      id: 'F-201',
      level: 'minor',
      text: { cn: '二区火焰信号弱', en: 'Zone 2 flame signal weak' },
      raised: (state, was) => above(was, 8 - state.flame, 4.4, 2),
    },
    {
      id: 'T-211',
      level: 'major',
      text: { cn: '二区温度低于设定', en: 'Zone 2 below set-point' },
      // Baguettes want 28 °C more than toast: a change of recipe alone must not raise it.
      raised: (state, was) =>
        !state.burnerOn && above(was, recipes[state.recipe].zone2 - state.zone2C, 34, 12),
    },
  ],
  start: (random, at) => ({
    recipe: 'toast',
    zone1C: 205,
    zone2C: 218,
    zone3C: 196,
    heat: 48,
    beltMMin: recipes.toast.beltMMin,
    humidity: 22,
    gasM3h: 36,
    gasM3: countedSince(at, 30),
    trays: countedSince(at, 170),
    carryMs: random() * 10_000,
    flame: 8,
    burnerOn: true,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = { ...state, recipe: recipeAt(now.hour, now.weekday) }
    const wanted = recipes[next.recipe]
    const fouled = now.severityOf('flame')
    next.flame = clamp(approach(state.flame, 8 - 6.2 * fouled, dtMs, 30_000) + noise(random, 0.03), 0, 12)
    // The controller closes the gas below 2 µA and lights again when the rod is clean.
    next.burnerOn = state.burnerOn ? next.flame > 2 : next.flame > 6.5
    next.zone1C = heated(state.zone1C, wanted.zone1, dtMs) + noise(random, 0.08)
    next.zone2C = heated(state.zone2C, next.burnerOn ? wanted.zone2 : 70, dtMs) + noise(random, 0.08)
    next.zone3C = heated(state.zone3C, wanted.zone3, dtMs) + noise(random, 0.08)
    const short = wanted.zone1 - next.zone1C + (next.burnerOn ? wanted.zone2 - next.zone2C : 0)
    const demand = 0.21 * wanted.zone2 + 0.9 * short - (next.burnerOn ? 0 : 14)
    next.heat = clamp(approach(state.heat, clamp(demand, 6, 97), dtMs, 20_000) + noise(random, 0.2), 0, 100)
    next.gasM3h = clamp(
      approach(state.gasM3h, 0.72 * next.heat + 1, dtMs, 8_000) + noise(random, 0.08),
      0,
      80,
    )
    next.gasM3 += (next.gasM3h * dtMs) / hourMs
    next.beltMMin = ramp(state.beltMMin, wanted.beltMMin, dtMs, 0.004)
    next.humidity = clamp(wander(state.humidity, wanted.humidity, 0.9, dtMs, 6 * minuteMs, random), 0, 60)
    if (next.recipe === 'cleaning') return next
    // A tray every 0.34 m of belt.
    const trayMs = (0.34 / next.beltMMin) * 60_000
    next.carryMs = state.carryMs + dtMs
    while (next.carryMs >= trayMs) {
      next.carryMs -= trayMs
      next.trays += 1
    }
    return next
  },
  read: (state) => ({
    zone1_temp: state.zone1C,
    zone2_temp: state.zone2C,
    zone3_temp: state.zone3C,
    zone2_set: recipes[state.recipe].zone2,
    humidity: state.humidity,
    belt_speed: state.beltMMin,
    trays: state.trays,
    recipe: state.recipe,
    burner_output: state.heat,
    flame_signal: state.flame,
    gas_flow: state.gasM3h,
    gas_used: state.gasM3,
    burner2_on: state.burnerOn,
  }),
})

/** Gas heats quickly; stone and steel let go slowly. */
function heated(celsius: number, wantedC: number, dtMs: number): number {
  return approach(celsius, wantedC, dtMs, (wantedC > celsius ? 6 : 22) * minuteMs)
}
