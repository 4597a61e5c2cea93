import type { Db } from './applications-store.ts'

/** A machine password that a person proved; only the ticket's hash is stored. */
export interface PasswordTicket {
  readonly ticketHash: Buffer
  readonly userId: number
  /** The session of the proof. */
  readonly sessionId: number
  readonly machineId: number
  /** The machine's password when it was proved: another password makes the ticket void. */
  readonly passwordHash: string
}

/** Keeps a proof in place of an earlier one of the same person. */
export async function createTicket(
  db: Db,
  ticket: PasswordTicket & { readonly expiresAt: Date },
): Promise<void> {
  await db
    .deleteFrom('machine_password_tickets')
    .where('user_id', '=', ticket.userId)
    .where('machine_id', '=', ticket.machineId)
    .execute()
  await db
    .insertInto('machine_password_tickets')
    .values({
      ticket_hash: ticket.ticketHash,
      user_id: ticket.userId,
      session_id: ticket.sessionId,
      machine_id: ticket.machineId,
      password_hash: ticket.passwordHash,
      expires_at: ticket.expiresAt,
    })
    .execute()
}

/** Uses a proof up; false without a valid one for this session, machine and password. */
export async function removeTicket(trx: Db, ticket: PasswordTicket, now: Date): Promise<boolean> {
  const result = await trx
    .deleteFrom('machine_password_tickets')
    .where('ticket_hash', '=', ticket.ticketHash)
    .where('user_id', '=', ticket.userId)
    .where('session_id', '=', ticket.sessionId)
    .where('machine_id', '=', ticket.machineId)
    .where('password_hash', '=', ticket.passwordHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function removeExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('machine_password_tickets').where('expires_at', '<=', now).execute()
}
