import { above, approach, clamp, noise, ramp, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

const recipes = [
  { recipe: 'toast', zone1: 205, zone2: 218, zone3: 196, beltMMin: 1.07 },
  { recipe: 'baguette', zone1: 238, zone2: 246, zone3: 224, beltMMin: 1.36 },
  { recipe: 'croissant', zone1: 192, zone2: 201, zone3: 184, beltMMin: 1.76 },
] as const
const firstRecipe = recipes[0]

interface State {
  recipeIndex: number
  recipeLeftMs: number
  zone1C: number
  zone2C: number
  zone3C: number
  heat: number
  beltMMin: number
  humidity: number
  gasM3h: number
  trays: number
  carryMs: number
  burnerOn: boolean
}

/** A 30 m gas tunnel oven in three zones; recipes follow one another, zone 2's burner trips now and then. */
export const bakeryOven = defineTrade<State>({
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
    lat: 28.2282,
    lng: 112.9388,
    address: { cn: '湖南省长沙市烘焙工厂', en: 'Bakery plant, Changsha' },
  },
  tags: [
    float('Zones', 'zone2_temp', '二区温度', 'Zone 2 temp.', '°C', [20, 280], {
      deadband: 0.1,
      keyTag: true,
    }),
    float('Zones', 'zone1_temp', '一区温度', 'Zone 1 temp.', '°C', [20, 280], { deadband: 0.1 }),
    float('Zones', 'zone3_temp', '三区温度', 'Zone 3 temp.', '°C', [20, 280], { deadband: 0.1 }),
    float('Zones', 'humidity', '炉内湿度', 'Chamber humidity', '%', [0, 60], { deadband: 0.1 }),
    float('Belt', 'belt_speed', '网带速度', 'Belt speed', 'm/min', [0.5, 2.5], { scale: 2, deadband: 0.01 }),
    int('Belt', 'trays', '烤盘计数', 'Trays', '', counter),
    text('Recipe', 'recipe', '配方', 'Recipe'),
    float('Burner', 'burner_output', '燃烧器开度', 'Burner output', '%', [0, 100], { deadband: 0.3 }),
    float('Burner', 'gas_flow', '燃气流量', 'Gas flow', 'm³/h', [0, 80], { deadband: 0.1 }),
    bool('Burner', 'burner2_on', '二区燃烧器', 'Zone 2 burner on'),
  ],
  faults: [{ id: 'burner', everyMs: 13 * hourMs, lastsMs: 28 * minuteMs }],
  alarms: [
    {
      id: 'F-203',
      level: 'critical',
      text: { cn: '二区燃烧器熄火', en: 'Zone 2 burner flame failure' },
      raised: (state) => !state.burnerOn,
    },
    {
      id: 'T-211',
      level: 'major',
      text: { cn: '二区温度低于设定', en: 'Zone 2 below set-point' },
      // Zone 2 is 28 °C hotter for baguettes than for toast: a change of recipe alone must not raise it.
      raised: (state, was) =>
        above(was, (recipes[state.recipeIndex] ?? firstRecipe).zone2 - state.zone2C, 34, 12),
    },
  ],
  start: (random, at) => ({
    recipeIndex: 0,
    recipeLeftMs: (1 + 2 * random()) * hourMs,
    zone1C: 205,
    zone2C: 218,
    zone3C: 196,
    heat: 48,
    beltMMin: firstRecipe.beltMMin,
    humidity: 22,
    gasM3h: 36,
    trays: countedSince(at, 190),
    carryMs: 0,
    burnerOn: true,
  }),
  step(state, dtMs, random, severityOf) {
    const next = { ...state, recipeLeftMs: state.recipeLeftMs - dtMs }
    if (next.recipeLeftMs <= 0) {
      next.recipeIndex = (state.recipeIndex + 1) % recipes.length
      next.recipeLeftMs = (2 + 2 * random()) * hourMs
    }
    const recipe = recipes[next.recipeIndex] ?? firstRecipe
    const trip = severityOf('burner')
    next.burnerOn = !above(!state.burnerOn, trip, 0.5, 0.2)
    next.zone1C = approach(state.zone1C, recipe.zone1, dtMs, 5 * minuteMs) + noise(random, 0.1)
    next.zone2C =
      approach(state.zone2C, next.burnerOn ? recipe.zone2 : 145, dtMs, (next.burnerOn ? 6 : 14) * minuteMs) +
      noise(random, 0.1)
    next.zone3C = approach(state.zone3C, recipe.zone3, dtMs, 5 * minuteMs) + noise(random, 0.1)
    const short = recipe.zone1 - next.zone1C + (next.burnerOn ? recipe.zone2 - next.zone2C : 0)
    const demand = 18 + 0.14 * recipe.zone2 + 1.4 * short - (next.burnerOn ? 0 : 12)
    next.heat = clamp(approach(state.heat, clamp(demand, 10, 97), dtMs, 20_000) + noise(random, 0.25), 0, 100)
    next.gasM3h = clamp(
      approach(state.gasM3h, 0.72 * next.heat + 1.5, dtMs, 8_000) + noise(random, 0.1),
      0,
      80,
    )
    next.beltMMin = ramp(state.beltMMin, recipe.beltMMin, dtMs, 0.004)
    next.humidity = wander(
      state.humidity,
      22 + (recipe.recipe === 'baguette' ? 8 : 0),
      1.2,
      dtMs,
      3 * minuteMs,
      random,
    )
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
    humidity: clamp(state.humidity, 0, 60),
    belt_speed: state.beltMMin,
    trays: state.trays,
    recipe: (recipes[state.recipeIndex] ?? firstRecipe).recipe,
    burner_output: state.heat,
    gas_flow: state.gasM3h,
    burner2_on: state.burnerOn,
  }),
})
