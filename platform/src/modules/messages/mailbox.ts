import type { messages as contract } from '@busbar/contract'
import { create, DeviceAuditSchema, Scene, toBinary, UnreadCountSchema } from '@busbar/contract/push'
import { withTransaction } from '../../kernel/database/database.ts'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import * as store from './messages-store.ts'

/** A message to one person. */
export type Letter = store.NewMessage

/** An application's state, for the pages of one person (scenes 3 and 4). */
export interface AuditNews {
  readonly userId: number
  readonly kind: 'bind' | 'visit'
  readonly machineId: number
  readonly machineCode: string
  readonly applyId: number
  readonly isResult: boolean
  readonly auditState: number
}

/**
 * The messages of all people. A message is pushed with its commit, together with each reader's number of unread
 * messages, which is read under the reader's row lock, so that two simultaneous messages never report the same number.
 */
export interface Mailbox {
  /**
   * Writes letters and news in the caller's transaction; pages are notified after the commit. Answers the ids of the
   * letters.
   */
  post(
    trx: store.Db,
    at: Date,
    mail: { letters: readonly Letter[]; news?: readonly AuditNews[] },
  ): Promise<{ readonly ids: readonly number[] }>
  /** People's numbers of unread messages, under their row locks until the commit. */
  lockUnread(trx: store.Db, userIds: readonly number[]): Promise<(userId: number) => number>
  /** Changes the contents of letters, in the caller's transaction; read ones stay read. */
  amend(trx: store.Db, amendments: readonly store.Amendment[]): Promise<void>
  /** Marks letters of people as read in the caller's transaction, and notifies their pages. */
  read(trx: store.Db, at: Date, letters: ReadonlyMap<number, readonly number[]>): Promise<void>
  /**
   * Applies `change` to one person's messages under their row lock; answers the new number of unread messages and
   * publishes it to their pages.
   */
  change<T>(
    userId: number,
    at: Date,
    change: (trx: store.Db) => Promise<T>,
  ): Promise<{ answer: T; unread: contract.UnreadByTab }>
  /**
   * Marks the messages that asked for an answer as read, for all their readers: the answer was given, or is no longer
   * needed.
   */
  readAsked(asked: store.Asked, at: Date): Promise<void>
  /** Publishes people's numbers of unread messages to their pages, after a change without a letter. */
  tell(userIds: readonly number[], at: Date): Promise<void>
}

export function createMailbox(db: store.Db): Mailbox {
  const mailbox: Mailbox = {
    async post(trx, at, { letters, news = [] }) {
      const userIds = [...new Set([...letters, ...news].map(({ userId }) => userId))]
      if (userIds.length === 0) return { ids: [] }
      await store.lockReaders(trx, userIds)
      const ids = await store.createMessages(trx, at, letters)
      const counts = await store.countUnread(trx, userIds)
      await tellNews(trx, at, news, counts)
      await tellCounts(trx, at, new Set(letters.map(({ userId }) => userId)), counts)
      return { ids }
    },

    async lockUnread(trx, userIds) {
      await store.lockReaders(trx, userIds)
      const counts = await store.countUnread(trx, userIds)
      return (userId) => totalOf(counts.get(userId))
    },

    amend: store.amendMessages,

    async read(trx, at, letters) {
      const userIds = [...letters.keys()]
      if (userIds.length === 0) return
      await store.lockReaders(trx, userIds)
      for (const [userId, ids] of letters) await store.readMessages(trx, { userId, ids }, at)
      await tellCounts(trx, at, userIds, await store.countUnread(trx, userIds))
    },

    async change(userId, at, change) {
      return withTransaction(db, async (trx) => {
        await store.lockReaders(trx, [userId])
        const answer = await change(trx)
        const counts = await store.countUnread(trx, [userId])
        await tellCounts(trx, at, [userId], counts)
        return { answer, unread: counts.get(userId) }
      })
    },

    async readAsked(asked, at) {
      for (const userId of await store.listAsked(db, asked))
        await mailbox.change(userId, at, (trx) => store.readAsked(trx, userId, asked, at))
    },

    async tell(userIds, at) {
      await withTransaction(db, async (trx) => {
        await store.lockReaders(trx, userIds)
        await tellCounts(trx, at, userIds, await store.countUnread(trx, userIds))
      })
    },
  }
  return mailbox
}

type Counts = Awaited<ReturnType<typeof store.countUnread>>

/** All tabs together. */
export function totalOf(unread: contract.UnreadByTab): number {
  return Object.values(unread).reduce((sum, count) => sum + count, 0)
}

async function tellNews(trx: store.Db, at: Date, news: readonly AuditNews[], counts: Counts): Promise<void> {
  for (const kind of ['bind', 'visit'] as const) {
    const scene = kind === 'bind' ? Scene.BIND : Scene.VISIT
    const events = news
      .filter((each) => each.kind === kind)
      .map((each) => ({ userId: each.userId, body: encodeAudit(each, totalOf(counts.get(each.userId))) }))
    await createUserEvents(trx, scene, at, events)
  }
}

function tellCounts(trx: store.Db, at: Date, userIds: Iterable<number>, counts: Counts): Promise<void> {
  const events = [...userIds].map((userId) => {
    const unread = counts.get(userId)
    const body = create(UnreadCountSchema, { totalUnreadMsg: totalOf(unread), ...unread })
    return { userId, body: toBinary(UnreadCountSchema, body) }
  })
  return createUserEvents(trx, Scene.UNREAD, at, events)
}

function encodeAudit(news: AuditNews, totalUnreadMsg: number): Uint8Array {
  return toBinary(
    DeviceAuditSchema,
    create(DeviceAuditSchema, {
      deviceCode: news.machineCode,
      deviceId: String(news.machineId),
      isResult: news.isResult,
      auditState: news.auditState,
      totalUnreadMsg,
      applyId: String(news.applyId),
    }),
  )
}
