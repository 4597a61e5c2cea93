import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Attachment } from './attachment.ts'
import type { EmailMessage, OutgoingMessage } from './message.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** `kept`: an operator reads it in the outbox. `withheld`: a placeholder for a message that is not sent. */
export type FirstState = 'queued' | 'kept' | 'withheld'

/** Stores messages; of one that is withheld only how long it was, which takes as long to write. Answers their ids. */
export async function createMessages(
  db: Db,
  messages: readonly OutgoingMessage[],
  stateOf: (message: OutgoingMessage) => FirstState,
  at: Date,
): Promise<number[]> {
  const rows = await db
    .insertInto('outgoing')
    .values(messages.map((message) => rowOf(message, stateOf(message), at)))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** The address of an e-mail. */
const addressOf = ({ to }: EmailMessage): string => (typeof to === 'string' ? to : to.email)

function rowOf(message: OutgoingMessage, state: FirstState, at: Date) {
  const told = (text: string) => (state === 'withheld' ? 'x'.repeat(text.length) : text)
  const common = {
    kind: message.kind,
    brand_id: message.brandId,
    lang: message.lang ?? null,
    text: told(message.text),
    state,
    purpose: message.purpose ?? 'notice',
    notification_id: message.notificationId ?? null,
    created_at: at,
  }
  if (message.kind === 'sms') {
    const params = JSON.stringify(state === 'withheld' ? {} : (message.params ?? {}))
    return { ...common, country_code: message.countryCode, recipient: message.phone, params }
  }
  return {
    ...common,
    recipient: addressOf(message),
    subject: message.subject,
    html: told(message.html),
    mail_token: randomBytes(16).toString('base64url'),
    unsubscribe_url: message.unsubscribeUrl ?? '',
    attachments: JSON.stringify(state === 'withheld' ? [] : (message.attachments ?? [])),
  }
}

/** The notification that a message carries; undefined without one. */
export async function findNotification(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('outgoing')
    .select('notification_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.notification_id ?? undefined
}

/** A try of a message, by the number that its job gives it. */
export interface Try {
  readonly id: number
  readonly tries: number
}

/** A message taken to be sent. */
export interface DueMessage {
  readonly id: number
  readonly kind: string
  readonly brand_id: number
  readonly country_code: string | null
  readonly recipient: string
  readonly lang: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly params: unknown
  readonly purpose: string
  readonly notification_id: number | null
  readonly unsubscribe_url: string
  readonly mail_token: string
  readonly attachments: readonly Attachment[]
  readonly created_at: Date
  /** The number of this try of the message. */
  readonly attempt: number
  /** An earlier try may have been accepted. */
  readonly isMaybeSecond: boolean
}

/** Records that tries begin, in one statement; answers the messages by id. Sent and deleted ones are left out. */
export async function beginTries(
  db: Db,
  tries: readonly Try[],
  at: Date,
): Promise<ReadonlyMap<number, DueMessage>> {
  const { rows } = await withKeptPlan(
    'begin-tries',
    sql<DueMessage>`
    with taken as (
      update outgoing set tries = given.tries, state = 'queued'
      from unnest(${tries.map(({ id }) => id)}::bigint[], ${tries.map((one) => one.tries)}::int[]) as given (id, tries)
      where outgoing.id = given.id and outgoing.state in ('queued', 'failed') and outgoing.text <> ''
      returning outgoing.id, kind, brand_id, country_code, recipient, lang, subject, text, html, params, purpose,
        notification_id, unsubscribe_url, mail_token, attachments, created_at
    ), begun as (
      insert into outgoing_attempts (outgoing_id, attempt, began_at)
      select taken.id, coalesce(max(before.attempt), 0) + 1, ${at}
      from taken left join outgoing_attempts before on before.outgoing_id = taken.id group by taken.id
      returning outgoing_id, attempt
    )
    select taken.*, begun.attempt, exists (
      select from outgoing_attempts before
      where before.outgoing_id = taken.id and (before.outcome is null or before.outcome = 'unknown')
    ) as "isMaybeSecond"
    from taken join begun on begun.outgoing_id = taken.id`,
  ).execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether a message failed and its text is gone. */
export async function isForgotten(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return row !== undefined
}

/** Queued messages of a kind without a job in a queue. */
export async function listUnsent(db: Db, kind: OutgoingMessage['kind'], queue: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from outgoing
     where state = 'queued' and kind = ${kind}
       and id not in (select (data->'data'->>'messageId')::bigint from jobs.job
                       where name = ${queue} and state in ('created', 'retry', 'active'))
     order by id`.execute(db)
  return rows.map((row) => row.id)
}

/** Notes that messages went out, and deletes their texts: codes are secrets. Answers those that it was not known of. */
export async function updateMessagesSent(
  db: Db,
  ids: readonly number[],
  at: Date,
): Promise<ReadonlySet<number>> {
  const { rows } = await withKeptPlan(
    'sent-messages',
    sql<{ id: number }>`
    update outgoing set state = 'sent', sent_at = ${at}, text = '', html = '', params = '{}', error = ''
    where id = any(${[...ids]}::bigint[]) and state <> 'sent' returning id`,
  ).execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Records why a try failed, of a message that is still to be sent: one that was cancelled or sent stays so. After
 * `failed` an operator may have it sent again; after `refused` its text is deleted. Answers its notification, null
 * without one; undefined if nothing changed.
 */
export async function updateMessageError(
  db: Db,
  id: number,
  error: string,
  state: 'queued' | 'failed' | 'refused',
): Promise<number | null | undefined> {
  const row = await db
    .updateTable('outgoing')
    .set(
      state === 'refused' ? { error, state: 'failed', text: '', html: '', params: '{}' } : { error, state },
    )
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('notification_id')
    .executeTakeFirst()
  return row?.notification_id
}

/** The newest messages an operator may read, and those that failed. */
export async function listOutbox(db: Db, max: number) {
  return (
    db
      .selectFrom('outgoing')
      .select(['created_at', 'kind', 'country_code', 'recipient', 'subject', 'state', 'error'])
      // The code of a failed one may still be valid.
      .select(sql<string>`case when state = 'kept' then text else '' end`.as('text'))
      .where('state', 'in', ['kept', 'failed'])
      .orderBy('id', 'desc')
      .limit(max)
      .execute()
  )
}

/** Drops messages made before an instant. */
export async function removeOldMessages(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outgoing').where('created_at', '<', before).execute()
}

/** Removes every message to these recipients, sent or not: they are erased. */
export async function removeOutgoingTo(
  db: Kysely<DB>,
  recipients: readonly { readonly recipient: string; readonly countryCode: string | null }[],
): Promise<void> {
  for (const { recipient, countryCode } of recipients)
    await db
      .deleteFrom('outgoing')
      .where('recipient', '=', recipient)
      .where('country_code', 'is not distinct from', countryCode)
      .execute()
}
