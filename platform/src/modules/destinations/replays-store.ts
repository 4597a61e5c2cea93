import { sql } from 'kysely'
import type { Db } from './lanes-store.ts'

/** A replay with how far it is: the machines before this link are done, and this one up to an instant. */
export interface StoredReplay {
  readonly from: Date
  readonly to: Date
  readonly linkId: number
  readonly sentTo: Date
}

/** False where one to this destination is running. */
export async function insertReplay(
  trx: Db,
  destinationId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('destination_replays')
    .values({ destination_id: destinationId, from_at: from, to_at: to, sent_to: from })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findReplay(db: Db, destinationId: number): Promise<StoredReplay | undefined> {
  return db
    .selectFrom('destination_replays')
    .select(['from_at as from', 'to_at as to', 'link_id as linkId', 'sent_to as sentTo'])
    .where('destination_id', '=', destinationId)
    .executeTakeFirst()
}

export async function moveReplay(db: Db, destinationId: number, linkId: number, sentTo: Date): Promise<void> {
  await db
    .updateTable('destination_replays')
    .set({ link_id: linkId, sent_to: sentTo })
    .where('destination_id', '=', destinationId)
    .execute()
}

/** Ends a replay; one that was sent fills the gaps within its time. */
export async function endReplay(
  db: Db,
  destinationId: number,
  { isSent }: { readonly isSent: boolean },
): Promise<void> {
  if (isSent)
    await sql`
      update destinations set gaps = 0, gap_from = null, gap_to = null from destination_replays replay
      where id = ${destinationId} and replay.destination_id = ${destinationId}
        and gap_from >= replay.from_at and gap_to <= replay.to_at`.execute(db)
  await db.deleteFrom('destination_replays').where('destination_id', '=', destinationId).execute()
}
