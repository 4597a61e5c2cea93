import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { nameFor } from '../machine-names/index.ts'

/** A notice to a machine's keys in their message centre, of one kind not again within a while. */
export interface KeyNotice {
  readonly machineId: number
  readonly type: 'passwordTries' | 'tagLimit' | 'tagTypes' | 'impossibleTimes'
  /** An object of the kind's parameters, as `jsonb`; the machine's name comes by itself. */
  readonly params: RawBuilder<unknown>
  /**
   * For notices about one owner's time: when that began, epoch milliseconds, 0 for always. The next owner does not get
   * them.
   */
  readonly ownedSince?: number
  readonly now: number
  readonly notAgainWithinMs: number
}

/** Writes the notice to people who did not get it within the period; answers those who get it now. */
export async function createKeyNotices(
  db: Kysely<DB>,
  keyIds: readonly number[],
  { machineId, type, params, ownedSince, now, notAgainWithinMs }: KeyNotice,
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    insert into messages (user_id, tab, type, machine_id, params, created_at)
    select key.user_id, 'device', ${type}, ${machineId}::bigint,
           ${params} || jsonb_build_object('machine', ${nameFor(sql.ref('key.user_id'), sql`${machineId}::bigint`)}),
           ${new Date(now)}
    from unnest(${[...keyIds]}::bigint[]) as key (user_id)
    where not exists (
      select from messages told
      where told.user_id = key.user_id and told.machine_id = ${machineId} and told.type = ${type}
        and told.created_at > ${new Date(now - notAgainWithinMs)})
      and ${ownedSince === undefined ? sql`true` : isOwnedSince(machineId, ownedSince)}
    returning user_id`.execute(db)
  return rows.map((row) => row.user_id)
}

/** In the statement that writes, so that a change of owner which was committed after the keys were read is seen. */
function isOwnedSince(machineId: number, ownedSince: number): RawBuilder<boolean> {
  return sql`exists (
    select from machines
    where id = ${machineId} and coalesce(owned_since, to_timestamp(0)) = ${new Date(ownedSince)})`
}
