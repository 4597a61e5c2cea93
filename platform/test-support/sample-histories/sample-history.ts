import { sql } from 'kysely'
import { Failure } from '../../src/kernel/http/failure.ts'
import { listTagVersions } from '../../src/modules/telemetry/index.ts'
import type { Act, History } from '../histories/history.ts'
import type { Random } from '../histories/random.ts'
import { differenceOf, isLike, isSame, show } from './compare-answers.ts'
import { drawMessage } from './draw-messages.ts'
import { drawQuestion } from './draw-questions.ts'
import { answerSpark, answerStatistics, answerTag, type Question } from './sample-answers.ts'
import { counts, ModelMachine, type ModelTag } from './sample-model.ts'
import { type PlantFault, StoreRig } from './store-rig.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const machinesCount = 3
const burstMax = 16
const faultsMax = 3

/** The statistics that averages cannot give. */
const timeless = { timeMean: null, delta: null, states: null, knownMs: null, badMs: null, gapMs: null }

interface Step {
  readonly act: string
  run(world: World, random: Random): Promise<unknown> | undefined
}

const act = (name: string, weight: number, run: Step['run']): [string, Act<World, Step>] => [
  name,
  { weight, draw: () => ({ act: name, run }) },
]

/** A random history of a store of samples, whose answers are those of a model in memory. */
export const sampleHistory = (plant?: PlantFault): History<World, Step> => ({
  acts: Object.fromEntries([
    act('send', 160, (world, random) => world.send(1 + random.below(burstMax), random)),
    act('wait', 20, ({ rig }, random) => {
      rig.clock += random.below(random.pick([minuteMs, hourMs, 3 * hourMs, 26 * hourMs]))
      return undefined
    }),
    act('housekeep', 8, ({ rig }, random) => rig.housekeep(random.pick(['flush', 'jobs', 'both']))),
    act('restart', 2, (world) => world.begin(() => world.rig.restart())),
    act('kill', 2, (world, random) =>
      world.begin(() => world.rig.kill(random.pick(['nothing', 'flush', 'jobs', 'move']), random.below(20))),
    ),
    act('move', 4, ({ rig }, random) => rig.move(random.chance(0.2))),
    act('changeOwner', 1, async ({ rig, machines }, random) => {
      const machine = random.pickAny(machines)
      if (!machine) return
      await rig.changeOwner(machine.machineId)
      machine.disown(rig.clock)
    }),
  ]),
  atOnceMax: 1,
  open: async () => World.open(await StoreRig.open(plant)),
  // A third of the history is of version 1.5.
  pass: async (world, _, share) => {
    if (share > 1 / 3) await world.turnBack()
  },
  async play(world, { steps, random, note }) {
    for (const { act, run } of steps) {
      note(act)
      await run(world, random)
    }
    await world.ask(random)
    return world.faults
  },
  async end(world) {
    await world.askAll()
    return world.faults
  },
  close: ({ rig }) => rig.close(),
})

/** A store and its model. */
class World {
  readonly rig: StoreRig
  readonly machines: readonly ModelMachine[]
  readonly faults: string[] = []
  #isTurned = false

  private constructor(rig: StoreRig, machines: readonly ModelMachine[]) {
    this.rig = rig
    this.machines = machines
  }

  static async open(rig: StoreRig): Promise<World> {
    const machines: ModelMachine[] = []
    while (machines.length < machinesCount)
      machines.push(new ModelMachine(await rig.createMachine(), rig.clock - 1))
    return new World(rig, machines)
  }

  get #tags(): ModelTag[] {
    return this.machines.flatMap((one) => [...one.retired, ...one.tags.values()])
  }

  /** The stored samples become as version 1.5 left them, once. */
  async turnBack(): Promise<void> {
    if (this.#isTurned) return
    this.#isTurned = true
    await this.begin(() => this.rig.turnBack(this.#tags))
  }

  /** The store begins anew, after its end in some way. */
  async begin(end: () => Promise<void>): Promise<void> {
    this.rig.clock++
    await end()
    for (const machine of this.machines) machine.restart(this.rig.clock)
  }

  /** Messages of several machines at once: those of one machine are stored in the order in which they came. */
  async send(count: number, random: Random): Promise<void> {
    const sent: Promise<unknown>[] = []
    for (let place = 0; place < count; place++) {
      this.rig.clock += 1 + random.below(random.pick([5, 2_000, 20_000]))
      const machine = random.pickAny(this.machines)
      if (!machine) continue
      const now = this.rig.clock
      const records = drawMessage(random, machine, now)
      sent.push(this.rig.telemetry.append(machine.machineId, records))
      for (const record of records) machine.take(record, now)
      // A later message of this burst could replace a new version before its id is known.
      if ([...machine.tags.values()].some(({ id }) => id === 0)) break
    }
    await Promise.all(sent)
    await this.#learnIds()
  }

  async #learnIds(): Promise<void> {
    for (const machine of this.machines) {
      if (![...machine.tags.values()].some(({ id }) => id === 0)) continue
      for (const { tag, tagId } of await this.rig.telemetry.listTags(machine.machineId, 'en')) {
        const known = machine.tags.get(tag)
        if (known) known.id = tagId
      }
    }
  }

  async ask(random: Random): Promise<void> {
    const question = () => drawQuestion(random, this.#tags, this.rig.clock)
    await this.#askHistory(question())
    const machine = random.pickAny(this.machines)
    if (random.chance(0.5))
      await this.#askStatistics(question(), random.pick([undefined, undefined, random.below(300)]))
    if (machine && random.chance(0.2)) await this.#askLatest(machine)
    if (machine && random.chance(0.1)) await this.#askSparks(machine)
    if (machine && random.chance(0.1))
      await this.#askPast(machine, this.rig.clock - random.below(2 * dayMs), random.below(dayMs))
  }

  /** Every sample of every tag, and the newest values. */
  async askAll(): Promise<void> {
    const to = this.rig.clock + hourMs
    for (const machine of this.machines) {
      const tags = [...machine.retired, ...machine.tags.values()]
      const whole = { tags, from: to - 500 * dayMs, to, points: undefined, intervalMs: undefined }
      await this.#askHistory({ ...whole, agg: 'avg', intervalMs: hourMs })
      await this.#askStatistics({ ...whole, agg: 'avg' })
      for (let from = whole.from; from < to; from += 10 * dayMs)
        await this.#askHistory({ ...whole, agg: 'raw', from, to: from + 10 * dayMs })
      await this.#askLatest(machine)
      await this.#askSparks(machine)
    }
  }

  async #askHistory(question: Question): Promise<void> {
    const { tags, from, to, agg, points, intervalMs } = question
    const asked = { from, to, points, intervalMs, agg, lang: 'en' } as const
    const { series, gaps } = await this.rig.telemetry.history({
      ...asked,
      tagIds: tags.map(({ id }) => id),
    })
    if (gaps.length > 0) this.#tell('history', asked, `gaps are ${show(gaps)}`)
    for (const [place, tag] of tags.entries()) {
      const given = series[place]
      const difference = given ? differenceOf(given, answerTag(tag, question)) : 'it is missing'
      if (difference) this.#tell(`history of ${tag.id} ${tag.name} (${tag.type})`, asked, difference)
    }
  }

  /** With few allowed samples, numbers come from averages: then the statistics that depend on time are missing. */
  async #askStatistics({ tags, from, to }: Question, samplesMax?: number): Promise<void> {
    const asked = { from, to, samplesMax }
    const told = await this.rig.telemetry
      .statistics({ ...asked, tagIds: tags.map(({ id }) => id) })
      .catch((error: unknown) => {
        if (samplesMax !== undefined && error instanceof Failure) return undefined
        throw error
      })
    if (!told) return
    const { rows: retired } = await sql<{ id: number; at: Date }>`
      select id, retired_at as at from tags where retired_at is not null`.execute(this.rig.db)
    const now = this.rig.clock
    for (const [place, tag] of tags.entries()) {
      const retiredAt = retired.find(({ id }) => id === tag.id)?.at.getTime() ?? Number.POSITIVE_INFINITY
      const given = told[place]
      const expected = answerStatistics(tag, { from, to, now, retiredAt }).map((one) =>
        given?.basis === 'samples' ? one : { ...one, ...timeless, ...(given?.delta && { delta: one.delta }) },
      )
      if (
        expected.some((one) => isLike(given, one)) &&
        (samplesMax !== undefined || given?.basis === 'samples')
      )
        continue
      this.#tell(
        `statistics of ${tag.id} ${tag.name} (${tag.type})`,
        asked,
        `${show(given)} is not ${expected.map(show)}`,
      )
    }
  }

  async #askLatest(machine: ModelMachine): Promise<void> {
    const given = new Map(
      (await this.rig.telemetry.listLatest(machine.machineId)).map((one) => [one.tagId, one]),
    )
    for (const { id, name, newest } of machine.tags.values()) {
      const told = given.get(id)
      const isGone = newest !== undefined && newest.heardAt <= machine.staleAt
      const expected = newest && {
        value: newest.value,
        quality: isGone ? 'stale' : newest.quality,
        time: newest.at,
      }
      const isEqual = told
        ? told.value === expected?.value && told.quality === expected.quality && told.time === expected.time
        : !expected
      const text = (value: object | undefined) =>
        show({ ...value, value: String((value as { value?: unknown })?.value) })
      if (!isEqual) this.#tell(`newest of ${id} ${name}`, {}, `it is ${text(told)}, not ${text(expected)}`)
    }
  }

  async #askSparks(machine: ModelMachine): Promise<void> {
    const tags = [...machine.tags.values()]
    const given = await this.rig.telemetry.sparks(tags.map(({ id }) => id))
    for (const tag of tags) {
      const expected = answerSpark(tag, this.rig.clock)
      const told = given.get(tag.id)
      const place = expected?.findIndex((mean, at) => !isSame(told?.[at], mean)) ?? -1
      if (place >= 0)
        this.#tell(
          `spark of ${tag.id} ${tag.name}`,
          {},
          `bucket ${place} is ${told?.[place]}, not ${show(expected?.[place])}`,
        )
    }
  }

  /** The samples that rules are tried on. */
  async #askPast(machine: ModelMachine, from: number, spanMs: number): Promise<void> {
    const span = { from, to: from + spanMs }
    const named = Array.from(machine.tags.keys(), (name) => ({
      machineId: machine.machineId,
      group: '',
      name,
    }))
    const versions = await listTagVersions(this.rig.db, named)
    const given = Map.groupBy(await this.rig.telemetry.listPastSamples(versions, span), ({ tagId }) => tagId)
    const isCurrent = (tag: ModelTag) => machine.tags.has(tag.name)
    for (const tag of [...machine.retired.filter(isCurrent), ...machine.tags.values()]) {
      const samples = tag.within(span.from, span.to)
      if (samples.some(({ at }) => tag.doubled.has(at))) continue
      const text = ({ at, value }: { at: number; value: unknown }) => `${at} ${typeof value} ${value}`
      const expected = samples.filter(counts).map(text)
      const told = (given.get(tag.id) ?? []).map(text)
      if (told.join() !== expected.join())
        this.#tell(
          `past samples of ${tag.id} ${tag.name}`,
          span,
          `they are ${show(told)}, not ${show(expected)}`,
        )
    }
  }

  #tell(of: string, asked: object, difference: string): void {
    if (this.faults.length < faultsMax) this.faults.push(`${of}, ${JSON.stringify(asked)}: ${difference}`)
  }
}
