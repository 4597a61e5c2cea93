import type { ClientBase, PoolClient } from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import { updateLastSeen } from '../../modules/machine-register/index.ts'
import type { Beside, ConnectionRow } from './presence-store.ts'

/** A connection as it is at the begin of a write: it may end while the write is on its way. */
interface Snapshot {
  readonly connection: ConnectionRow
  readonly rowId: number | undefined
  readonly machineId: number
  readonly startedAt: Date
  readonly lastSeenAt: Date
  readonly endedAt: Date | null
  readonly expectedMs: number | null
}

const snapshotOf = (connection: ConnectionRow): Snapshot => ({
  connection,
  rowId: connection.rowId,
  machineId: connection.machineId,
  startedAt: new Date(connection.startedAt),
  lastSeenAt: new Date(connection.lastSeenAt),
  endedAt: dateOf(connection.endedAt),
  expectedMs: connection.expectedMs ?? null,
})

const dateOf = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms))

/**
 * Interval at which the machine's own row gets its last time online while it is connected: that row has many indexes,
 * so writing it costs the database several times as much as writing the connection.
 */
const notedEveryMs = 60_000

export interface ConnectionsWrite {
  readonly nodeId: string
  readonly beside?: Beside | undefined
  /** Opens the ones again that others ended though they are open here. */
  readonly reopens?: boolean
}

/**
 * Writes how a node's connections are now, the ended ones first: a machine has one open at most, and a new one ends
 * each that is still open, be it of another node or of a process with the same name.
 */
export async function writeConnections(
  db: Database,
  connections: readonly ConnectionRow[],
  { nodeId, beside, reopens = false }: ConnectionsWrite,
): Promise<void> {
  const snapshots = connections.map(snapshotOf)
  const known = snapshots.filter(({ rowId }) => rowId !== undefined)
  const fresh = snapshots.filter(({ rowId }) => rowId === undefined)
  const inserted = await withClient(db, async (client) => {
    await client.query('begin')
    const ended = await endKnown(client, known)
    const seen = known.filter(({ connection }) => !ended.has(connection))
    await writeSeen(client, seen)
    const reopened = reopens ? await reopen(client, seen) : []
    await endOthers(client, fresh)
    const rows = await insert(client, fresh, nodeId)
    const here = new Set(rows.filter(({ is_here }) => is_here).map(({ place }) => fresh[place - 1]))
    for (const one of fresh) if (one.endedAt && !here.has(one)) ended.add(one.connection)
    await beside?.write(client, { ended, reopened })
    await client.query('commit')
    return rows
  })
  beside?.committed()
  // Only now: a transaction that failed gave no ids.
  for (const { id, place } of inserted) {
    const { connection } = fresh[place - 1] as Snapshot
    connection.rowId = id
  }
  await noteSeen(db, connections)
}

/** Notes machines that come online for the first time; answers the facts. */
export async function noteFirst(client: ClientBase, told: readonly NewFact[]): Promise<NewFact[]> {
  // In one order: two nodes may write the same machines.
  const came = told.filter((fact) => fact.kind === 'machine.online').sort((a, b) => a.machineId - b.machineId)
  if (came.length === 0) return []
  // Machine by machine: for an array of unknown length PostgreSQL would read all of them.
  const { rows } = await client.query<{ machine_id: number; at: Date }>(
    `insert into first_connections (machine_id, at)
     select known.id, came.at
     from unnest($1::bigint[], $2::timestamptz[]) as came (id, at)
     cross join lateral (select id from machines where machines.id = came.id limit 1) known
     on conflict (machine_id) do nothing
     returning machine_id, at`,
    [came.map(({ machineId }) => machineId), came.map(({ at }) => new Date(at))],
  )
  return rows.map(({ machine_id: machineId, at }) => {
    return { kind: 'machine.connectedFirst', machineId, at: at.getTime() } as const
  })
}

/** The open connections that are over, because their machine has a newer one at another node. */
export async function listTakenOver(
  db: Database,
  connections: readonly ConnectionRow[],
): Promise<ConnectionRow[]> {
  const byRow = new Map(connections.map((connection) => [connection.rowId, connection]))
  const taken = await withClient(db, (client) =>
    client.query<{ id: number }>(
      `select known.id from machine_connections known
       where known.id = any($1::bigint[]) and known.ended_at is not null
         and exists (select from machine_connections other
           where other.machine_id = known.machine_id and other.id > known.id)`,
      [[...byRow.keys()]],
    ),
  )
  return taken.rows.flatMap(({ id }) => byRow.get(id) ?? [])
}

/** Writes into the machines' own rows when they were seen, where that is due. */
async function noteSeen(db: Database, connections: readonly ConnectionRow[]): Promise<void> {
  const due = connections.filter(
    ({ endedAt, lastSeenAt, notedUntil }) => endedAt !== undefined || lastSeenAt - notedUntil >= notedEveryMs,
  )
  const seen = due.map(({ machineId, lastSeenAt }) => ({ machineId, lastSeenAt }))
  await updateLastSeen(db, seen)
  for (const [place, { lastSeenAt }] of seen.entries()) {
    const connection = due[place]
    if (connection) connection.notedUntil = lastSeenAt
  }
}

/** Ends connections that are still open; answers those that it ended. */
async function endKnown(client: PoolClient, known: readonly Snapshot[]): Promise<Set<ConnectionRow>> {
  const ending = known.filter(({ endedAt }) => endedAt !== null)
  if (ending.length === 0) return new Set()
  const { rows } = await client.query<{ id: number }>(
    `update machine_connections known set last_seen_at = now.last_seen_at, ended_at = now.ended_at
     from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as now (id, last_seen_at, ended_at)
     where known.id = now.id and known.ended_at is null
     returning known.id`,
    columnsOf(ending),
  )
  const ended = new Set(rows.map(({ id }) => id))
  return new Set(ending.filter(({ rowId = 0 }) => ended.has(rowId)).map(({ connection }) => connection))
}

/**
 * Writes when machines were seen. A connection that another process ended may have ended earlier. The time to come to
 * another node runs by the clock of the database, which judges it.
 */
async function writeSeen(client: PoolClient, known: readonly Snapshot[]): Promise<void> {
  if (known.length === 0) return
  await client.query(
    `update machine_connections known
     set last_seen_at = now.last_seen_at, ended_at = case
       when known.ended_at is not null then least(known.ended_at, now.ended_at) end,
       expected_until = now() + now.expected_ms * interval '1 millisecond'
     from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::float8[])
       as now (id, last_seen_at, ended_at, expected_ms)
     where known.id = now.id`,
    [...columnsOf(known), known.map(({ expectedMs }) => expectedMs)],
  )
}

/**
 * Reopens connections that were ended, unless the machine has connected since, here or elsewhere; answers the machines.
 */
async function reopen(client: PoolClient, known: readonly Snapshot[]): Promise<number[]> {
  const open = known.filter(({ endedAt }) => endedAt === null)
  if (open.length === 0) return []
  const { rows } = await client.query<{ machine_id: number }>(
    `update machine_connections known set ended_at = null
     where known.id = any($1::bigint[]) and known.ended_at is not null
       and not exists (select from machine_connections other where other.machine_id = known.machine_id
         and (other.ended_at is null or other.id > known.id))
     returning known.machine_id`,
    [open.map(({ rowId }) => rowId)],
  )
  return rows.map(({ machine_id }) => machine_id)
}

/**
 * Ends the open connections of machines that connect; of a machine that has gone again by now, the one by which it was
 * expected.
 */
async function endOthers(client: PoolClient, fresh: readonly Snapshot[]): Promise<void> {
  if (fresh.length === 0) return
  await client.query(
    `update machine_connections set ended_at = greatest(machine_connections.started_at, come.started_at)
     from unnest($1::bigint[], $2::timestamptz[], $3::boolean[]) as come (machine_id, started_at, is_open)
     where machine_connections.machine_id = come.machine_id
       and machine_connections.ended_at is null
       and (come.is_open or machine_connections.expected_until is not null)`,
    [
      fresh.map(({ machineId }) => machineId),
      fresh.map(({ startedAt }) => startedAt),
      fresh.map(({ endedAt }) => endedAt === null),
    ],
  )
}

/** Answers each row's id and its place in `fresh` from 1; `is_here`: the machine has another connection that is open. */
async function insert(client: PoolClient, fresh: readonly Snapshot[], nodeId: string) {
  if (fresh.length === 0) return []
  const { rows } = await client.query<{ id: number; place: number; is_here: boolean }>(
    `with given as (
       select nextval(pg_get_serial_sequence('machine_connections', 'id')) as id, come.*
       from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
           $8::float8[])
         with ordinality
           as come (machine_id, protocol, address, started_at, last_seen_at, ended_at, expected_ms, place)
       join machines on machines.id = come.machine_id
     ), inserted as (
       insert into machine_connections
         (id, machine_id, protocol, address, started_at, last_seen_at, ended_at, node_id, expected_until)
       overriding system value
       select id, machine_id, protocol, address, started_at, last_seen_at, ended_at, $7,
         now() + expected_ms * interval '1 millisecond'
       from given
     )
     select id, place, ended_at is not null and exists (select from machine_connections other
       where other.machine_id = given.machine_id and other.ended_at is null) as is_here
     from given`,
    [
      fresh.map(({ machineId }) => machineId),
      fresh.map(({ connection }) => connection.protocol),
      fresh.map(({ connection }) => connection.address),
      fresh.map(({ startedAt }) => startedAt),
      fresh.map(({ lastSeenAt }) => lastSeenAt),
      fresh.map(({ endedAt }) => endedAt),
      nodeId,
      fresh.map(({ expectedMs }) => expectedMs),
    ],
  )
  return rows
}

const columnsOf = (known: readonly Snapshot[]) => [
  known.map(({ rowId }) => rowId),
  known.map(({ lastSeenAt }) => lastSeenAt),
  known.map(({ endedAt }) => endedAt),
]
