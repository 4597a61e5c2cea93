import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import type { OutgoingMessage } from './message.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** `kept`: read by an operator in the outbox. `withheld`: stands for a message that nobody gets. */
export type FirstState = 'queued' | 'kept' | 'withheld'

/** Stores a message; of one that is withheld only how long it was, which takes as long to write. */
export async function createMessage(
  db: Db,
  message: OutgoingMessage,
  state: FirstState,
  at: Date,
): Promise<void> {
  const told = (text: string) => (state === 'withheld' ? 'x'.repeat(text.length) : text)
  await db
    .insertInto('outgoing')
    .values({
      kind: message.kind,
      brand_id: message.brandId,
      text: told(message.text),
      state,
      created_at: at,
      next_try_at: at,
      ...(message.kind === 'sms'
        ? {
            country_code: message.countryCode,
            recipient: message.phone,
            params: JSON.stringify(state === 'withheld' ? {} : (message.params ?? {})),
          }
        : {
            recipient: message.to,
            lang: message.lang,
            subject: message.subject,
            html: told(message.html),
          }),
    })
    .execute()
}

/**
 * Takes up to `max` messages of a kind that are due and counts the try. Until `retryAt` no other look finds them: of a process
 * that ends meanwhile they are sent again after that.
 */
export async function takeDueMessages(
  db: Db,
  options: { kind: OutgoingMessage['kind']; now: Date; retryAt: Date; max: number },
) {
  return db
    .updateTable('outgoing')
    .set({ tries: sql`tries + 1`, next_try_at: options.retryAt })
    .where('id', 'in', (where) =>
      where
        .selectFrom('outgoing')
        .select('id')
        .where('state', '=', 'queued')
        .where('kind', '=', options.kind)
        .where('next_try_at', '<=', options.now)
        .orderBy('next_try_at')
        .limit(options.max)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      'id',
      'kind',
      'brand_id',
      'country_code',
      'recipient',
      'lang',
      'subject',
      'text',
      'html',
      'params',
      'tries',
    ])
    .execute()
}

/** A message taken to be sent. */
export type DueMessage = Awaited<ReturnType<typeof takeDueMessages>>[number]

/** Notes that a message went out. What it said is forgotten: codes are secrets. */
export async function updateMessageSent(db: Db, id: number, at: Date): Promise<void> {
  await db
    .updateTable('outgoing')
    .set({ state: 'sent', sent_at: at, text: '', html: '', params: '{}', error: '' })
    .where('id', '=', id)
    .execute()
}

/** Notes why a try failed, and when the next one is due; without one the message is given up and forgotten. */
export async function updateMessageError(
  db: Db,
  id: number,
  error: string,
  nextTryAt: Date | undefined,
): Promise<void> {
  await db
    .updateTable('outgoing')
    .set(
      nextTryAt
        ? { error, next_try_at: nextTryAt }
        : { error, state: 'failed', text: '', html: '', params: '{}' },
    )
    .where('id', '=', id)
    .execute()
}

/** The newest messages an operator may read, and those that failed. */
export async function listOutbox(db: Db, max: number) {
  return db
    .selectFrom('outgoing')
    .select(['created_at', 'kind', 'country_code', 'recipient', 'subject', 'text', 'state', 'error'])
    .where('state', 'in', ['kept', 'failed'])
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
}

/** Drops messages made before an instant. */
export async function removeOldMessages(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outgoing').where('created_at', '<', before).execute()
}
