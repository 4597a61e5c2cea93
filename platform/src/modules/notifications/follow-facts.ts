import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { DurableFollower, DuringFollower } from '../../kernel/facts/follower.ts'
import * as store from './notifications-store.ts'
import { type NotifyDeps, notifyAlarms } from './notify-alarms.ts'
import type { NotifyingFact } from './plan.ts'

const followedKinds = [
  'alarm.raised',
  'alarm.counted',
  'alarm.changed',
  'alarm.confirmed',
  'alarm.shelved',
  'alarm.outOfService',
] as const
type Followed = (typeof followedKinds)[number]

/** Notifies people of the events of alarms; each fact once, in the transaction with the position. */
export function followAlarms(deps: NotifyDeps): DurableFollower<Followed> {
  return {
    mode: 'durable',
    name: 'notifications.alarms',
    kinds: followedKinds,
    // A batch is worked on without a pause for values: more take more of their time than they save.
    factsMax: 100,
    async follow(trx, facts) {
      const telling = facts.filter(
        ({ kind }) => kind === 'alarm.raised' || kind === 'alarm.counted' || kind === 'alarm.changed',
      )
      if (telling.length > 0) await notifyAlarms(deps, trx, telling as NotifyingFact[])
      await endAsked(deps, trx, facts)
    },
  }
}

/** Somebody handles an alarm, or keeps it from notifying: its waiting notifications end. */
async function endAsked(
  deps: NotifyDeps,
  trx: Transaction<DB>,
  facts: readonly Fact<Followed>[],
): Promise<void> {
  const at = new Date(deps.now())
  const confirmed = facts.filter((fact) => fact.kind === 'alarm.confirmed')
  const alarmIds = confirmed.map(({ alarmId }) => alarmId)
  await store.endWaiting(trx, alarmIds, 'confirmed', at)
  const alarmMessages = await store.listAlarmMessages(trx, alarmIds)
  const read = new Map<number, number[]>()
  for (const { alarmId, userId } of confirmed) {
    const messageId = userId === undefined ? undefined : alarmMessages.get(`${alarmId}/${userId}`)
    if (userId !== undefined && messageId !== undefined)
      read.set(userId, [...(read.get(userId) ?? []), messageId])
  }
  await deps.mailbox.read(trx, at, read)
  for (const fact of facts)
    if (fact.kind === 'alarm.shelved' || fact.kind === 'alarm.outOfService')
      await store.endCovered(trx, fact, fact.kind === 'alarm.shelved' ? 'shelved' : 'outOfService', at)
}

/** Why a message failed, or that it may have gone out twice. */
function reasonOf(fact: Fact<'message.accepted' | 'message.refused'>): string | null {
  if (fact.kind === 'message.refused') return fact.why
  return fact.isMaybeSecond ? 'maybeTwice' : null
}

/**
 * Whether a provider accepted a message, in the transaction that records its answer; the alarms of a digest share it. A
 * message that may have been sent twice is marked, because people ask why they got it again.
 */
export const followOutcomes: DuringFollower<'message.accepted' | 'message.refused'> = {
  mode: 'during',
  name: 'notifications.outcomes',
  kinds: ['message.accepted', 'message.refused'],
  async follow(trx, facts) {
    const states = facts.map(({ kind }) => (kind === 'message.accepted' ? 'sent' : 'failed'))
    const reasons = facts.map(reasonOf)
    await withKeptPlan(
      'message-outcomes',
      sql`
      update notifications note
      set state = given.state, reason = coalesce(given.reason, note.reason), settled_at = given.at
      from unnest(${facts.map(({ notificationId }) => notificationId)}::bigint[], ${states}::text[],
        ${reasons}::text[], ${facts.map(({ at }) => new Date(at))}::timestamptz[]) as given (id, state, reason, at)
      where (note.id = given.id or note.digest_id = given.id) and note.state in ('queued', 'sent')`,
    ).execute(trx)
  },
}

/** Whether a message arrived. */
export const followReceipts: DurableFollower<'message.delivered' | 'message.undelivered'> = {
  mode: 'durable',
  name: 'notifications.receipts',
  kinds: ['message.delivered', 'message.undelivered'],
  async follow(trx, facts) {
    const states = facts.map(({ kind }) => (kind === 'message.delivered' ? 'delivered' : 'failed'))
    await sql`
      update notifications
      set state = given.state, reason = case when given.state = 'failed' then 'undelivered' when reason = 'undelivered' then ''
                                             else reason end,
          settled_at = given.at
      from unnest(${facts.map(({ notificationId }) => notificationId)}::bigint[], ${states}::text[],
        ${facts.map(({ at }) => new Date(at))}::timestamptz[]) as given (id, state, at)
      where (notifications.id = given.id or notifications.digest_id = given.id)
        and (notifications.state in ('queued', 'sent', 'delivered') or notifications.reason = 'undelivered')`.execute(
      trx,
    )
  },
}
