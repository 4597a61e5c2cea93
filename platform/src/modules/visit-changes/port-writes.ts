import type { PortWrite } from '@busbar/link'
import type { Database } from '../../kernel/database/database.ts'
import { untilStored } from '../../kernel/database/until-stored.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type KeptPlace, upsertPlaces } from './visit-changes-store.ts'

const storeEveryMs = 250
/** Places that wait for a database that is away; more are dropped. */
const waitingMax = 20_000

/** Where a tool wrote. */
export interface WrittenPort {
  readonly visitId: number
  readonly machineId: number
  readonly port: string
}

interface Waiting extends WrittenPort {
  readonly write: PortWrite
  /** When it was told, in epoch milliseconds. */
  readonly at: number
}

interface Deps {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'listNamedTags'>
  readonly logger: Logger
  /** Places that a visit keeps. */
  readonly placesMax: number
  now(): number
}

/** Stores the writings of tools through ports, as agents tell them: a repeated one changes nothing. */
export class PortWrites {
  readonly #deps: Deps
  readonly #waiting = new Map<string, Waiting>()
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
    await this.#store()
  }

  keep(where: WrittenPort, writes: readonly PortWrite[]): void {
    const at = this.#deps.now()
    for (const write of writes) {
      if (this.#waiting.size >= waitingMax) return
      const firstAt = at - write.firstAgoMs
      const key = [where.visitId, where.port, write.unit, write.place, firstAt].join('\n')
      this.#waiting.set(key, { ...where, write, at })
    }
  }

  async #store(): Promise<void> {
    if (this.#waiting.size === 0) return
    this.#storing ??= this.#storeWaiting()
      .catch((error) => this.#deps.logger.error({ err: error }, 'portWrites.lost'))
      .finally(() => {
        this.#storing = undefined
      })
    await this.#storing
  }

  async #storeWaiting(): Promise<void> {
    const { db, telemetry, logger, placesMax } = this.#deps
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    const places = async () => {
      const named = waiting.flatMap(({ machineId, write: { tag } }) =>
        tag ? [{ machineId, group: tag.group, tag: tag.name }] : [],
      )
      const found = await telemetry.listNamedTags(named, 'en')
      const keyOf = (machineId: number, group: string, tag: string) => [machineId, group, tag].join('\n')
      const ids = new Map(found.map((tag) => [keyOf(tag.machineId, tag.wireGroup, tag.tag), tag.tagId]))
      return waiting.map(({ visitId, machineId, port, write, at }): KeptPlace => {
        const tagId = write.tag ? ids.get(keyOf(machineId, write.tag.group, write.tag.name)) : undefined
        const { unit, place, from, to, firstAgoMs, lastAgoMs } = write
        const times = { firstAt: at - firstAgoMs, lastAt: at - lastAgoMs }
        return { ...{ visitId, port, unit, place, from, to, tagId: tagId ?? null }, ...times }
      })
    }
    const work = async () => upsertPlaces(db, onceEach(await places()), placesMax)
    const failed = (error: unknown) => logger.warn({ err: error }, 'portWrites.storePostponed')
    await untilStored(work, { signal: this.#stopped.signal, failed })
  }
}

/** Of a place that two streams wrote, the first value before and the last after: one statement meets each row once. */
function onceEach(places: readonly KeptPlace[]): KeptPlace[] {
  const byPlace = new Map<string, KeptPlace>()
  for (const place of places.toSorted((a, b) => a.firstAt - b.firstAt)) {
    const key = [place.visitId, place.port, place.unit, place.place].join('\n')
    const had = byPlace.get(key)
    const last = had && had.lastAt > place.lastAt ? had : place
    byPlace.set(
      key,
      had ? { ...had, to: last.to, lastAt: last.lastAt, tagId: had.tagId ?? place.tagId } : place,
    )
  }
  return [...byPlace.values()]
}
