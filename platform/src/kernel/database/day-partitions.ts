import type { ClientBase } from 'pg'

export const dayMs = 86_400_000

/** Days since the Unix epoch, in UTC. */
export type DayNumber = number

export const dayOf = (at: number): DayNumber => Math.floor(at / dayMs)

const lockNotAvailable = '55P03'
const checkViolation = '23514'

/** A table with a partition for each day, and one, `<table>_rest`, for all other rows. */
export interface DayPartitioned {
  readonly table: string
  /** The column that partitions the rows: an instant, unless `boundOf` gives the beginning of a day in it. */
  readonly column: string
  readonly boundOf?: (day: DayNumber) => string
  /** Storage parameters of each partition. */
  readonly parameters?: string
  /** Longest wait of a partition change for a lock; it locks out others for as long. */
  readonly lockWaitMsMax: number
}

export const partitionOf = ({ table }: DayPartitioned, day: DayNumber): string =>
  `${table}_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`

const instantOf = (day: DayNumber): string => new Date(day * dayMs).toISOString()

/** The days that have a partition, the oldest first. */
export async function listDays(client: ClientBase, { table }: DayPartitioned): Promise<DayNumber[]> {
  const { rows } = await client.query<{ name: string }>(
    `select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.flatMap(({ name }) => {
    const parts = /_(\d{4})(\d{2})(\d{2})$/.exec(name)
    return parts ? [dayOf(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))] : []
  })
}

/**
 * Makes the partition of a day unless it is there; false for a day whose rows lie in the rest already: there they stay.
 * Throws where others hold a lock for too long (`isLockTimeout`).
 */
export async function createDay(
  client: ClientBase,
  partitioned: DayPartitioned,
  day: DayNumber,
): Promise<boolean> {
  const { table, column, parameters, boundOf = instantOf } = partitioned
  const name = partitionOf(partitioned, day)
  const [from, to] = [boundOf(day), boundOf(day + 1)]
  try {
    return await alter(client, partitioned, async () => {
      const { rows } = await client.query<{ there: boolean; taken: boolean }>(
        `select to_regclass($1) is not null as there,
                exists (select from ${table}_rest where ${column} >= $2 and ${column} < $3) as taken`,
        [name, from, to],
      )
      if (rows[0]?.there || rows[0]?.taken) return rows[0].there
      // Attached, not created as a partition: that would lock out every writer and reader of the other days.
      const options = parameters === undefined ? '' : ` with (${parameters})`
      await client.query(
        `create table ${name} (like ${table} including defaults including constraints including storage)${options}`,
      )
      await client.query(
        `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
      )
      return true
    })
  } catch (error) {
    // A row of that day came into the rest between the look and the attaching.
    if (codeOf(error) === checkViolation) return false
    throw error
  }
}

/**
 * Drops the partition of a day, and does `also` in the same transaction. Throws where others hold it for too long
 * (`isLockTimeout`).
 */
export async function dropDay(
  client: ClientBase,
  partitioned: DayPartitioned,
  day: DayNumber,
  also: () => Promise<void> = async () => {},
): Promise<void> {
  await alter(client, partitioned, async () => {
    await client.query(`drop table if exists ${partitionOf(partitioned, day)}`)
    await also()
  })
}

/** Whether others held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === lockNotAvailable

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** Each in its own transaction, one process after the other. */
async function alter<Answer>(
  client: ClientBase,
  { table, lockWaitMsMax }: DayPartitioned,
  work: () => Promise<Answer>,
): Promise<Answer> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockWaitMsMax}`)
    await client.query(`select pg_advisory_xact_lock(hashtext('${table} partitions'))`)
    const answer = await work()
    await client.query('commit')
    return answer
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
