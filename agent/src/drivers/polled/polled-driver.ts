import { Quality } from '@busbar/link'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { errorReason } from '../../log.ts'
import type { Reading, Tag, TagValue } from '../../tag.ts'
import { scaleValue, unscaleValue } from '../../tag.ts'
import type { Driver, TagTrouble } from '../driver.ts'
import { allBad, badReading, ControllerAway, Refused } from '../driver.ts'
import { Turns } from '../turns.ts'
import type { LineOptions } from './line-options.ts'
import { OpenFailed, PolledLine } from './polled-line.ts'
import { Presence } from './presence.ts'
import type { OpenLine, Protocol, Question, TagAnswer } from './protocol.ts'
import { TagMemory } from './tag-memory.ts'
import { TagTroubles } from './tag-troubles.ts'

/** The most questions that stay without an answer in one poll, as each costs a timeout; the rest waits for the next one. */
const faultsMax = 2

export interface PolledConnection extends Pick<LineOptions, 'closeAfterPoll'> {
  name: string
  tags: readonly Tag[]
}

export interface PolledParts<Line extends OpenLine, Asked extends Question> {
  /** The kind of driver, for the log. */
  driver: string
  connection: PolledConnection
  protocol: Protocol<Line, Asked>
  clock: Clock
  log: Log
  onClose?: () => void
}

/** The results of one poll so far. */
class Poll {
  readonly readings: Reading[]
  answers = 0
  faults = 0
  /** Tags whose own questions were not answered. */
  readonly silent = new Set<number>()
  fault: unknown = null

  constructor(tagCount: number) {
    this.readings = allBad(tagCount)
  }
}

/** A driver that asks its controller for values; the protocol plans and reads the questions. */
export class PolledDriver<Line extends OpenLine, Asked extends Question> implements Driver {
  readonly #parts: PolledParts<Line, Asked>
  readonly #tags: readonly Tag[]
  readonly #presence: Presence
  readonly #line: PolledLine<Line>
  readonly #memory: TagMemory
  readonly #troubles: TagTroubles
  readonly #turns = new Turns()
  #plan: { line: Line; tags: readonly number[]; questions: Asked[] } | null = null
  /** The question with which a poll begins: another one each time as long as none is answered. */
  #firstQuestion = 0

  constructor(parts: PolledParts<Line, Asked>) {
    const { connection, protocol } = parts
    this.#parts = parts
    this.#tags = connection.tags
    this.#memory = new TagMemory(connection.tags.length)
    this.#troubles = new TagTroubles({ ...parts, ...connection })
    this.#presence = new Presence(parts.driver, connection.name, parts.log)
    this.#line = new PolledLine({ clock: parts.clock, presence: this.#presence, open: () => protocol.open() })
  }

  poll(): Promise<Reading[]> {
    return this.#turns.take(async () => {
      const poll = new Poll(this.#tags.length)
      await this.#gather(poll, async () => {
        await this.#pollTogether(poll)
        await this.#pollAlone(poll)
      })
      if (this.#line.isClosed) return allBad(this.#tags.length)
      if (poll.answers > 0) {
        this.#presence.back()
        this.#firstQuestion = 0
        this.#park(poll)
        this.#troubles.tell()
      } else if (poll.fault !== null) {
        this.#line.away(poll.fault)
        this.#memory.acquit()
        this.#firstQuestion++
      }
      return poll.readings
    })
  }

  read(index: number): Promise<Reading> {
    return this.#turns.take(async () => {
      const poll = new Poll(this.#tags.length)
      await this.#gather(poll, () => this.#askAlone(poll, index))
      this.#troubles.tell()
      return poll.readings[index] ?? badReading(index)
    })
  }

  write(index: number, value: TagValue): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#line.isResting) throw new ControllerAway()
      const raw = unscaleValue(this.#tags[index] as Tag, value)
      try {
        // A write is not repeated, so another question finds out first whether the line is forgotten at the other end.
        if (this.#line.isIdle) await this.#askAlone(new Poll(this.#tags.length), index)
        await this.#line.askOnce((line) => this.#parts.protocol.write(line, index, raw))
      } catch (error) {
        if (error instanceof Refused) throw error
        if (error instanceof OpenFailed) throw new ControllerAway()
        throw new Error(`the controller did not answer (${errorReason(error)})`)
      }
    })
  }

  get isOpen(): boolean {
    return this.#line.isOpen
  }

  /** Uses the line between two polls, also while the controller rests; see `Protocol.read` for faults. */
  borrow<T>(use: (line: Line) => Promise<T>): Promise<T> {
    return this.#turns.take(() => this.#line.ask(use))
  }

  troubles(): readonly TagTrouble[] {
    return this.#troubles.list()
  }

  async close(): Promise<void> {
    this.#line.close()
    this.#parts.onClose?.()
  }

  async #gather(poll: Poll, ask: () => Promise<void>): Promise<void> {
    if (this.#line.isResting) return
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof OpenFailed)) throw error
      poll.fault ??= error
    }
    if (this.#parts.connection.closeAfterPoll) this.#line.drop()
  }

  async #pollTogether(poll: Poll): Promise<void> {
    const { clock, protocol } = this.#parts
    const again = this.#memory.againAt(clock.monotonic())
    const questions = [
      ...(await this.#questions()),
      ...(again.length === 0 ? [] : protocol.plan(await this.#line.open(), again)),
    ]
    for (let place = 0; place < questions.length && poll.faults < faultsMax; place++) {
      const question = questions[(place + this.#firstQuestion) % questions.length] as Asked
      if (await this.#ask(poll, question)) continue
      const indexes = question.items.map(({ index }) => index)
      if (indexes.length === 1) poll.silent.add(indexes[0] as number)
      this.#memory.suspect(indexes)
    }
  }

  /** Asks for one tag after the other, until one is silent. */
  async #pollAlone(poll: Poll): Promise<void> {
    for (const index of this.#memory.aloneAt(this.#parts.clock.monotonic())) {
      if (poll.faults >= faultsMax) return
      if (poll.silent.has(index)) continue
      await this.#askAlone(poll, index)
      if (poll.silent.has(index)) return this.#memory.passOver(index)
    }
  }

  async #askAlone(poll: Poll, index: number): Promise<void> {
    const questions = this.#parts.protocol.plan(await this.#line.open(), [index])
    for (const question of questions) if (!(await this.#ask(poll, question))) poll.silent.add(index)
  }

  /** The questions for all tags that are read together, planned again when these or the line have changed. */
  async #questions(): Promise<readonly Asked[]> {
    const line = await this.#line.open()
    const tags = this.#memory.together
    if (this.#plan?.line !== line || this.#plan.tags !== tags)
      this.#plan = { line, tags, questions: this.#parts.protocol.plan(line, tags) }
    return this.#plan.questions
  }

  /** Resolves to whether the controller answered; rejects with `OpenFailed`. */
  async #ask(poll: Poll, question: Asked): Promise<boolean> {
    const { protocol } = this.#parts
    try {
      const answers = await this.#line.ask((line) =>
        protocol.read(line, question, () => {
          this.#plan = null
        }),
      )
      poll.answers++
      for (const answer of answers) this.#take(poll, answer)
      return true
    } catch (error) {
      poll.fault = error
      poll.faults++
      if (error instanceof OpenFailed || this.#line.isClosed) throw new OpenFailed(errorReason(error))
      return false
    }
  }

  #take({ readings }: Poll, answer: TagAnswer): void {
    const { index } = answer
    if ('refusal' in answer) {
      this.#memory.refused(index, answer.retry, this.#parts.clock.monotonic())
      this.#troubles.add(index, answer.refusal)
      return
    }
    this.#memory.answered(index)
    this.#troubles.remove(index)
    const tag = this.#tags[index] as Tag
    const quality = answer.isDoubtful ? Quality.uncertain : Quality.good
    readings[index] = { index, value: scaleValue(tag, answer.value), quality }
  }

  /** The controller answers others, so these tags are to blame. */
  #park({ silent, fault }: Poll): void {
    for (const index of silent)
      if (this.#memory.silent(index, this.#parts.clock.monotonic()))
        this.#troubles.add(index, `not answered, and others are (${errorReason(fault)})`)
  }
}
