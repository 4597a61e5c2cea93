import type { Mailbox } from './mailbox.ts'
import * as store from './messages-store.ts'

const dayMs = 86_400_000
/** Retention of messages after they were read, and of all, in ms (rules/messages.md: inbox). */
const readKeptMs = 90 * dayMs
const keptMs = 365 * dayMs
/** In one statement, so that it does not hold many rows for long; and people in one round. */
const removedMax = 10_000
const readersMax = 1_000

/** Removes old messages; readers who had them unread get the new number. */
export async function removeOldMessages(db: store.Db, mailbox: Mailbox, now: number): Promise<void> {
  let removed = removedMax
  while (removed === removedMax)
    removed = await store.removeReadBefore(db, new Date(now - readKeptMs), removedMax)
  const before = new Date(now - keptMs)
  for (const userId of await store.listReadersBefore(db, before, readersMax)) {
    await mailbox.change(userId, new Date(now), (trx) => store.removeWrittenBefore(trx, userId, before))
  }
}
