import { messages as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { nameFor } from '../machine-names/index.ts'
import { type MessageKind, type MessageParams, messageKinds } from './message-kinds.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A message to one person. */
export interface NewMessage {
  readonly userId: number
  readonly kind: MessageKind
  /** Left out where it is about no machine. */
  readonly machineId?: number
  readonly applicationId?: number
  readonly transferId?: number
  readonly invitationId?: number
  readonly handoverId?: number
  /** The data of its text: see message-kinds.ts. */
  readonly params?: MessageParams
}

/** Writes messages; answers their ids, in the order given. */
export async function createMessages(db: Db, at: Date, messages: readonly NewMessage[]): Promise<number[]> {
  if (messages.length === 0) return []
  const given = messages.map((message) => ({
    user_id: message.userId,
    tab: messageKinds[message.kind].tab,
    type: message.kind,
    machine_id: message.machineId ?? null,
    application_id: message.applicationId ?? null,
    transfer_id: message.transferId ?? null,
    invitation_id: message.invitationId ?? null,
    handover_id: message.handoverId ?? null,
    params: message.params ?? {},
    // The sender has read their own message.
    is_read: messageKinds[message.kind].type === 'send',
  }))
  // One text for any number of messages: with a look for the name in each row, hundreds take longer to plan.
  const { rows } = await withKeptPlan(
    'new-messages',
    sql<{ id: number }>`
    insert into messages (user_id, tab, type, machine_id, application_id, transfer_id, invitation_id, handover_id, params,
      created_at, read_at)
    select user_id, tab, type, machine_id, application_id, transfer_id, invitation_id, handover_id,
      -- Kept for a reader who loses every right over the machine: they must not read a later owner's name.
      jsonb_strip_nulls(jsonb_build_object('machine', ${nameFor(sql.ref('given.user_id'), sql.ref('given.machine_id'))}))
        || params,
      ${at}, case when is_read then ${at}::timestamptz end
    from rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (user_id bigint, tab text, type text,
      machine_id bigint, application_id bigint, transfer_id bigint, invitation_id bigint, handover_id bigint, params jsonb,
      is_read boolean)) with ordinality as given (user_id, tab, type, machine_id, application_id, transfer_id,
      invitation_id, handover_id, params, is_read, place)
    order by place
    returning id`,
  ).execute(db)
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

/** Messages whose contents change from now on. */
export interface Amendment {
  readonly messageId: number
  readonly params: MessageParams
}

/** Changes the contents of messages; read ones stay read. */
export async function amendMessages(db: Db, amendments: readonly Amendment[]): Promise<void> {
  if (amendments.length === 0) return
  const ids = amendments.map(({ messageId }) => messageId)
  const params = amendments.map((one) => JSON.stringify(one.params))
  await sql`
    update messages set params = messages.params || given.params
    from unnest(${ids}::bigint[], ${params}::jsonb[]) as given (id, params)
    where messages.id = given.id`.execute(db)
}

/** The unread counts of people, zeros included. */
export async function countUnread(db: Db, userIds: readonly number[]) {
  const rows = await db
    .selectFrom('messages')
    .select(['user_id', 'tab', sql<number>`count(*)`.as('count')])
    .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
    .where('read_at', 'is', null)
    .groupBy(['user_id', 'tab'])
    .execute()
  const counts = new Map<number, contract.UnreadByTab>()
  for (const row of rows) {
    const own = counts.get(row.user_id) ?? nothingUnread()
    own[row.tab as contract.MessageTab] = row.count
    counts.set(row.user_id, own)
  }
  return { get: (userId: number): contract.UnreadByTab => counts.get(userId) ?? nothingUnread() }
}

function nothingUnread(): contract.UnreadByTab {
  return Object.fromEntries(contract.messageTabs.map((tab) => [tab, 0])) as contract.UnreadByTab
}

/** Some of one person's messages: those of these ids, or a whole tab. */
export interface Chosen {
  readonly userId: number
  readonly ids?: readonly number[] | undefined
  readonly tab?: contract.MessageTab | undefined
}

/** Marks messages as read; answers how many of them were not. */
export async function readMessages(db: Db, chosen: Chosen, at: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ read_at: at })
    .where('user_id', '=', chosen.userId)
    .where('read_at', 'is', null)
    .$if(chosen.tab !== undefined, (query) => query.where('tab', '=', chosen.tab ?? ''))
    .$if(chosen.ids !== undefined, (query) => query.where(isOneOf(chosen.ids ?? [])))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Marks one person's messages that asked them to answer an application as read. */
export async function readApplied(db: Db, userId: number, applicationId: number, at: Date): Promise<void> {
  await db
    .updateTable('messages')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .where('tab', '=', 'inbox')
    .where('read_at', 'is', null)
    .execute()
}

/** Marks one person's messages about invitations as read. */
export async function readInvited(
  db: Db,
  userId: number,
  invitationIds: readonly number[],
  at: Date,
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where(sql<boolean>`invitation_id = any(${[...invitationIds]}::bigint[])`)
    .where('read_at', 'is', null)
    .execute()
}

/** Marks one person's messages about an invitation to a project as read. */
export async function readProjectInvited(db: Db, userId: number, projectId: number, at: Date): Promise<void> {
  await db
    .updateTable('messages')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where('tab', '=', 'inbox')
    .where('type', '=', 'projectInvited')
    .where(sql<boolean>`(params->>'projectId')::bigint = ${projectId}`)
    .where('read_at', 'is', null)
    .execute()
}

/** The subject of messages that ask for an answer. */
export type Asked = { readonly transferId: number } | { readonly handoverId: number }

/** Readers of the messages that ask for one answer. */
export async function listAsked(db: Db, asked: Asked): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('user_id')
    .distinct()
    .where(isAbout(asked))
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** Marks one person's messages that ask for one answer as read. */
export async function readAsked(db: Db, userId: number, asked: Asked, at: Date): Promise<void> {
  await db
    .updateTable('messages')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where(isAbout(asked))
    .where('read_at', 'is', null)
    .execute()
}

const isAbout = (asked: Asked) =>
  'transferId' in asked
    ? sql<boolean>`transfer_id = ${asked.transferId} and tab = 'inbox'`
    : sql<boolean>`handover_id = ${asked.handoverId} and tab = 'inbox'`

/** Removes messages; answers how many there were. */
export async function removeMessages(db: Db, chosen: Chosen): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('messages')
    .where('user_id', '=', chosen.userId)
    .$if(chosen.tab !== undefined, (query) => query.where('tab', '=', chosen.tab ?? ''))
    .$if(chosen.ids !== undefined, (query) => query.where(isOneOf(chosen.ids ?? [])))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const isOneOf = (ids: readonly number[]) => sql<boolean>`id = any(${[...ids]}::bigint[])`

/** Removes read messages that were read before `readBefore`, at most `count`; answers how many. */
export async function removeReadBefore(db: Db, readBefore: Date, count: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from messages where id in (select id from messages where read_at < ${readBefore} limit ${count})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Readers of messages written before `before`, from at most `count` messages. */
export async function listReadersBefore(db: Db, before: Date, count: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct user_id from (select user_id from messages where created_at < ${before} limit ${count}) old`.execute(
    db,
  )
  return rows.map((row) => row.user_id)
}

/** Removes one person's messages written before. */
export async function removeWrittenBefore(db: Db, userId: number, before: Date): Promise<void> {
  await db.deleteFrom('messages').where('user_id', '=', userId).where('created_at', '<', before).execute()
}

/** A person's name; empty without one. */
export async function findPersonName(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  return row?.name ?? ''
}

/** Removes at most `count` of a person's messages; answers how many. */
export async function removeSomeMessages(db: Db, userId: number, count: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from messages where id in (select id from messages where user_id = ${userId} limit ${count})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
