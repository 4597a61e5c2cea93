import type { Random } from '../histories/random.ts'
import { ruleLimit } from './alarm-fixture.ts'
import type { Message } from './alarm-machine.ts'

const levels = ['critical', 'major', 'major', 'minor', 'info'] as const
const keys = ['pressure', 'level', 'door'] as const
/** The text of one alarm in five is longer than an SMS. */
const longText = ` ${'the cooling water is away '.repeat(4)}`

/** An alarm as the machine sent it, by the mark in its text. */
export interface ToldAlarm {
  readonly isRule: boolean
  readonly level: string
  count: number
  isOpen: boolean
}

/** Draws messages of a machine, and keeps which alarms they are. */
export class Traffic {
  readonly alarms = new Map<string, ToldAlarm>()
  readonly #random: Random
  readonly #hasRule: boolean
  readonly #open = new Map<string, string>()
  #lastMark: number
  #hot: string | undefined
  #lastAt = 0

  constructor(random: Random, hasRule: boolean) {
    this.#random = random
    this.#hasRule = hasRule
    this.#lastMark = ruleLimit + random.below(100) * 1_000
  }

  /** The next message, at an instant of the machine's clock. */
  draw(now: number): Message {
    const ts = Math.max(now, this.#lastAt + 1)
    this.#lastAt = ts
    if (this.#hasRule && this.#random.chance(0.3)) return this.#drawValue(ts)
    const key = this.#random.pick(keys)
    const mark = this.#open.get(key)
    const alarm = mark === undefined ? undefined : this.alarms.get(mark)
    if (!mark || !alarm) return this.#raise(key, ts)
    if (this.#random.chance(0.5)) {
      alarm.count++
      return this.#messageOf(key, mark, alarm.level, ts)
    }
    alarm.isOpen = false
    this.#open.delete(key)
    return { topic: 'alarms', payload: { id: key, state: 'cleared', ts } }
  }

  #raise(key: string, ts: number): Message {
    const mark = `T${++this.#lastMark}Z`
    const level = this.#random.pick(levels)
    this.alarms.set(mark, { isRule: false, level, count: 1, isOpen: true })
    this.#open.set(key, mark)
    return this.#messageOf(key, mark, level, ts)
  }

  #messageOf(key: string, mark: string, level: string, ts: number): Message {
    const text = `${mark}${Number(mark.slice(1, -1)) % 5 === 0 ? longText : ''}`
    return { topic: 'alarms', payload: { id: key, state: 'raised', level, text, ts } }
  }

  #drawValue(ts: number): Message {
    const isHot = this.#hot === undefined
    const value = isHot ? ++this.#lastMark : 20
    if (this.#hot !== undefined) {
      const alarm = this.alarms.get(this.#hot)
      if (alarm) alarm.isOpen = false
    }
    this.#hot = isHot ? `T${value}Z` : undefined
    if (this.#hot) this.alarms.set(this.#hot, { isRule: true, level: 'major', count: 1, isOpen: true })
    return { topic: 'telemetry', payload: { ts, values: { temp: value } } }
  }
}
