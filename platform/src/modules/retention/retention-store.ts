import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { columnsOf, isOf, type Space, spaceOf } from '../spaces/index.ts'
import type { Kept } from '../telemetry/index.ts'

type Db = Kysely<DB>

/** A space's setting from an instant on. */
export interface KeptFrom extends Kept {
  readonly effectiveAt: Date
}

interface Row {
  readonly user_id: number | null
  readonly enterprise_id: number | null
  readonly raw_days: number
  readonly minute_days: number
  readonly hour_days: number
  readonly effective_at: Date
}

/** The operator may have lowered the bound since. */
const keptOf = (row: Row, rawDaysMax: number): KeptFrom => ({
  rawDays: Math.min(row.raw_days, rawDaysMax),
  minuteDays: row.minute_days,
  hourDays: row.hour_days,
  effectiveAt: row.effective_at,
})

/** The past, present and planned settings of a space, in the order in which they take effect. */
export async function listOfSpace(db: Db, space: Space, rawDaysMax: number): Promise<KeptFrom[]> {
  const { rows } = await sql<Row>`
    select * from data_retention where ${isOf(space, 'data_retention')} order by effective_at`.execute(db)
  return rows.map((row) => keptOf(row, rawDaysMax))
}

/** Replaces all settings of a space from now on. */
export async function replaceOfSpace(
  trx: Db,
  space: Space,
  wanted: readonly KeptFrom[],
  now: Date,
): Promise<void> {
  await sql`delete from data_retention where ${isOf(space, 'data_retention')}`.execute(trx)
  await trx
    .insertInto('data_retention')
    .values(
      wanted.map(({ rawDays, minuteDays, hourDays, effectiveAt }) => ({
        ...columnsOf(space),
        raw_days: rawDays,
        minute_days: minuteDays,
        hour_days: hourDays,
        effective_at: effectiveAt,
        created_at: now,
      })),
    )
    .execute()
}

/** The present settings of all spaces that have one. */
export async function listInEffect(
  db: Db,
  now: Date,
  rawDaysMax: number,
): Promise<{ space: Space; kept: Kept }[]> {
  const { rows } = await sql<Row>`
    select distinct on (user_id, enterprise_id) * from data_retention
    where effective_at <= ${now} order by user_id, enterprise_id, effective_at desc`.execute(db)
  return rows.map((row) => ({
    space: spaceOf({ userId: row.user_id, enterpriseId: row.enterprise_id }),
    kept: keptOf(row, rawDaysMax),
  }))
}

/** The spaces of machines; unowned and deleted machines are left out. */
export async function listSpaces(db: Db, machineIds: readonly number[]): Promise<Map<number, Space>> {
  if (machineIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('machines')
    .select(['id', 'owner_user_id', 'owner_enterprise_id'])
    .where(sql<boolean>`id = any(${[...machineIds]}::bigint[])`)
    .execute()
  const spaces = new Map<number, Space>()
  for (const { id, owner_user_id: userId, owner_enterprise_id: enterpriseId } of rows)
    if (userId !== null) spaces.set(id, { userId })
    else if (enterpriseId !== null) spaces.set(id, { enterpriseId })
  return spaces
}
