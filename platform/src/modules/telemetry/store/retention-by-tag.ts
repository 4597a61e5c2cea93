import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import { dayOf } from '../../../kernel/database/day-partitions.ts'
import { hoursPerDay } from './chunk-rows.ts'
import { type Kept, keptDays, type LengthsInEffect } from './sample-lengths.ts'

/** Tags of one step: a day of theirs has few enough rows that a statement is over within a second. */
const tagsPerStep = 256
const averagesPerDelete = 5_000

interface TagRow {
  readonly id: number
  readonly machine_id: number
  readonly is_disowned: boolean
}

interface ByTagOptions {
  /** The database that has the owners of the tags. */
  readonly db: Database
  readonly samplesDb: Database
  readonly lengths: LengthsInEffect
  readonly now: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Deletes the chunks and averages of each tag that are past the retention of its machine's space. Tags of a former
 * owner belong to nobody. False if it was cut short.
 */
export async function deleteByTag(options: ByTagOptions): Promise<boolean> {
  const { db, signal } = options
  for (let after = 0; ; ) {
    const tags = await withClient(db, (client) => listTags(client, after))
    for (const [kept, tagIds] of await groupByLengths(tags, options.lengths)) {
      if (signal?.aborted) return false
      await deleteOld(options, tagIds, kept)
    }
    const last = tags.at(-1)
    if (!last || tags.length < tagsPerStep) return true
    after = last.id
  }
}

async function listTags(client: pg.ClientBase, after: number): Promise<TagRow[]> {
  const { rows } = await client.query<TagRow>(
    `select id, machine_id, disowned_at is not null as is_disowned from tags
     where id > $1 order by id limit ${tagsPerStep}`,
    [after],
  )
  return rows
}

async function groupByLengths(
  tags: readonly TagRow[],
  lengths: LengthsInEffect,
): Promise<ReadonlyMap<Kept, number[]>> {
  const keptOf = await lengths.ofMachines([...new Set(tags.map((tag) => tag.machine_id))])
  const groups = new Map<Kept, number[]>()
  for (const { id, machine_id: machineId, is_disowned: isDisowned } of tags) {
    const kept = isDisowned ? keptDays : keptOf(machineId)
    const group = groups.get(kept)
    if (group) group.push(id)
    else groups.set(kept, [id])
  }
  return groups
}

async function deleteOld(
  { samplesDb, now, signal }: ByTagOptions,
  tagIds: number[],
  kept: Kept,
): Promise<void> {
  const firstHour = (days: number) => (dayOf(now) - days) * hoursPerDay
  await withClient(samplesDb, async (client) => {
    const { rows } = await client.query<{ day: number }>(
      `select distinct (hour - mod(hour, ${hoursPerDay})) as day from sample_chunks
       where tag_id = any($1::bigint[]) and hour < $2 order by day`,
      [tagIds, firstHour(kept.rawDays)],
    )
    for (const { day } of rows) {
      if (signal?.aborted) return
      await client.query(
        'delete from sample_chunks where tag_id = any($1::bigint[]) and hour >= $2 and hour < $3',
        [tagIds, day, day + hoursPerDay],
      )
    }
    for (const [step, days] of [
      [1, kept.minuteDays],
      [60, kept.hourDays],
    ] as const)
      for (;;) {
        const { rowCount } = await client.query(
          `delete from sample_averages where ctid = any(array(
             select ctid from sample_averages
             where tag_id = any($1::bigint[]) and step = $2 and hour < $3 limit ${averagesPerDelete}))`,
          [tagIds, step, firstHour(days)],
        )
        if ((rowCount ?? 0) < averagesPerDelete || signal?.aborted) break
      }
  })
}
