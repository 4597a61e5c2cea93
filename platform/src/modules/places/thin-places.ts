import { metresBetween } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { SampleLengths } from '../telemetry/index.ts'
import type { Point } from './coordinates.ts'

const everyS = 86_400
const dayMs = everyS * 1_000
/** History is whole for as long (rules/places.md: history). */
const wholeDays = 7
/** Places of a thinned day are as far apart. */
const apartM = 100
const machinesPerRound = 200
const rowsPerRead = 5_000

type Db = Kysely<DB>

interface Past extends Point {
  readonly id: number
  readonly at: Date
  /** Set by a person, which is kept. */
  readonly isPin: boolean
  readonly isImplausible: boolean
}

/** Thins the history of places after a week, and removes it when hour averages are removed. */
export const thinJob = (db: Db, lengths: SampleLengths): ClockJob => ({
  name: 'places.thin',
  everyS,
  run: ({ now, previous, signal }) => thinPlaces(db, lengths, { now, previous, signal }),
})

export async function thinPlaces(
  db: Db,
  lengths: SampleLengths,
  run: { readonly now: number; readonly previous: number | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const until = run.now - wholeDays * dayMs
  // Places that came late are in a part that was thinned: a day of it is thinned again.
  const from = run.previous === undefined ? 0 : run.previous - (wholeDays + 1) * dayMs
  const { ofMachines } = await lengths.read(run.now)
  for (let after = 0; !run.signal.aborted; ) {
    const machineIds = await listMachines(db, after)
    const last = machineIds.at(-1)
    if (last === undefined) return
    const keptOf = await ofMachines(machineIds)
    await removeOlder(
      db,
      machineIds,
      machineIds.map((id) => new Date(run.now - keptOf(id).hourDays * dayMs)),
    )
    for (const id of machineIds) await thinOne(db, id, { from, until })
    after = last
  }
}

async function thinOne(db: Db, machineId: number, span: { from: number; until: number }): Promise<void> {
  let after = { at: new Date(span.from), id: 0 }
  let kept: Past | undefined
  for (;;) {
    const rows = await listPast(db, machineId, after, new Date(span.until))
    const isEnd = rows.length < rowsPerRead
    const removed: number[] = []
    for (const [place, row] of rows.entries()) {
      const isLast = isEnd && place === rows.length - 1
      const isFar = kept === undefined || metresBetween(kept, row) >= apartM || !isSameDay(kept, row)
      if (row.isImplausible) removed.push(row.id)
      else if (row.isPin || isFar || isLast) kept = row
      else removed.push(row.id)
    }
    if (removed.length > 0) await db.deleteFrom('machine_place_history').where('id', 'in', removed).execute()
    const last = rows.at(-1)
    if (isEnd || !last) return
    after = last
  }
}

/** Each day of UTC has its first place. */
const isSameDay = (one: Past, other: Past): boolean =>
  Math.floor(one.at.getTime() / dayMs) === Math.floor(other.at.getTime() / dayMs)

async function listPast(
  db: Db,
  machineId: number,
  after: { readonly at: Date; readonly id: number },
  until: Date,
): Promise<Past[]> {
  const { rows } = await sql<Past>`
    select id, at, lat, lng, source in ('manual', 'search') as "isPin", implausible is not null as "isImplausible"
    from machine_place_history where machine_id = ${machineId} and at >= ${after.at} and (at, id) > (${after.at}, ${after.id})
      and at < ${until}
    order by at, id limit ${rowsPerRead}`.execute(db)
  return rows
}

async function listMachines(db: Db, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('machine_places')
    .select('machine_id')
    .where('machine_id', '>', after)
    .orderBy('machine_id')
    .limit(machinesPerRound)
    .execute()
  return rows.map((row) => row.machine_id)
}

async function removeOlder(db: Db, machineIds: readonly number[], before: readonly Date[]): Promise<void> {
  await sql`
    delete from machine_place_history past
    using unnest(${[...machineIds]}::bigint[], ${[...before]}::timestamptz[]) as kept (id, since)
    where past.machine_id = kept.id and past.at < kept.since`.execute(db)
}
