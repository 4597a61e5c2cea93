import { messages as contract, type InputOf } from '@busbar/contract'
import { type Binding, bind, type ContextOf } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Mailbox, totalOf } from './mailbox.ts'
import { findMessage, listMessages, listOpenMessages, type MessageRow } from './messages-list-store.ts'
import { type Chosen, countUnread, type Db, readMessages, removeMessages } from './messages-store.ts'
import { mayAnswer, presentApplication, presentMessage, type Reading } from './messages-views.ts'

/** The parts that the routes of messages use. */
export interface MessagesDeps {
  readonly db: Db
  /** Connections of searches. */
  readonly lists: Db
  readonly mailbox: Mailbox
  /** The applications among these that wait for this person's answer. `now` in epoch milliseconds. */
  listAnswerable(userId: number, applicationIds: readonly number[], now: number): Promise<ReadonlySet<number>>
}

type Context = Pick<ContextOf<typeof contract.listMessages>, 'user' | 'lang' | 'now'>

/** The message centre: its five tabs, their numbers of unread messages, reading and clearing. */
export function messagesRoutes({ db, lists, mailbox, listAnswerable }: MessagesDeps): Binding[] {
  async function readingOf(rows: readonly MessageRow[], { user, lang, now }: Context): Promise<Reading> {
    const applicationIds = rows.flatMap((row) => row.application_id ?? [])
    const answerable = await listAnswerable(user.userId, [...new Set(applicationIds)], now)
    return { userId: user.userId, lang, now, answerable }
  }

  async function unreadOf(userId: number) {
    return (await countUnread(db, [userId])).get(userId)
  }

  /** Messages that need the reader's answer. */
  async function asksOf(context: Context): Promise<MessageRow[]> {
    const rows = await listOpenMessages(lists, context.user.userId, new Date(context.now))
    const reading = await readingOf(rows, context)
    return rows.filter((row) => mayAnswer(row, reading))
  }

  async function pageOf({ scene, page, pageSize, read, mayAnswer, search = '' }: PageWish, context: Context) {
    const ids = mayAnswer && (await asksOf(context)).map((row) => row.id)
    const filter = { userId: context.user.userId, tab: scene, read, ids, search: search.trim() }
    const slice = { offset: (page - 1) * pageSize, count: pageSize }
    const [{ rows, total }, unread] = await Promise.all([
      listMessages(lists, filter, slice),
      unreadOf(context.user.userId),
    ])
    const reading = await readingOf(rows, context)
    const list = rows.map((row) => presentMessage(row, reading))
    return { list, total, page, pageSize, totalUnreadMsg: totalOf(unread) }
  }

  return [
    bind(contract.getTotalUnread, async ({ scene }, context) => {
      const [byScene, asks] = await Promise.all([unreadOf(context.user.userId), asksOf(context)])
      const toAnswer = new Set(asks.map(subjectOf)).size
      return { totalUnreadMsg: scene ? byScene[scene] : totalOf(byScene), byScene, toAnswer }
    }),

    bind(contract.listMessages, pageOf),

    bind(contract.listMessagesOfTab, ({ msgwhat, page, pageSize }, context) =>
      pageOf({ scene: msgwhat, page, pageSize }, context),
    ),

    bind(contract.readMessages, async (input, { user, now }) => {
      const at = new Date(now)
      const { answer, unread } = await mailbox.change(user.userId, at, (trx) =>
        readMessages(trx, chosenOf(input, user.userId), at),
      )
      return { read: answer, totalUnreadMsg: totalOf(unread) }
    }),

    bind(contract.clearMessages, async (input, { user, now }) => {
      const { answer, unread } = await mailbox.change(user.userId, new Date(now), (trx) =>
        removeMessages(trx, chosenOf(input, user.userId)),
      )
      return { deleted: answer, totalUnreadMsg: totalOf(unread) }
    }),

    bind(contract.getMessage, async ({ id }, context) => {
      const row = await findMessage(db, context.user.userId, id)
      if (!row) throw new Failure('404')
      const reading = await readingOf([row], context)
      return { ...presentMessage(row, reading), application: presentApplication(row) }
    }),
  ]
}

type PageWish = Pick<InputOf<typeof contract.listMessages>, 'scene' | 'page' | 'pageSize'> &
  Partial<InputOf<typeof contract.listMessages>>

/** The thing a message asks about, which further messages may ask about too. */
function subjectOf(row: MessageRow): string {
  const { application_id, transfer_id, invitation_id, handover_id } = row
  return [application_id, transfer_id, invitation_id, handover_id].some((id) => id !== null)
    ? [application_id, transfer_id, invitation_id, handover_id].join()
    : `message ${row.id}`
}

/** Without ids and tab the request would mean all messages, which is never intended. */
function chosenOf({ ids, scene }: InputOf<typeof contract.readMessages>, userId: number): Chosen {
  if (ids === undefined && scene === undefined) throw new Failure('400', { field: 'scene' })
  return { userId, ids, tab: scene }
}
