import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
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
  /** This node let the machine go to another one: for how long it is online without having come there. */
  readonly expectedMs: number | undefined
  /** The last time online in the machine's own row. */
  notedUntil: number
}

/** As long as samples are kept (rules/telemetry.md: presence). */
const keptDays = 90

/** In one statement, so that it holds no row for long. */
const removedMax = 10_000

/** Deletes connections that ended before everything still shown. */
export async function removeOldConnections(db: Database): Promise<void> {
  let removed = removedMax
  while (removed === removedMax) {
    const { numAffectedRows } = await sql`
      delete from machine_connections where id in (
        select id from machine_connections where ended_at < now() - make_interval(days => ${keptDays})
        limit ${removedMax})`.execute(db)
    removed = Number(numAffectedRows ?? 0)
  }
}

/** The changes of a write of connections, which decide what facts are recorded with it. */
export interface Written {
  /**
   * Connections that this write ended. Leaves out those that had ended before, and those whose machine is here by
   * another connection.
   */
  readonly ended: ReadonlySet<ConnectionRow>
  /** Machines whose connection is open again. */
  readonly reopened: readonly number[]
}

/** Writes something in the transaction of connections; `committed` is called after its commit. */
export interface Beside {
  write(client: ClientBase, written: Written): Promise<void>
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

/**
 * Ends connections that a crash of this node left open, or no node has, when they were last seen. Machines that were let
 * go have some time left to come.
 */
export async function endOwnConnections(db: Database, nodeId: string, facts?: EndsFacts): Promise<void> {
  const ended = await withTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('machine_connections')
      .set((row) => ({ ended_at: sql<Date>`greatest(${row.ref('started_at')}, ${row.ref('last_seen_at')})` }))
      .where('ended_at', 'is', null)
      .where((row) => row.or([row('node_id', 'is', null), row('node_id', '=', nodeId)]))
      .where(isNotExpected)
      .returning(['machine_id as machineId', 'ended_at', 'last_seen_at'])
      .execute()
    await recordEnds(trx, facts, ended)
    return ended
  })
  await updateLastSeen(db, ended.map(seenOf))
}

/** SQL: no node let the machine go to another one, or its time to come there is over. */
const isNotExpected = sql<boolean>`coalesce(expected_until < now(), true)`

/**
 * Gives silent nodes up, and ends the connections of nodes that are gone at their last heartbeat, and those of machines
 * that were let go and came to no node; answers the machines.
 * Both are one transaction: who sees that a node is given up sees its machines offline.
 */
export async function endSilentConnections(
  db: Database,
  nodeId: string,
  facts?: EndsFacts,
): Promise<number[]> {
  const ended = await withTransaction(db, async (trx) => {
    await declareDead(trx, nodeId)
    const ended = await trx
      .updateTable('machine_connections')
      .set((row) => ({
        ended_at: sql<Date>`greatest(${row.ref('started_at')}, coalesce(
          (select heartbeat_at from nodes where nodes.id = ${row.ref('node_id')} and expected_until is null),
          ${row.ref('last_seen_at')}))`,
      }))
      .where('ended_at', 'is', null)
      .where(isNotExpected)
      .where((row) =>
        row.or([
          row('expected_until', 'is not', null),
          row.and([row('node_id', '!=', nodeId), isGone(sql.ref('machine_connections.node_id'))]),
        ]),
      )
      .returning(['machine_id as machineId', 'ended_at', 'last_seen_at'])
      .execute()
    await recordEnds(trx, facts, ended)
    return ended
  })
  await updateLastSeen(db, ended.map(seenOf))
  return ended.map(({ machineId }) => machineId)
}

const seenOf = ({ machineId, last_seen_at: at }: { machineId: number; last_seen_at: Date }) => {
  return { machineId, lastSeenAt: at.getTime() }
}
