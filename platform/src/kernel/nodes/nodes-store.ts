import { type RawBuilder, sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Database } from '../database/database.ts'
import { roles as allRoles, type Role } from '../roles.ts'

/** A node without a heartbeat for this long counts as dead (rules/operations.md: nodes). */
export const silentS = 10
/** Heartbeats further apart than this mean that the database was away: a node is steady since the last such gap. */
const gapS = silentS / 2

/** A process of a node: two have the same `id` when a data folder was copied, and never the same `incarnation`. */
export interface NodeName {
  readonly id: string
  readonly incarnation: string
}

/** A node as others know it. */
export interface NodeTraits {
  readonly roles: readonly Role[]
  /** The version of the product. */
  readonly version: string
  /** The version of the messages between nodes. */
  readonly wireVersion: number
  /** See `NodeKeys`. */
  readonly publicKey: string
}

/** A living node of the platform. */
export interface Peer extends NodeName {
  readonly roles: readonly Role[]
  /** Null for one of the version before. */
  readonly publicKey: string | null
}

/** `replaced`: another process has taken this node's id. `revived`: others may have counted this node as dead. */
export type Beat = 'steady' | 'revived' | 'replaced'

/** Makes a process, which starts, the one of its node. */
export async function takeNode(
  client: ClientBase,
  { id, incarnation }: NodeName,
  { roles, version, wireVersion, publicKey }: NodeTraits,
): Promise<void> {
  await client.query(
    `insert into nodes (id, incarnation, roles, version, wire_version, public_key, started_at, is_starting)
     values ($1, $2, $3, $4, $5, $6, now(), true)
     on conflict (id) do update set incarnation = excluded.incarnation, heartbeat_at = now(), steady_since = now(),
       declared_dead_at = null, leaving_at = null, roles = excluded.roles, version = excluded.version,
       wire_version = excluded.wire_version, public_key = excluded.public_key, started_at = excluded.started_at,
       is_starting = true`,
    [id, incarnation, roles, version, wireVersion, publicKey],
  )
}

/** Notes that a node stops, so that others hand nothing over to it. */
export async function noteLeaving(client: ClientBase, { id, incarnation }: NodeName): Promise<void> {
  await client.query('update nodes set leaving_at = now() where id = $1 and incarnation = $2', [
    id,
    incarnation,
  ])
}

/** The work for which another node listens that does not stop. One of the version before may have each role. */
export async function listRolesElsewhere(client: ClientBase, id: string): Promise<ReadonlySet<Role>> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct unnest(coalesce(roles, $2)) as role from nodes
     where id <> $1 and declared_dead_at is null and leaving_at is null and not is_starting
       and heartbeat_at > now() - make_interval(secs => $3)`,
    [id, allRoles, gapS],
  )
  const names = new Set(rows.map(({ role }) => role))
  return new Set(allRoles.filter((role) => names.has(role)))
}

/** Notes that a node lives and whether it still starts, unless another process has its id by now. */
export async function writeHeartbeat(
  client: ClientBase,
  { id, incarnation }: NodeName,
  isStarting: boolean,
  publicKey: string,
): Promise<Beat> {
  const { rows } = await client.query<{ is_revived: boolean }>(
    `insert into nodes as node (id, incarnation, is_starting, public_key, started_at) values ($1, $2, $4, $5, now())
     on conflict (id) do update set heartbeat_at = now(), declared_dead_at = null, is_starting = $4, steady_since = case
       when node.heartbeat_at < now() - make_interval(secs => $3) then now() else node.steady_since end
     where node.incarnation = excluded.incarnation
     returning steady_since = now() as is_revived`,
    [id, incarnation, gapS, isStarting, publicKey],
  )
  const [row] = rows
  if (!row) return 'replaced'
  return row.is_revived ? 'revived' : 'steady'
}

/** Removes a node that ends properly. */
export async function removeNode(client: ClientBase, { id, incarnation }: NodeName): Promise<void> {
  await client.query('delete from nodes where id = $1 and incarnation = $2', [id, incarnation])
}

/** The nodes of the last hour that did not end properly, or have not ended. */
export interface NodeCounts {
  readonly living: number
  /** Of them, those that stop. */
  readonly leaving: number
  /** Given up and not back. */
  readonly lost: number
  /** Living ones with another version of the messages between nodes. */
  readonly unread: readonly { readonly id: string; readonly version: string | null }[]
}

export async function countNodes(client: ClientBase, wireVersion: number): Promise<NodeCounts> {
  const { rows } = await client.query<{
    id: string
    version: string | null
    is_lost: boolean
    is_leaving: boolean
    is_unread: boolean
  }>(
    `select id, version, declared_dead_at is not null as is_lost, leaving_at is not null as is_leaving,
       wire_version is distinct from $1 as is_unread
     from nodes where heartbeat_at > now() - interval '1 hour'`,
    [wireVersion],
  )
  const living = rows.filter(({ is_lost }) => !is_lost)
  return {
    living: living.length,
    leaving: living.filter(({ is_leaving }) => is_leaving).length,
    lost: rows.length - living.length,
    unread: living.filter(({ is_unread }) => is_unread).map(({ id, version }) => ({ id, version })),
  }
}

/** The nodes that were not given up and did not end. */
export async function listLivingNodes(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('nodes').select('id').where('declared_dead_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}

/** The living nodes, as each of them is now, and since when which nodes are revoked. */
export async function readPeers(
  db: Database,
): Promise<{ readonly peers: readonly Peer[]; readonly revoked: ReadonlyMap<string, Date> }> {
  const rows = await db
    .selectFrom('nodes')
    .fullJoin('revoked_nodes', 'revoked_nodes.node_id', 'nodes.id')
    .select(['id', 'incarnation', 'roles', 'public_key', 'started_at', 'declared_dead_at'])
    .select(['node_id', 'revoked_at'])
    .execute()
  const peers = rows.flatMap(({ id, incarnation, roles, public_key, started_at, ...row }): Peer[] => {
    if (id === null || incarnation === null || row.declared_dead_at) return []
    // A process that started before its node was revoked speaks no more.
    if (row.revoked_at && (started_at === null || started_at <= row.revoked_at)) return []
    const known = roles ? allRoles.filter((role) => roles.includes(role)) : allRoles
    return [{ id, incarnation, roles: known, publicKey: public_key }]
  })
  const revoked = rows.flatMap(({ node_id, revoked_at }) =>
    node_id !== null && revoked_at ? [[node_id, revoked_at] as const] : [],
  )
  return { peers, revoked: new Map(revoked) }
}

/** From now on certificates that a node has, and its process, count no more. */
export async function revokeNode(db: Database, id: string): Promise<void> {
  await db
    .insertInto('revoked_nodes')
    .values({ node_id: id, revoked_at: sql`now()` })
    .onConflict((conflict) => conflict.column('node_id').doUpdateSet({ revoked_at: sql`now()` }))
    .execute()
}

/** Whether a process is still its node's, and the others count it as living. */
export async function isLivingNode(db: Database, { id, incarnation }: NodeName): Promise<boolean> {
  const row = await db
    .selectFrom('nodes')
    .select('id')
    .where('id', '=', id)
    .where('incarnation', '=', incarnation)
    .where('declared_dead_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes nodes whose connections and writes were taken over long ago. */
export async function removeOldNodes(db: Database): Promise<void> {
  await db.deleteFrom('nodes').where('heartbeat_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}

/**
 * Gives up silent nodes, from the view of the node `judgeId`. That one must have been steady for as long as the others
 * were silent: after a time without the database all are silent, and the first one to come back must not give up the
 * rest. A heartbeat of such a node waits for the transaction, and then learns that the node was given up.
 */
export async function declareDead(trx: Database, judgeId: string): Promise<void> {
  await sql`
    update nodes set declared_dead_at = now()
    where declared_dead_at is null and id <> ${judgeId} and heartbeat_at < now() - make_interval(secs => ${silentS})
      and exists (select from nodes judge where judge.id = ${judgeId}
        and judge.heartbeat_at > now() - make_interval(secs => ${gapS})
        and judge.steady_since < now() - make_interval(secs => ${silentS}))`.execute(trx)
}

/** SQL: the node that a column names was given up, or ended properly. False for null. */
export const isGone = (nodeId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  ${nodeId} is not null and not exists (
    select from nodes where nodes.id = ${nodeId} and nodes.declared_dead_at is null)`

/** SQL: the node that a column names has no fresh heartbeat, was given up, or ended. */
export const isLate = (nodeId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  not exists (select from nodes where nodes.id = ${nodeId} and nodes.declared_dead_at is null
    and nodes.heartbeat_at > now() - make_interval(secs => ${gapS}))`
