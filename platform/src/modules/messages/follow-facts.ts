import { kindsOf, lookUp } from '../../kernel/facts/fact-table.ts'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { type AskNames, lettersTable } from './letters-of-facts.ts'
import type { Mailbox } from './mailbox.ts'
import { type Db, findPersonName } from './messages-store.ts'

/** Writes the letters and news of facts at the same commit: who acted reads them at once. */
export function createLettersFollower(mailbox: Mailbox): DuringFollower {
  return {
    mode: 'during',
    name: 'messages.letters',
    kinds: kindsOf(lettersTable),
    async follow(trx, facts, { words = {} }) {
      const ask: AskNames = {
        person: (userId) => findName(trx, userId),
        reason: () => words.reason ?? '',
        enterprise: () => words.enterprise ?? '',
      }
      const letters = []
      const news = []
      for (const fact of facts) {
        const mail = await lookUp(lettersTable, fact, ask)
        letters.push(...(mail?.letters ?? []))
        news.push(...(mail?.news ?? []))
      }
      const [first] = facts
      if (first) await mailbox.post(trx, new Date(first.at), { letters, news })
    },
  }
}

const findName = async (trx: Db, userId: number | null): Promise<string> =>
  userId === null ? '' : findPersonName(trx, userId)
