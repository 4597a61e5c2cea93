import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { afterCommit, surround } from '../../src/kernel/database/after-commit.ts'
import { type Database, withTransaction } from '../../src/kernel/database/database.ts'
import type { Fact } from '../../src/kernel/facts/fact-kinds.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import type { DurableFollower, Follower } from '../../src/kernel/facts/follower.ts'
import { silentLogger } from '../../src/kernel/logger.ts'

/** The kind that tests record: any number is its machine. */
export const kind = 'machine.languageChanged'

/** The facts of one process on `db`, with a separate bus, started. */
export async function openFacts(db: Database, followers: readonly Follower[]) {
  const bus = createLocalBus(silentLogger)
  const part = surround([db], { wake: (topic) => bus.publish(topic, {}), failed: () => undefined })
  const facts = new Facts({ db, bus, logger: silentLogger, now: Date.now, retryPausesMs: [1] })
  for (const follower of followers) facts.follow(follower)
  await facts.start()
  return {
    facts,
    /** Records facts of these machines in one transaction. */
    record: (...machineIds: number[]) =>
      withTransaction(db, (trx) =>
        facts.recordAll(
          trx,
          machineIds.map((machineId) => ({ kind, machineId, at: Date.now() })),
        ),
      ),
    async stop() {
      await facts.stop()
      part()
    },
  }
}

/** A durable follower that remembers the machines of the facts it committed; `refuse` throws for some. */
export function collect(name: DurableFollower['name'], refuse: (machineId: number) => boolean = () => false) {
  const handled: number[] = []
  const follower: DurableFollower = {
    mode: 'durable',
    name,
    kinds: [kind],
    async follow(trx, facts) {
      for (const fact of facts) if (refuse(machineOf(fact))) throw new Error(`refuses ${machineOf(fact)}`)
      // After a rollback none of the transaction's facts count as handled.
      afterCommit(trx, () => void handled.push(...facts.map(machineOf)))
    },
  }
  return { follower, handled }
}

export const machineOf = (fact: Fact): number => fact.machineId ?? 0
