import type { PortWrite } from '@busbar/link'
import type { Database } from '../../kernel/database/database.ts'
import { untilStored } from '../../kernel/database/until-stored.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type KeptPlace, upsertPlaces } from './visit-changes-store.ts'

/** Of one visit so many places are stored at a time: an agent that tells more makes others wait no longer. */
const storeEveryMs = 250
const storedAtOnceMax = 500

/** Where a tool wrote. */
export interface WrittenPort {
  readonly visitId: number
  readonly machineId: number
  readonly port: string
}

type Told = KeptPlace & Pick<PortWrite, 'tag'>

interface WaitingVisit {
  readonly machineId: number
  readonly places: Map<string, Told>
}

interface Deps {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'listNamedTags'>
  readonly logger: Logger
  /** Places that a visit keeps, stored or waiting; further ones are dropped. */
  readonly placesMax: number
  now(): number
}

/** Stores the writings of tools through ports, as agents tell them: a repeated one changes nothing. */
export class PortWrites {
  readonly #deps: Deps
  /** By visit, of each place all that was told since it was stored. */
  readonly #waiting = new Map<number, WaitingVisit>()
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined
  readonly #stopped = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = every(storeEveryMs, () => this.#store(), this.#deps.logger)
  }

  /** Stores those that wait. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped.abort()
    await this.#storing
    while (this.#waiting.size > 0) await this.#store()
  }

  keep({ visitId, machineId, port }: WrittenPort, writes: readonly PortWrite[]): void {
    const now = this.#deps.now()
    const visit = this.#waiting.get(visitId) ?? { machineId, places: new Map() }
    for (const { firstAgoMs, lastAgoMs, ...write } of writes) {
      const key = [port, write.unit, write.place].join('\n')
      const had = visit.places.get(key)
      if (!had && visit.places.size >= this.#deps.placesMax) continue
      const told = {
        ...write,
        firstAt: now - firstAgoMs,
        lastAt: now - lastAgoMs,
        visitId,
        port,
        tagId: null,
      }
      visit.places.set(key, had ? joined(had, told) : told)
    }
    if (visit.places.size > 0) this.#waiting.set(visitId, visit)
  }

  async #store(): Promise<void> {
    this.#storing ??= this.#storeWaiting().finally(() => {
      this.#storing = undefined
    })
    await this.#storing
  }

  async #storeWaiting(): Promise<void> {
    const { db, logger, placesMax } = this.#deps
    const failed = (error: unknown) => logger.warn({ err: error }, 'portWrites.storePostponed')
    for (const [visitId, { machineId, places }] of [...this.#waiting]) {
      const taken = [...places].slice(0, storedAtOnceMax)
      for (const [key] of taken) places.delete(key)
      if (places.size === 0) this.#waiting.delete(visitId)
      const told = taken.map(([, place]) => place)
      const work = async () => upsertPlaces(db, await this.#withTags(machineId, told), placesMax)
      await untilStored(work, { signal: this.#stopped.signal, failed }).catch((error) =>
        logger.error({ err: error, visit: visitId }, 'portWrites.lost'),
      )
    }
  }

  /** With the variables that the agent named. */
  async #withTags(machineId: number, places: readonly Told[]): Promise<KeptPlace[]> {
    const named = places.flatMap(({ tag }) => (tag ? [{ machineId, group: tag.group, tag: tag.name }] : []))
    const found = await this.#deps.telemetry.listNamedTags(named, 'en')
    const ids = new Map(found.map((tag) => [`${tag.wireGroup}\n${tag.tag}`, tag.tagId]))
    return places.map(({ tag, ...place }) => ({
      ...place,
      tagId: (tag && ids.get(`${tag.group}\n${tag.name}`)) ?? null,
    }))
  }
}

/** Of a place that two streams wrote, or that was told twice: the first value before, and the last after. */
function joined(a: Told, b: Told): Told {
  const [first, last] = [b.firstAt < a.firstAt ? b : a, b.lastAt >= a.lastAt ? b : a]
  return { ...last, from: first.from, firstAt: first.firstAt, tag: b.tag ?? a.tag }
}
