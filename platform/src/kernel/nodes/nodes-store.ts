import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** A node that wrote no heartbeat for so long is taken for dead. */
export const silentS = 10
/** From here on a node takes it that others did: one that asks at the same moment may still see the beat before. */
const doubtedS = silentS - 2

/** Notes that a node lives; answers whether it was silent for so long that others may have taken it for dead. */
export async function writeHeartbeat(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ silent: boolean }>`
    with before as (select heartbeat_at from nodes where id = ${id}),
    beat as (
      insert into nodes (id) values (${id}) on conflict (id) do update set heartbeat_at = now()
    )
    select coalesce((select heartbeat_at < now() - make_interval(secs => ${doubtedS}) from before), true) as silent`.execute(
    db,
  )
  return rows[0]?.silent === true
}

/** Forgets a node that ends properly. */
export async function removeNode(db: Database, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute()
}

/** Forgets nodes whose connections and writes were taken over long ago. */
export async function removeOldNodes(db: Database): Promise<void> {
  await db.deleteFrom('nodes').where('heartbeat_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}

/** SQL: the node that a column names is silent. False for null. */
export const isSilent = (nodeId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  ${nodeId} is not null and not exists (
    select from nodes where nodes.id = ${nodeId}
      and nodes.heartbeat_at > now() - make_interval(secs => ${silentS}))`
