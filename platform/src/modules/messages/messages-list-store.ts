import type { messages as contract, Lang } from '@busbar/contract'
import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../../kernel/database/search.ts'
import { heldNameFor } from '../machine-names/index.ts'
import type { MessageKind, MessageParams } from './message-kinds.ts'
import type { Db } from './messages-store.ts'

/** A message with its subject, as its reader may see it. */
export interface MessageRow {
  readonly id: number
  readonly kind: MessageKind
  readonly params: MessageParams
  readonly created_at: Date
  readonly read_at: Date | null
  readonly machine_id: number | null
  readonly machine_code: string | null
  /** The current name for the reader; the name at the time of the message where the reader lost every right over it. */
  readonly machine_name: string | null
  readonly application_id: number | null
  readonly application_kind: 'bind' | 'visit' | null
  readonly application_state: number | null
  readonly application_expires_at: Date | null
  readonly applicant_id: number | null
  readonly applicant: string | null
  readonly applicant_phone: string | null
  readonly proposer_id: number | null
  readonly proposer: string | null
  readonly note: string | null
  readonly remarks: string | null
  readonly terminal_name: string | null
  readonly wish: 'ro' | 'rw' | null
  readonly transfer_id: number | null
  readonly transfer_state: string | null
  readonly transfer_expires_at: Date | null
  readonly from_id: number | null
  readonly from_name: string | null
  /** The enterprise whose device it is. */
  readonly giver: string | null
  readonly to_id: number | null
  /** For an enterprise its number, to readers who do not belong to it and did not give it a machine. */
  readonly to_name: string | null
  /** Whether the reader manages the enterprise that the machine is offered to. */
  readonly manages_receiver: boolean
  readonly invitation_id: number | null
  readonly invitation_state: string | null
  readonly handover_id: number | null
  readonly handover_state: string | null
  readonly handover_expires_at: Date | null
  /** Of a request to get reports; null once it is forgotten. */
  readonly contact_state: 'asked' | 'confirmed' | 'left' | null
  /** Of an invitation to a project; null once it is declined or withdrawn. */
  readonly project_state: 'asked' | 'accepted' | null
  /** Whether the reader is asked to take the devices, themselves or for an enterprise they manage. */
  readonly answers_handover: boolean
  /** Whether the reader is asked to consent to a maintenance window that is not over. */
  readonly answers_window: boolean
}

/** Which messages of one person. */
export interface MessageFilter {
  readonly userId: number
  readonly tab: contract.MessageTab
  readonly read?: boolean | undefined
  /** Only these. */
  readonly ids?: readonly number[] | undefined
  /** In the machine's name or code, or a person's or an enterprise's name, of the latest messages; empty finds all. */
  readonly search: string
}

/** A search reads at most this many messages of a tab, the latest: each is joined with its subject. */
const searchedMax = 10_000

/** Messages, the latest first. Without a search the order comes from the index alone, even among 100,000 messages. */
export async function listMessages(
  db: Db,
  filter: MessageFilter,
  page: { offset: number; count: number },
): Promise<{ rows: MessageRow[]; total: number }> {
  const found = foundBy(filter)
  const [{ rows }, counted] = await Promise.all([
    selectMessages(
      db,
      sql`select message.id ${found} order by message.id desc offset ${page.offset} limit ${page.count}`,
    ),
    sql<{ total: number }>`select count(*)::int as total ${found}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** One message of a person; undefined if it is not theirs. */
export async function findMessage(db: Db, userId: number, id: number): Promise<MessageRow | undefined> {
  const { rows } = await selectMessages(
    db,
    sql`select id from messages where id = ${id} and user_id = ${userId}`,
  )
  return rows[0]
}

/** These messages, the latest first. */
export async function listByIds(db: Db, ids: readonly number[]): Promise<MessageRow[]> {
  const { rows } = await selectMessages(
    db,
    sql`select id from messages where id = any(${[...ids]}::bigint[])`,
  )
  return rows
}

/** The languages of people, by their ids. */
export async function listLanguages(db: Db, userIds: readonly number[]): Promise<Map<number, Lang>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'lang'])
    .where(sql<boolean>`id = any(${[...userIds]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, lang }) => [id, lang as Lang]))
}

/** Limit of the latest messages of the inbox in which those that may need an answer are searched. */
const askedMax = 1_000

/** Messages of a person's inbox whose subject is open. The views decide whether the reader is the one to answer. */
export async function listOpenMessages(db: Db, userId: number, now: Date): Promise<MessageRow[]> {
  const { rows } = await selectMessages(
    db,
    sql`select message.id from (
        select * from messages where user_id = ${userId} and tab = 'inbox' order by id desc limit ${askedMax}) message
      left join applications application on application.id = message.application_id
      left join machine_transfers transfer on transfer.id = message.transfer_id
      left join enterprise_invitations invitation on invitation.id = message.invitation_id
      left join enterprise_handovers handover on handover.id = message.handover_id
      where application.ended_at is null and application.expires_at > ${now}
         or transfer.state = 'waiting' and transfer.expires_at > ${now}
         or invitation.state = 'waiting'
         or handover.state = 'asked' and handover.expires_at > ${now}
         or message.type in ('windowAsked', 'reportRequest', 'projectInvited')`,
  )
  return rows
}

function foundBy({ userId, tab, read, ids, search }: MessageFilter): RawBuilder<unknown> {
  const own = sql`messages message
    where message.user_id = ${userId} and message.tab = ${tab}
      ${read === undefined ? sql`` : read ? sql`and message.read_at is not null` : sql`and message.read_at is null`}
      ${ids === undefined ? sql`` : sql`and message.id = any(${[...ids]}::bigint[])`}`
  if (search === '') return sql`from ${own}`
  const holds = `%${escapeLike(search)}%`
  return sql`from (select message.* from ${own} order by message.id desc limit ${searchedMax}) message ${subjects}
    where ${sql.join(
      searched.map((text) => sql`${text} ilike ${holds}`),
      sql` or `,
    )}`
}

/**
 * Joins the subjects of a message, each by a primary key. `offset 0` makes PostgreSQL look the name up once for each
 * machine and not for each message.
 */
const subjects = sql`
  left join machines on machines.id = message.machine_id
  left join lateral (
    select ${heldNameFor(sql.ref('message.user_id'), sql.ref('message.machine_id'))} as name offset 0) called on true
  left join applications application on application.id = message.application_id
  left join users applicant on applicant.id = application.user_id
  left join users proposer on proposer.id = application.proposed_by
  left join machine_transfers transfer on transfer.id = message.transfer_id
  left join users offering on offering.id = transfer.from_user_id
  left join enterprises giver on giver.id = transfer.from_enterprise_id
  left join users offered on offered.id = transfer.to_user_id
  left join enterprises receiver on receiver.id = transfer.to_enterprise_id
  left join enterprise_members mate on mate.enterprise_id = receiver.id and mate.user_id = message.user_id
  left join enterprise_invitations invitation on invitation.id = message.invitation_id
  left join enterprise_handovers handover on handover.id = message.handover_id
  left join enterprises taker on taker.id = handover.to_enterprise_id
  left join enterprise_members hand on hand.enterprise_id = taker.id and hand.user_id = message.user_id
  left join alarm_contacts contact on message.type = 'reportRequest'
    and contact.id = (message.params->>'contactId')::bigint and contact.account_id = message.user_id
  left join project_members invited on message.type = 'projectInvited'
    and invited.project_id = (message.params->>'projectId')::bigint and invited.user_id = message.user_id`

const machineName = sql`coalesce(called.name, message.params->>'machine')`

const receiverName = sql`coalesce(offered.name,
  case when transfer.state = 'accepted' or mate.user_id is not null then receiver.name else '#' || receiver.id end)`

/** The window of a message: its machine's, with the hours in the message. The machine's Akey answers it. */
const answersWindow = sql`exists (
  select 1 from maintenance_windows span
  where span.machine_id = message.machine_id and span.state = 'waiting'
    and span.start_at = to_timestamp((message.params->>'from')::numeric / 1000)
    and span.stop_at is not distinct from
      case when message.params->>'until' <> '-1' then to_timestamp((message.params->>'until')::numeric / 1000) end
    and (machines.owner_user_id = message.user_id or exists (
      select 1 from enterprise_members holder join enterprises space on space.id = holder.enterprise_id
      where space.id = machines.owner_enterprise_id and space.state = 'active'
        and holder.user_id = message.user_id and holder.role in ('owner', 'admin'))))`

const searched = [
  machineName,
  sql`machines.code`,
  sql`applicant.name`,
  sql`proposer.name`,
  sql`offering.name`,
  sql`giver.name`,
  receiverName,
  sql`message.params->>'person'`,
  sql`message.params->>'enterprise'`,
  sql`message.params->>'project'`,
]

function selectMessages(db: Db, ids: RawBuilder<unknown>) {
  return sql<MessageRow>`
    with wanted as materialized (${ids})
    select message.id, message.type as kind, message.params, message.created_at, message.read_at,
           message.machine_id, machines.code as machine_code, ${machineName} as machine_name,
           message.application_id, application.kind as application_kind, application.state as application_state,
           application.expires_at as application_expires_at,
           application.user_id as applicant_id, applicant.name as applicant, applicant.phone as applicant_phone,
           application.proposed_by as proposer_id, proposer.name as proposer,
           application.message as note, application.remarks, application.terminal_name, application.wish,
           message.transfer_id, transfer.state as transfer_state, transfer.expires_at as transfer_expires_at,
           transfer.from_user_id as from_id, offering.name as from_name, giver.name as giver,
           transfer.to_user_id as to_id, ${receiverName} as to_name,
           coalesce(receiver.state = 'active' and (mate.role <> 'member' or 'manage' = any(mate.rights)), false)
             as manages_receiver,
           message.invitation_id, invitation.state as invitation_state,
           message.handover_id, handover.state as handover_state, handover.expires_at as handover_expires_at,
           case when contact.left_at is not null then 'left' when contact.confirmed_at is not null then 'confirmed'
             when contact.id is not null then 'asked' end as contact_state,
           case when invited.accepted_at is not null then 'accepted' when invited.id is not null then 'asked' end
             as project_state,
           coalesce(handover.state = 'asked' and (handover.to_user_id = message.user_id
             or taker.state = 'active' and (hand.role <> 'member' or 'manage' = any(hand.rights))), false)
             as answers_handover,
           message.type = 'windowAsked' and ${answersWindow} as answers_window
    from wanted join messages message on message.id = wanted.id ${subjects}
    order by message.id desc`.execute(db)
}
