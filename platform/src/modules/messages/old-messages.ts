import type { Mailbox } from './mailbox.ts'
import * as store from './messages-store.ts'

const dayMs = 86_400_000
/** How long a message is kept after it was read, and how long at all. */
const readKeptMs = 90 * dayMs
const keptMs = 365 * dayMs
/** Of a statement, so that none of them holds many rows for long; and of people in a round. */
const removedMax = 10_000
const readersMax = 1_000

/** Removes messages nobody needs any more; whoever had them unread is told what is left. */
export async function removeOldMessages(db: store.Db, mailbox: Mailbox, now: number): Promise<void> {
  let removed = removedMax
  while (removed === removedMax)
    removed = await store.removeReadBefore(db, new Date(now - readKeptMs), removedMax)
  const before = new Date(now - keptMs)
  for (const userId of await store.listReadersBefore(db, before, readersMax)) {
    await mailbox.change(userId, new Date(now), (trx) => store.removeWrittenBefore(trx, userId, before))
  }
}
