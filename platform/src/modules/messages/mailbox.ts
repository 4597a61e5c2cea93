import type { messages as contract } from '@busbar/contract'
import {
  create,
  DeviceAuditSchema,
  MassTextSchema,
  Scene,
  toBinary,
  UnreadCountSchema,
} from '@busbar/contract/push'
import { withTransaction } from '../../kernel/database/database.ts'
import { createUserEvents, lockEvents } from '../../kernel/events/user-events.ts'
import { messageKinds } from './message-kinds.ts'
import { listByIds, listLanguages } from './messages-list-store.ts'
import * as store from './messages-store.ts'
import { presentMessage } from './messages-views.ts'

/** A message to one person. */
export type NewMessage = store.NewMessage

/** An application's state, for the pages of one person (scenes 3 and 4). */
export interface ApplicationUpdate {
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
 * messages, which is read under the lock of the reader's events, so that two simultaneous messages never report the same
 * number.
 */
export interface Mailbox {
  /**
   * Writes messages and updates in the caller's transaction; pages are notified after the commit. Answers the ids of the
   * messages. `toldLater`: people who get other events of the same transaction after these. All are locked together,
   * because two transactions that lock them one after the other could wait for each other.
   */
  write(
    trx: store.Db,
    at: Date,
    given: {
      messages: readonly NewMessage[]
      updates?: readonly ApplicationUpdate[]
      toldLater?: readonly number[]
    },
  ): Promise<{ readonly ids: readonly number[] }>
  /** People's numbers of unread messages, under the locks of their events until the commit. */
  lockUnread(trx: store.Db, userIds: readonly number[]): Promise<(userId: number) => number>
  /** Changes the contents of messages, in the caller's transaction; read ones stay read. */
  amend(trx: store.Db, amendments: readonly store.Amendment[]): Promise<void>
  /** Marks messages of people as read in the caller's transaction, and notifies their pages. */
  read(trx: store.Db, at: Date, messages: ReadonlyMap<number, readonly number[]>): Promise<void>
  /**
   * Applies `change` to one person's messages; answers the new number of unread messages and publishes it to their pages.
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
  /** Publishes people's numbers of unread messages to their pages, after a change without a message. */
  publishUnread(userIds: readonly number[], at: Date): Promise<void>
}

export function createMailbox(db: store.Db): Mailbox {
  const mailbox: Mailbox = {
    async write(trx, at, { messages, updates = [], toldLater = [] }) {
      const userIds = [...new Set([...messages, ...updates].map(({ userId }) => userId))]
      if (userIds.length === 0) return { ids: [] }
      const ids = await store.createMessages(trx, at, messages)
      await lockEvents(trx, [...new Set([...userIds, ...toldLater])])
      const counts = await store.countUnread(trx, userIds)
      await publishUpdates(trx, at, updates, counts)
      await publishProjectAlarms(trx, at, { messages, ids }, counts)
      await publishCounts(trx, at, new Set(messages.map(({ userId }) => userId)), counts)
      return { ids }
    },

    async lockUnread(trx, userIds) {
      const counts = await lockCounts(trx, userIds)
      return (userId) => totalOf(counts.get(userId))
    },

    amend: store.amendMessages,

    async read(trx, at, messages) {
      const userIds = [...messages.keys()]
      if (userIds.length === 0) return
      for (const [userId, ids] of messages) await store.readMessages(trx, { userId, ids }, at)
      await publishCounts(trx, at, userIds, await lockCounts(trx, userIds))
    },

    async change(userId, at, change) {
      return withTransaction(db, async (trx) => {
        const answer = await change(trx)
        const counts = await lockCounts(trx, [userId])
        await publishCounts(trx, at, [userId], counts)
        return { answer, unread: counts.get(userId) }
      })
    },

    async readAsked(asked, at) {
      for (const userId of await store.listAsked(db, asked))
        await mailbox.change(userId, at, (trx) => store.readAsked(trx, userId, asked, at))
    },

    async publishUnread(userIds, at) {
      await withTransaction(db, async (trx) =>
        publishCounts(trx, at, userIds, await lockCounts(trx, userIds)),
      )
    },
  }
  return mailbox
}

type Counts = Awaited<ReturnType<typeof store.countUnread>>

async function lockCounts(trx: store.Db, userIds: readonly number[]): Promise<Counts> {
  await lockEvents(trx, userIds)
  return store.countUnread(trx, userIds)
}

/** All tabs together. */
export function totalOf(unread: contract.UnreadByTab): number {
  return Object.values(unread).reduce((sum, count) => sum + count, 0)
}

async function publishUpdates(
  trx: store.Db,
  at: Date,
  updates: readonly ApplicationUpdate[],
  counts: Counts,
): Promise<void> {
  for (const kind of ['bind', 'visit'] as const) {
    const scene = kind === 'bind' ? Scene.BIND : Scene.VISIT
    const events = updates
      .filter((each) => each.kind === kind)
      .map((each) => ({ userId: each.userId, body: encodeAudit(each, totalOf(counts.get(each.userId))) }))
    await createUserEvents(trx, scene, at, events)
  }
}

/** Pushes the texts of project alarms (scene 5), each in its reader's language. */
async function publishProjectAlarms(
  trx: store.Db,
  at: Date,
  { messages, ids }: { readonly messages: readonly NewMessage[]; readonly ids: readonly number[] },
  counts: Counts,
): Promise<void> {
  const readers = new Map<number, number>()
  for (const [place, { kind, userId }] of messages.entries())
    if (messageKinds[kind].tab === 'project') readers.set(ids[place] as number, userId)
  if (readers.size === 0) return
  const languages = await listLanguages(trx, [...readers.values()])
  const events = (await listByIds(trx, [...readers.keys()])).map((row) => {
    const userId = readers.get(row.id) as number
    const reading = {
      userId,
      lang: languages.get(userId) ?? 'cn',
      now: at.getTime(),
      answerable: new Set<number>(),
    }
    const text = { content: presentMessage(row, reading).body, totalUnreadMsg: totalOf(counts.get(userId)) }
    return { userId, body: toBinary(MassTextSchema, create(MassTextSchema, text)) }
  })
  await createUserEvents(trx, Scene.PROJECT_ALARM, at, events)
}

function publishCounts(trx: store.Db, at: Date, userIds: Iterable<number>, counts: Counts): Promise<void> {
  const events = [...userIds].map((userId) => {
    const unread = counts.get(userId)
    const body = create(UnreadCountSchema, { totalUnreadMsg: totalOf(unread), ...unread })
    return { userId, body: toBinary(UnreadCountSchema, body) }
  })
  return createUserEvents(trx, Scene.UNREAD, at, events)
}

function encodeAudit(update: ApplicationUpdate, totalUnreadMsg: number): Uint8Array {
  return toBinary(
    DeviceAuditSchema,
    create(DeviceAuditSchema, {
      deviceCode: update.machineCode,
      deviceId: String(update.machineId),
      isResult: update.isResult,
      auditState: update.auditState,
      totalUnreadMsg,
      applyId: String(update.applyId),
    }),
  )
}
