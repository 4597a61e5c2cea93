import { type EnterpriseRight, mayInEnterprise } from '@busbar/contract'
import type { Bus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Aside, Fact, FactKind, NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { rightChangesOf } from '../../kernel/rights/follow-facts.ts'
import { askAkeysAgain, listMachinesAskedFor, lockMachine, type RightsChange } from '../access/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { findMembership } from '../spaces/index.ts'
import type { Membership } from './space-rules.ts'
import * as store from './spaces-store.ts'

export interface SpaceDeps {
  readonly db: store.Db
  readonly bus: Bus
  readonly mailbox: Mailbox
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
}

/**
 * A fact about the changing enterprise, without the fields that its scope adds: the enterprise, the actor, and the
 * time.
 */
export type SpaceFact<Kind extends FactKind = FactKind> = Kind extends FactKind
  ? Omit<NewFact<Kind>, 'enterpriseId' | 'by' | 'at'>
  : never

/** The enterprise whose people are being changed, locked against other changes. */
export interface SpaceChange {
  readonly trx: store.Trx
  readonly eid: number
  readonly at: Date
  /** The caller's membership, read under the lock. */
  readonly actor: Membership
  /** Records an act on the enterprise: open pages, audit log and people's messages follow it at this commit. */
  record(fact: SpaceFact, aside?: Pick<Aside, 'words'>): Promise<void>
  /** Writes the messages of a change of owner. */
  writeMessages(messages: Parameters<Mailbox['write']>[2]): Promise<void>
}

/**
 * A change of an enterprise: one transaction under its row lock, which checks the caller's right again, so that a
 * member removed a moment ago cannot change anything. Throws 403.
 */
export async function changeSpace<T>(
  { db, mailbox, facts }: SpaceDeps,
  caller: Caller,
  eid: number,
  right: EnterpriseRight,
  change: (scope: SpaceChange) => Promise<T>,
): Promise<T> {
  const at = new Date(caller.now)
  let isTold = false
  return withTransaction(db, async (trx) => {
    isTold = false
    const isThere = await store.lockSpace(trx, eid)
    const actor = isThere ? await findMembership(trx, eid, caller.userId) : undefined
    if (!actor || !mayInEnterprise(actor, right)) throw new Failure('403')
    const scope: SpaceChange = {
      trx,
      eid,
      at,
      actor,
      record(fact, aside) {
        const whole = { ...fact, enterpriseId: eid, by: caller.userId, at: caller.now } as NewFact
        isTold ||= rightChangesOf(whole as Fact).length > 0
        return facts.record(trx, whole, { ...aside, address: caller.address })
      },
      async writeMessages(messages) {
        await mailbox.write(trx, at, messages)
      },
    }
    const changed = await change(scope)
    if (isTold) await askAgainWithoutBkeys(facts, scope, caller)
    return changed
  })
}

/**
 * Asks the Akeys of the enterprise's machines again if the last Bkey was one of its members. Each machine with open
 * applications is locked, to wait for answers that still count on a leaving Bkey.
 */
async function askAgainWithoutBkeys(
  facts: SpaceDeps['facts'],
  { trx, eid }: SpaceChange,
  { userId: by, address, now: at }: Caller,
): Promise<void> {
  for (const machineId of await listMachinesAskedFor(trx, eid)) {
    const machine = await lockMachine(trx, machineId)
    if (!machine) continue
    const about = { machineId, machineCode: machine.code, by, at }
    const record: RightsChange['record'] = (fact) =>
      facts.record(trx, { ...fact, ...about } as NewFact, { address })
    await askAkeysAgain({ trx, machineId, record }, at)
  }
}
