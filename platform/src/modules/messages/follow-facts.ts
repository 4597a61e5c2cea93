import { kindsOf, lookUp } from '../../kernel/facts/fact-table.ts'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import type { Mailbox } from './mailbox.ts'
import { type AskNames, messagesTable } from './messages-of-facts.ts'
import { type Db, findPersonName } from './messages-store.ts'

/** Writes the messages and updates of facts at the same commit: who acted reads them at once. */
export function createMessagesFollower(mailbox: Mailbox): DuringFollower {
  return {
    mode: 'during',
    name: 'messages.write',
    kinds: kindsOf(messagesTable),
    async follow(trx, facts, { words = {} }) {
      const ask: AskNames = {
        person: (userId) => findName(trx, userId),
        reason: () => words.reason ?? '',
        enterprise: () => words.enterprise ?? '',
        destination: () => words.destination ?? '',
        name: () => words.name ?? '',
      }
      const messages = []
      const updates = []
      for (const fact of facts) {
        const made = await lookUp(messagesTable, fact, ask)
        messages.push(...(made?.messages ?? []))
        updates.push(...(made?.updates ?? []))
      }
      const [first] = facts
      if (first) await mailbox.write(trx, new Date(first.at), { messages, updates })
    },
  }
}

const findName = async (trx: Db, userId: number | null): Promise<string> =>
  userId === null ? '' : findPersonName(trx, userId)
