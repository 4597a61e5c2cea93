import type { visits as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './visits-store.ts'

/** The visit of a ticket, and the mode that its person asked for. */
export interface VisitTicket {
  readonly visitId: number
  readonly mode: contract.VisitMode
}

/** Stores a one-use ticket as its hash. */
export async function createVisitTicket(
  db: Db,
  ticketHash: Buffer,
  { visitId, mode }: VisitTicket,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('visit_tickets')
    .values({ ticket_hash: ticketHash, visit_id: visitId, mode, expires_at: expiresAt })
    .execute()
}

/** Takes a ticket: it is gone afterwards, also where it is too old. */
export async function takeVisitTicket(
  db: Db,
  ticketHash: Buffer,
  now: Date,
): Promise<VisitTicket | undefined> {
  const { rows } = await sql<VisitTicket>`
    with taken as (delete from visit_tickets where ticket_hash = ${ticketHash} returning *)
    select visit_id as "visitId", mode from taken where expires_at > ${now}`.execute(db)
  return rows[0]
}

/** Drops tickets that ran out. */
export async function removeOldTickets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('visit_tickets').where('expires_at', '<=', now).execute()
}
