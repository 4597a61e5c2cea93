import { timing } from '@busbar/contract'
import type { BusEvents, ReadBack } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { untilStored } from '../../kernel/database/until-stored.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { RateLimiter } from '../../kernel/http/rate-limiter.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { isWritten } from './is-written.ts'
import { type PublishWriteDeps, publishWrite } from './publish-write.ts'
import { createEndedWrite, type Db, findVisitor } from './writes-store.ts'

/** Limit of the stored writes at one machine in a minute; more are dropped as abuse. */
const pageWritesPerMinuteMax = 600
/** Tolerated clock error of a machine that reports a visit's write late, in ms. */
const clockSkewMs = 5 * 60_000

export interface PageWritesDeps extends PublishWriteDeps {
  readonly db: Db
  readonly facts: Pick<Facts, 'record'>
  readonly logger: Logger
  readonly telemetry: Pick<Telemetry, 'listWireTags'>
  now(): number
}

/** Stores the writes on a machine's own page, as its agent reports them. */
export function createPageWrites(deps: PageWritesDeps) {
  const limiter = new RateLimiter({ max: pageWritesPerMinuteMax, windowMs: 60_000 })

  async function keep(machineId: number, readBack: ReadBack, now: number): Promise<void> {
    const { page, wished } = readBack
    if (!page || wished === null) return
    const tags = await deps.telemetry.listWireTags(machineId, 'en')
    const tag = tags.find(({ group, tag: name }) => group === readBack.group && name === readBack.tag)
    if (!tag) return
    const userId = await visitorOf(machineId, readBack, now)
    const isDone = readBack.error === '' && isWritten(tag, wished, readBack.value)
    const state = isDone ? 'confirmed' : 'failed'
    const { tagId } = tag
    const { error: reason } = readBack
    const source = userId === undefined ? 'machine' : 'page'
    await withTransaction(deps.db, async (trx) => {
      const commandId = await createEndedWrite(
        trx,
        {
          machineId,
          tagId,
          userId: userId ?? null,
          visitId: userId === undefined ? null : (page.visitId ?? null),
          source,
          at: new Date(readBack.at),
          from: page.from,
          to: wished,
          note: '',
        },
        { state, kept: readBack.value, reason, at: new Date(Math.max(now, readBack.at)) },
      )
      if (commandId === undefined) return
      const result = { commandId, machineId, tagId, state, kept: undefined, reason }
      await publishWrite(deps, trx, result, { writerId: userId ?? null, at: now })
      const told = { machineId, writeId: commandId, tagId, source, reason, at: now } as const
      await deps.facts.record(trx, {
        kind: `write.${state}`,
        ...told,
        ...(userId === undefined ? {} : { userId }),
      })
    })
  }

  /** A machine may name only a visitor who was inside it; other names count as somebody at the machine. */
  async function visitorOf(
    machineId: number,
    { page, at }: ReadBack,
    now: number,
  ): Promise<number | undefined> {
    if (page?.visitId === undefined) return undefined
    // A live report is judged by our clock, with the time a write may take from the visit's last moment.
    const [about, spread] = page.late ? [at, clockSkewMs] : [now, timing.writeTimeoutMs]
    const [from, until] = [new Date(about - spread), new Date(about + spread)]
    return findVisitor(deps.db, { visitId: page.visitId, machineId, from, until })
  }

  return {
    /** Stores the read-back values that were written at the machine itself, once each. */
    async keepAll({ machineId, readBacks }: BusEvents['readBacks'], signal: AbortSignal): Promise<void> {
      const failed = (error: unknown) =>
        deps.logger.warn({ err: error, machineId }, 'machineWrite.storePostponed')
      for (const readBack of readBacks) {
        if (!readBack.page) continue
        const now = deps.now()
        if (!limiter.take(String(machineId), now)) {
          deps.logger.warn({ machineId }, 'machineWrite.limited')
          return
        }
        await untilStored(() => keep(machineId, readBack, now), { signal, failed })
      }
    },
  }
}
