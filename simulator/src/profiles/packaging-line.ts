import { above, approach, clamp, eventsOf, noise, ramp, wander } from '../dynamics.ts'
import { isShift, twoShifts, workedShare } from '../plant-time.ts'
import { countedSince, defineProfile, hourMs, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const recipes = ['250x12', '500x12', '500x24'] as const

interface State {
  packsMin: number
  setPacksMin: number
  producing: boolean
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
  reelLeftMs: number
  airL: number
  oee: number
}

const line = group('产线', 'Line')
const count = group('计数', 'Count')
const seal = group('封口', 'Seal')
const film = group('膜卷', 'Film')
const utilities = group('公用工程', 'Utilities')

/** A shrink-wrap line in two shifts: short stops belong to it; its infeed wears until it jams again and again. */
export const packagingLine = defineProfile<State>({
  id: 'packaging-line',
  machineType: 'packaging',
  model: 'PK-60S',
  firmware: '6.2.0',
  network: { kind: 'WiFi', signalDbm: -67 },
  speaks: 'sparkplug',
  presence: 'rough',
  name: { cn: '包装线 PK-3', en: 'Packaging line PK-3' },
  remark: { cn: '越南收缩膜', en: 'Shrink' },
  place: {
    lat: 10.9237,
    lng: 106.7132,
    address: {
      cn: '越南平阳省顺安市新加坡工业园饮料厂',
      en: 'Beverage plant, VSIP I, Thuan An, Binh Duong, Vietnam',
    },
    utcOffsetHours: 7,
    isUntold: true,
  },
  tags: [
    float(line, 'speed', '线速', 'Line speed', 'packs/min', [0, 60], { deadband: 0.3, keyTag: true }),
    int(line, 'speed_sp', '线速设定', 'Speed set-point', 'packs/min', [20, 56], { writable: true }),
    text(line, 'line_state', '状态', 'State', {
      running: ['运行', 'Running'],
      stopped: ['短停', 'Short stop'],
      changeover: ['换型', 'Changeover'],
      reel: ['换膜', 'Reel change'],
      off: ['停产', 'Off shift'],
    }),
    text(line, 'recipe', '规格', 'Format', {
      '250x12': ['250 毫升 × 12', '250 ml × 12'],
      '500x12': ['500 毫升 × 12', '500 ml × 12'],
      '500x24': ['500 毫升 × 24', '500 ml × 24'],
    }),
    bool(line, 'infeed_blocked', '进料堵塞', 'Infeed blocked'),
    int(count, 'packs', '包数', 'Packs', '', counter),
    int(count, 'rejects', '剔除数', 'Rejects', '', counter),
    float(count, 'oee', '综合效率', 'OEE', '%', [0, 100], { deadband: 0.2 }),
    float(seal, 'seal_temp', '封口温度', 'Seal temp.', '°C', [15, 220], { deadband: 0.2 }),
    float(film, 'film_left', '膜卷余量', 'Film left', '%', [0, 100], { deadband: 0.2 }),
    float(utilities, 'air_use', '用气量', 'Air use', 'L/min', [0, 900], { scale: 0, deadband: 8 }),
  ],
  faults: [{ id: 'infeed', everyMs: 47 * hourMs, developsMs: 8 * hourMs, standsMs: 30 * minuteMs }],
  alarms: [
    {
      id: 'J-040',
      level: 'major',
      text: { cn: '进料反复堵塞', en: 'Infeed keeps jamming' },
      raised: (state, was) => state.producing && above(was, 85 - state.oee, 27, 17),
    },
    {
      id: 'F-011',
      level: 'info',
      text: { cn: '膜卷将尽', en: 'Film reel nearly empty' },
      raised: (state, was) => state.producing && above(was, 100 - state.filmPercent, 98, 50),
    },
  ],
  start: (random, at) => ({
    packsMin: 47,
    setPacksMin: 48,
    producing: true,
    stopLeftMs: 0,
    jammed: false,
    recipeIndex: Math.floor(random() * recipes.length),
    changeLeftMs: 0,
    untilChangeMs: (1 + 4 * random()) * hourMs,
    packs: countedSince(at, 2_350 * workedShare(twoShifts)),
    carry: 0,
    rejects: countedSince(at, 12 * workedShare(twoShifts)),
    sealC: 168,
    filmPercent: 15 + 80 * random(),
    reelLeftMs: 0,
    airL: 520,
    oee: 84,
  }),
  step(state, dtMs, now) {
    const { random } = now
    const next = {
      ...state,
      stopLeftMs: Math.max(0, state.stopLeftMs - dtMs),
      changeLeftMs: Math.max(0, state.changeLeftMs - dtMs),
      reelLeftMs: Math.max(0, state.reelLeftMs - dtMs),
    }
    next.producing = isShift(twoShifts, now)
    if (next.producing) interrupt(next, dtMs, random, now.severityOf('infeed'))
    if (next.stopLeftMs === 0) next.jammed = false
    const held = !next.producing || next.stopLeftMs + next.changeLeftMs + next.reelLeftMs > 0
    next.packsMin = ramp(state.packsMin, held ? 0 : state.setPacksMin, dtMs, held ? 12 : 3)
    if (!held && next.packsMin > 5) next.packsMin = clamp(next.packsMin + noise(random, 0.22), 0, 60)
    next.carry = state.carry + (next.packsMin * dtMs) / minuteMs
    const made = Math.floor(next.carry)
    next.carry -= made
    next.packs += made
    next.rejects += eventsOf((next.packsMin / 48) * 6, dtMs, random)
    next.sealC = wander(state.sealC, next.producing ? 168 : 60, 0.6, dtMs, 6 * minuteMs, random)
    next.sealC = clamp(next.sealC, 15, 220)
    // A reel wraps 16,000 packs.
    next.filmPercent = Math.max(0, next.filmPercent - (next.packsMin * dtMs) / minuteMs / 160)
    const airL = next.producing ? 90 + 9 * next.packsMin : 35
    next.airL = clamp(approach(state.airL, airL, dtMs, 4_000) + noise(random, 2), 0, 900)
    // Outside of production the figure of the shift stays.
    if (next.producing) {
      const now100 = next.changeLeftMs > 0 ? 74 : (next.packsMin / state.setPacksMin) * 92
      next.oee = clamp(approach(state.oee, now100, dtMs, 25 * minuteMs), 0, 100)
    }
    return next
  },
  read: (state) => ({
    speed: state.packsMin,
    speed_sp: state.setPacksMin,
    line_state: stateOf(state),
    recipe: recipes[state.recipeIndex] ?? recipes[0],
    infeed_blocked: state.jammed,
    packs: state.packs,
    rejects: state.rejects,
    oee: state.oee,
    seal_temp: state.sealC,
    film_left: state.filmPercent,
    air_use: state.airL,
  }),
  write: (state, name, value) =>
    name === 'speed_sp' && typeof value === 'number' ? { ...state, setPacksMin: value } : state,
})

/** The causes of stops: changeovers by the plan, reels that are empty, short stops by chance and wear. */
function interrupt(next: State, dtMs: number, random: () => number, worn: number): void {
  next.untilChangeMs -= dtMs
  if (next.untilChangeMs <= 0) {
    next.untilChangeMs = (3 + 4 * random()) * hourMs
    next.changeLeftMs = 9 * minuteMs
    next.recipeIndex = (next.recipeIndex + 1) % recipes.length
  }
  if (next.filmPercent < 0.5) {
    next.filmPercent = 100
    next.reelLeftMs = 2.5 * minuteMs
  }
  // A few an hour, one every two minutes while the infeed is out of true.
  if (next.stopLeftMs === 0 && eventsOf(5 + 34 * worn, dtMs, random) > 0) {
    next.stopLeftMs = (20 + 50 * random()) * 1000
    next.jammed = true
    next.rejects += 1 + Math.floor(random() * 4)
  }
}

function stateOf(state: State): string {
  if (!state.producing) return 'off'
  if (state.changeLeftMs > 0) return 'changeover'
  if (state.reelLeftMs > 0) return 'reel'
  return state.stopLeftMs > 0 ? 'stopped' : 'running'
}
