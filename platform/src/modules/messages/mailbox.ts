import type { messages as contract } from '@busbar/contract'
import { create, DeviceAuditSchema, Scene, toBinary, UnreadCountSchema } from '@busbar/contract/push'
import { withTransaction } from '../../database/database.ts'
import { createUserEvents } from '../../realtime/user-events.ts'
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

/** What is pushed once the transaction that wrote it is committed. */
export type Outbound = readonly {
  readonly userId: number
  readonly id: number
  readonly scene: Scene
  readonly body: Uint8Array
  readonly at: number
}[]

/** How a user's pages are reached. */
export interface Post {
  sendEvent(userId: number, id: number, scene: Scene, body: Uint8Array, at: number): void
}

/**
 * Everybody's messages. What is written is pushed in the same breath: each reader's unread count travels with it, taken
 * under the reader's row lock, so that two messages at once never tell the same count twice.
 */
export interface Mailbox {
  /** Writes letters and news in the caller's transaction; hand the answer to `send` after the commit. */
  post(
    trx: store.Db,
    at: Date,
    mail: { letters: readonly Letter[]; news?: readonly AuditNews[] },
  ): Promise<Outbound>
  /** Does `change` to one person's messages under their row lock; answers and tells their pages what is unread after it. */
  change<T>(
    userId: number,
    at: Date,
    change: (trx: store.Db) => Promise<T>,
  ): Promise<{ answer: T; unread: contract.UnreadByTab }>
  /** Tells people's pages how much there is to read, after something else than a letter changed it. */
  tell(userIds: readonly number[], at: Date): Promise<void>
  send(outbound: Outbound): void
}

/** People whose last told count is remembered. */
const toldIdsMax = 50_000

export function createMailbox(db: store.Db, post: Post): Mailbox {
  /** The id of the last count each person was told: of two that were committed at once the later is what there is. */
  const toldIds = new Map<number, number>()
  const isOutdated = ({ userId, id, scene }: Outbound[number]) => {
    if (scene !== Scene.UNREAD) return false
    if (id < (toldIds.get(userId) ?? 0)) return true
    if (toldIds.size >= toldIdsMax) toldIds.clear()
    toldIds.set(userId, id)
    return false
  }
  const send = (outbound: Outbound) => {
    for (const event of outbound) {
      const { userId, id, scene, body, at } = event
      if (!isOutdated(event)) post.sendEvent(userId, id, scene, body, at)
    }
  }
  return {
    send,

    async post(trx, at, { letters, news = [] }) {
      const userIds = [...new Set([...letters, ...news].map(({ userId }) => userId))]
      if (userIds.length === 0) return []
      await store.lockReaders(trx, userIds)
      await store.createMessages(trx, at, letters)
      const counts = await store.countUnread(trx, userIds)
      const told = [
        ...(await tellNews(trx, at, news, counts)),
        ...(await tellCounts(trx, at, new Set(letters.map(({ userId }) => userId)), counts)),
      ]
      return told
    },

    async change(userId, at, change) {
      const { outbound, ...done } = await withTransaction(db, async (trx) => {
        await store.lockReaders(trx, [userId])
        const answer = await change(trx)
        const counts = await store.countUnread(trx, [userId])
        const outbound = await tellCounts(trx, at, [userId], counts)
        return { answer, unread: counts.get(userId), outbound }
      })
      send(outbound)
      return done
    },

    async tell(userIds, at) {
      const outbound = await withTransaction(db, async (trx) => {
        await store.lockReaders(trx, userIds)
        return tellCounts(trx, at, userIds, await store.countUnread(trx, userIds))
      })
      send(outbound)
    },
  }
}

type Counts = Awaited<ReturnType<typeof store.countUnread>>

/** All tabs together. */
export function totalOf(unread: contract.UnreadByTab): number {
  return Object.values(unread).reduce((sum, count) => sum + count, 0)
}

async function tellNews(
  trx: store.Db,
  at: Date,
  news: readonly AuditNews[],
  counts: Counts,
): Promise<Outbound> {
  const told: Outbound[number][] = []
  for (const kind of ['bind', 'visit'] as const) {
    const scene = kind === 'bind' ? Scene.BIND : Scene.VISIT
    const events = news
      .filter((each) => each.kind === kind)
      .map((each) => ({ userId: each.userId, body: encodeAudit(each, totalOf(counts.get(each.userId))) }))
    told.push(...(await writeEvents(trx, scene, at, events)))
  }
  return told
}

function tellCounts(trx: store.Db, at: Date, userIds: Iterable<number>, counts: Counts): Promise<Outbound> {
  const events = [...userIds].map((userId) => {
    const unread = counts.get(userId)
    const body = create(UnreadCountSchema, { totalUnreadMsg: totalOf(unread), ...unread })
    return { userId, body: toBinary(UnreadCountSchema, body) }
  })
  return writeEvents(trx, Scene.UNREAD, at, events)
}

async function writeEvents(
  trx: store.Db,
  scene: Scene,
  at: Date,
  events: readonly { readonly userId: number; readonly body: Uint8Array }[],
): Promise<Outbound> {
  const ids = await createUserEvents(trx, scene, at, events)
  return events.map((event, place) => ({ ...event, id: ids[place] ?? 0, scene, at: at.getTime() }))
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
