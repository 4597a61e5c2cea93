import { sql } from 'kysely'
import { type Database, withClient, withTransaction } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Recorder } from '../../kernel/facts/facts-store.ts'
import { declareDead, isGone } from '../../kernel/nodes/nodes-store.ts'
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

type EndsFacts = Pick<Facts, 'recordAll'> | undefined

/** Records that machines went, when their connections ended. */
async function recordEnds(
  trx: Recorder,
  facts: EndsFacts,
  ended: readonly { readonly machineId: number; readonly ended_at: Date | null }[],
): Promise<void> {
  const gone = ended.map(({ machineId, ended_at }) => {
    return { kind: 'machine.offline', machineId, at: ended_at?.getTime() ?? 0 } as const
  })
  await facts?.recordAll(trx, gone)
}

/** Ends connections that a crash of this node left open, or no node has, when they were last seen. */
export async function endOwnConnections(db: Database, nodeId: string, facts?: EndsFacts): Promise<void> {
  await withTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('machine_connections')
      .set((row) => ({ ended_at: sql<Date>`greatest(${row.ref('started_at')}, ${row.ref('last_seen_at')})` }))
      .where('ended_at', 'is', null)
      .where((row) => row.or([row('node_id', 'is', null), row('node_id', '=', nodeId)]))
      .returning(['machine_id as machineId', 'ended_at'])
      .execute()
    await recordEnds(trx, facts, ended)
  })
}

/**
 * Gives silent nodes up, and ends the connections of nodes that are gone at their last heartbeat; answers the machines.
 * Both are one transaction: who sees that a node is given up sees its machines offline.
 */
export async function endSilentConnections(
  db: Database,
  nodeId: string,
  facts?: EndsFacts,
): Promise<number[]> {
  return withTransaction(db, async (trx) => {
    await declareDead(trx, nodeId)
    const ended = await trx
      .updateTable('machine_connections')
      .set((row) => ({
        ended_at: sql<Date>`greatest(${row.ref('started_at')}, coalesce(
          (select heartbeat_at from nodes where nodes.id = ${row.ref('node_id')}), ${row.ref('last_seen_at')}))`,
      }))
      .where('ended_at', 'is', null)
      .where('node_id', '!=', nodeId)
      .where(isGone(sql.ref('machine_connections.node_id')))
      .returning(['machine_id as machineId', 'ended_at'])
      .execute()
    await recordEnds(trx, facts, ended)
    return ended.map(({ machineId }) => machineId)
  })
}

/**
 * Writes how a node's connections are now, the ended ones first: a machine has one open at most, and a new one ends
 * each that is still open, be it of another node or of a process with the same name.
 */
export async function writeConnections(
  db: Database,
  nodeId: string,
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
        // One that another node ended is open again, unless the machine is connected elsewhere now.
        `update machine_connections known set last_seen_at = now.last_seen_at, ended_at = case
           when known.ended_at is null then now.ended_at
           when now.ended_at is not null then least(known.ended_at, now.ended_at)
           when exists (select from machine_connections other
             where other.machine_id = known.machine_id and other.ended_at is null) then known.ended_at
         end
         from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as now (id, last_seen_at, ended_at)
         where known.id = now.id`,
        [
          known.map(({ rowId }) => rowId),
          known.map(({ lastSeenAt }) => new Date(lastSeenAt)),
          known.map(({ endedAt }) => date(endedAt)),
        ],
      )
    }
    const begun = fresh.filter(({ endedAt }) => endedAt === undefined)
    if (begun.length > 0) {
      await client.query(
        `update machine_connections set ended_at = greatest(machine_connections.started_at, come.started_at)
         from unnest($1::bigint[], $2::timestamptz[]) as come (machine_id, started_at)
         where machine_connections.machine_id = come.machine_id
           and machine_connections.ended_at is null`,
        [begun.map(({ machineId }) => machineId), begun.map(({ startedAt }) => new Date(startedAt))],
      )
    }
    const { rows } = await client.query<{ id: number; place: number }>(
      `with given as (
         select nextval(pg_get_serial_sequence('machine_connections', 'id')) as id, come.*
         from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
           with ordinality as come (machine_id, protocol, address, started_at, last_seen_at, ended_at, place)
         join machines on machines.id = come.machine_id
       ), inserted as (
         insert into machine_connections (id, machine_id, protocol, address, started_at, last_seen_at, ended_at, node_id)
         overriding system value
         select id, machine_id, protocol, address, started_at, last_seen_at, ended_at, $7 from given
       )
       select id, place from given`,
      [
        fresh.map(({ machineId }) => machineId),
        fresh.map(({ protocol }) => protocol),
        fresh.map(({ address }) => address),
        fresh.map(({ startedAt }) => new Date(startedAt)),
        fresh.map(({ lastSeenAt }) => new Date(lastSeenAt)),
        fresh.map(({ endedAt }) => date(endedAt)),
        nodeId,
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
