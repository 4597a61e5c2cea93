import type { Transaction } from 'kysely'
import type { DB } from '../database/schema.gen.ts'
import type { Fact } from './fact-kinds.ts'
import type { DuringFollower } from './follower.ts'

type Kind = 'machine.ownerChanged'

/**
 * Resets a module's data of a machine, in the transaction that gives it to another owner and under the lock of its row.
 * A first owner does not count as the next one: the existing data was sent while the machine was set up.
 */
export function onNextOwner(
  name: string,
  begin: (trx: Transaction<DB>, fact: Fact<Kind>) => Promise<unknown>,
): DuringFollower<Kind> {
  return {
    mode: 'during',
    name,
    kinds: ['machine.ownerChanged'],
    async follow(trx, facts) {
      for (const fact of facts) if (!fact.isFirst) await begin(trx, fact)
    },
  }
}
