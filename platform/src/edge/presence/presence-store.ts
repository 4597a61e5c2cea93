import { sql } from 'kysely'
import { type Database, withClient, withTransaction } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Recorder } from '../../kernel/facts/facts-store.ts'
import { updateLastSeen } from '../../modules/machine-register/index.ts'

/** A row of `machine_connections`; `rowId` is set when it is written for the first time. */
export interface ConnectionRow {
  rowId: number | undefined
  readonly machineId: number
  readonly protocol: string
  readonly address: string
  readonly startedAt: number
  readonly lastSeenAt: number
  readonly endedAt: number | undefined
}

/** As long as samples are kept (decision 46). */
const keptDays = 90

/** Forgets connections that ended before anything that is still shown. */
export async function removeOldConnections(db: Database): Promise<void> {
  await db
    .deleteFrom('machine_connections')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
    .execute()
}

/** Writes something in the transaction of connections; `committed` is called after its commit. */
export interface Beside {
  write(recorder: Recorder): Promise<void>
  committed(): void
}

/** Ends connections that a crash left open, when they were last seen, and records that their machines went. */
export async function endOpenConnections(db: Database, facts?: Pick<Facts, 'recordAll'>): Promise<void> {
  await withTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('machine_connections')
      .set((row) => ({ ended_at: sql<Date>`greatest(${row.ref('started_at')}, ${row.ref('last_seen_at')})` }))
      .where('ended_at', 'is', null)
      .returning(['machine_id as machineId', 'ended_at'])
      .execute()
    const gone = ended.map(({ machineId, ended_at }) => {
      return { kind: 'machine.offline', machineId, at: ended_at?.getTime() ?? 0 } as const
    })
    await facts?.recordAll(trx, gone)
  })
}

/** Writes how connections are now, the ended ones first: a machine has one open at most. */
export async function writeConnections(
  db: Database,
  connections: readonly ConnectionRow[],
  beside?: Beside,
): Promise<void> {
  const known = connections.filter((connection) => connection.rowId !== undefined)
  const fresh = connections.filter((connection) => connection.rowId === undefined)
  const date = (at: number | undefined) => (at === undefined ? null : new Date(at))
  const ids = await withClient(db, async (client) => {
    await client.query('begin')
    if (known.length > 0) {
      await client.query(
        `update machine_connections set last_seen_at = now.last_seen_at, ended_at = now.ended_at
         from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as now (id, last_seen_at, ended_at)
         where machine_connections.id = now.id`,
        [
          known.map(({ rowId }) => rowId),
          known.map(({ lastSeenAt }) => new Date(lastSeenAt)),
          known.map(({ endedAt }) => date(endedAt)),
        ],
      )
    }
    const { rows } = await client.query<{ id: number; place: number }>(
      `with given as (
         select nextval(pg_get_serial_sequence('machine_connections', 'id')) as id, come.*
         from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
           with ordinality as come (machine_id, protocol, address, started_at, last_seen_at, ended_at, place)
         join machines on machines.id = come.machine_id
       ), inserted as (
         insert into machine_connections (id, machine_id, protocol, address, started_at, last_seen_at, ended_at)
         overriding system value
         select id, machine_id, protocol, address, started_at, last_seen_at, ended_at from given
       )
       select id, place from given`,
      [
        fresh.map(({ machineId }) => machineId),
        fresh.map(({ protocol }) => protocol),
        fresh.map(({ address }) => address),
        fresh.map(({ startedAt }) => new Date(startedAt)),
        fresh.map(({ lastSeenAt }) => new Date(lastSeenAt)),
        fresh.map(({ endedAt }) => date(endedAt)),
      ],
    )
    await beside?.write(client)
    await client.query('commit')
    return rows
  })
  beside?.committed()
  // Only now: a transaction that failed gave no ids.
  for (const row of ids) {
    const connection = fresh[row.place - 1]
    if (connection) connection.rowId = row.id
  }
  await updateLastSeen(db, connections)
}
