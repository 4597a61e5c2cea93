import { above, approach, clamp, eventsOf, noise, ramp, wander } from '../dynamics.ts'
import { bool, counter, float, int, text } from './tags.ts'
import { countedSince, defineTrade, hourMs, minuteMs } from './trade.ts'

const recipes = ['250 ml x 12', '500 ml x 12', '500 ml x 24'] as const

interface State {
  packsMin: number
  setPacksMin: number
  stopLeftMs: number
  jammed: boolean
  recipeIndex: number
  changeLeftMs: number
  untilChangeMs: number
  packs: number
  carry: number
  rejects: number
  sealC: number
  filmPercent: number
  airL: number
  oee: number
}

/** A shrink-wrap line: short stops belong to it, and now and then the infeed jams again and again. */
export const packagingLine = defineTrade<State>({
  id: 'packaging-line',
  machineType: 'packaging',
  model: 'PK-60S',
  firmware: '6.2.0',
  network: { kind: 'WiFi', signalDbm: -67 },
  speaks: 'sparkplug',
  presence: 'rough',
  name: { cn: '包装线 PK-3', en: 'Packaging line PK-3' },
  remark: { cn: '收缩膜', en: 'Shrink' },
  place: {
    lat: 22.5431,
    lng: 114.0579,
    address: { cn: '广东省深圳市饮料包装车间', en: 'Beverage packing hall, Shenzhen' },
  },
  tags: [
    float('Line', 'speed', '线速', 'Line speed', 'packs/min', [0, 60], { deadband: 0.3, keyTag: true }),
    int('Line', 'speed_sp', '线速设定', 'Speed set-point', 'packs/min', [20, 56], { writable: true }),
    text('Line', 'line_state', '状态', 'State'),
    text('Line', 'recipe', '规格', 'Format'),
    int('Count', 'packs', '包数', 'Packs', '', counter),
    int('Count', 'rejects', '剔除数', 'Rejects', '', counter),
    float('Count', 'oee', '综合效率', 'OEE', '%', [0, 100], { deadband: 0.1 }),
    float('Seal', 'seal_temp', '封口温度', 'Seal temp.', '°C', [100, 220], { deadband: 0.2 }),
    float('Film', 'film_left', '膜卷余量', 'Film left', '%', [0, 100], { deadband: 0.2 }),
    float('Utilities', 'air_use', '用气量', 'Air use', 'L/min', [0, 900], { scale: 0, deadband: 6 }),
    bool('Line', 'infeed_blocked', '进料堵塞', 'Infeed blocked'),
  ],
  faults: [{ id: 'infeed', everyMs: 11 * hourMs, lastsMs: 35 * minuteMs }],
  alarms: [
    {
      id: 'J-040',
      level: 'major',
      text: { cn: '进料反复堵塞', en: 'Infeed keeps jamming' },
      raised: (state, was) => above(was, 82 - state.oee, 22, 14),
    },
    {
      id: 'F-011',
      level: 'info',
      text: { cn: '膜卷将尽', en: 'Film reel nearly empty' },
      raised: (state, was) => above(was, 100 - state.filmPercent, 94, 50),
    },
  ],
  start: (random, at) => ({
    packsMin: 47,
    setPacksMin: 48,
    stopLeftMs: 0,
    jammed: false,
    recipeIndex: Math.floor(random() * recipes.length),
    changeLeftMs: 0,
    untilChangeMs: (1 + 4 * random()) * hourMs,
    packs: countedSince(at, 2_350),
    carry: 0,
    rejects: countedSince(at, 9),
    sealC: 168,
    filmPercent: 15 + 80 * random(),
    airL: 520,
    oee: 84,
  }),
  step(state, dtMs, random, severityOf) {
    const next = {
      ...state,
      stopLeftMs: Math.max(0, state.stopLeftMs - dtMs),
      changeLeftMs: Math.max(0, state.changeLeftMs - dtMs),
      untilChangeMs: state.untilChangeMs - dtMs,
    }
    if (next.untilChangeMs <= 0) {
      next.untilChangeMs = (3 + 4 * random()) * hourMs
      next.changeLeftMs = 9 * minuteMs
      next.recipeIndex = (state.recipeIndex + 1) % recipes.length
    }
    // Short stops: a few an hour, one every two minutes while the infeed is out of true.
    const stopsPerHour = 5 + 32 * severityOf('infeed')
    if (next.stopLeftMs === 0 && eventsOf(stopsPerHour, dtMs, random) > 0) {
      next.stopLeftMs = (20 + 50 * random()) * 1000
      next.jammed = true
      next.rejects += 1 + Math.floor(random() * 4)
    }
    if (next.stopLeftMs === 0) next.jammed = false
    const stopped = next.stopLeftMs > 0 || next.changeLeftMs > 0
    next.packsMin = ramp(state.packsMin, stopped ? 0 : state.setPacksMin, dtMs, stopped ? 12 : 3)
    if (!stopped && next.packsMin > 5) next.packsMin = clamp(next.packsMin + noise(random, 0.22), 0, 60)
    next.carry = state.carry + (next.packsMin * dtMs) / minuteMs
    const made = Math.floor(next.carry)
    next.carry -= made
    next.packs += made
    next.rejects += eventsOf((next.packsMin / 48) * 6, dtMs, random)
    next.sealC = wander(state.sealC, 168, 0.7, dtMs, 90_000, random)
    next.filmPercent = state.filmPercent < 2 ? 100 : state.filmPercent - next.packsMin * (dtMs / hourMs) * 0.3
    next.airL = clamp(approach(state.airL, 90 + 9 * next.packsMin, dtMs, 4_000) + noise(random, 3), 0, 900)
    next.oee = clamp(
      approach(
        state.oee,
        next.changeLeftMs > 0 ? 74 : (next.packsMin / state.setPacksMin) * 91,
        dtMs,
        8 * minuteMs,
      ),
      0,
      100,
    )
    return next
  },
  read: (state) => ({
    speed: state.packsMin,
    speed_sp: state.setPacksMin,
    line_state: state.changeLeftMs > 0 ? 'changeover' : state.stopLeftMs > 0 ? 'stopped' : 'running',
    recipe: recipes[state.recipeIndex] ?? recipes[0],
    packs: state.packs,
    rejects: state.rejects,
    oee: state.oee,
    seal_temp: state.sealC,
    film_left: state.filmPercent,
    air_use: state.airL,
    infeed_blocked: state.jammed,
  }),
  write: (state, name, value) =>
    name === 'speed_sp' && typeof value === 'number' ? { ...state, setPacksMin: value } : state,
})
