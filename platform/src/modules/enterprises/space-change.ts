import { type EnterpriseRight, mayInEnterprise } from '@busbar/contract'
import type { Bus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange, recordRightChangesOf } from '../../kernel/rights/right-changes.ts'
import { askAkeysAgain, listMachinesAskedFor, lockMachine, mailAbout } from '../access/index.ts'
import { writeAudit } from '../audit/index.ts'
import type { Mailbox } from '../messages/index.ts'
import type { Membership } from './space-rules.ts'
import * as store from './spaces-store.ts'

export interface SpaceDeps {
  readonly db: store.Db
  readonly bus: Bus
  readonly mailbox: Mailbox
}

/** Who changes something, from where and when. */
export interface Caller {
  readonly userId: number
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** An enterprise that is being changed, while nobody else changes its people. */
export interface SpaceChange {
  readonly trx: store.Trx
  readonly eid: number
  readonly at: Date
  /** What the caller is in it, read under the lock. */
  readonly actor: Membership
  /** Tells every door that these people's rights changed. */
  tellPeople(userIds: readonly number[], reason: string): Promise<void>
  /** Tells every door that everybody's rights to a machine changed. */
  tellMachine(machineId: number, reason: string): Promise<void>
  /** Writes messages and news; they are pushed once all is committed. */
  mail(mail: Parameters<Mailbox['post']>[2]): Promise<void>
  audit(action: string, target: string, detail?: Record<string, unknown>): Promise<void>
}

/**
 * One change of an enterprise: one transaction under its row lock, and the caller's own right asked again under it, so
 * that whoever was removed a moment ago changes nothing more. Throws 403.
 */
export async function changeSpace<T>(
  { db, mailbox }: SpaceDeps,
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
    const actor = isThere ? await store.findMembership(trx, eid, caller.userId) : undefined
    if (!actor || !mayInEnterprise(actor, right)) throw new Failure('403')
    const scope: SpaceChange = {
      trx,
      eid,
      at,
      actor,
      async tellPeople(userIds, reason) {
        await recordRightChangesOf(trx, userIds, reason)
        isTold = true
      },
      async tellMachine(machineId, reason) {
        await recordRightChange(trx, { machineId, reason })
        isTold = true
      },
      async mail(mail) {
        await mailbox.post(trx, at, mail)
      },
      audit: (action, target, detail = {}) =>
        writeAudit(trx, {
          actorUserId: caller.userId,
          action: `enterprise.${action}`,
          target,
          address: caller.address,
          result: 'ok',
          detail: { eid, ...detail },
          at,
        }),
    }
    const changed = await change(scope)
    if (isTold) await askAgainWithoutBkeys(scope, caller.now)
    return changed
  })
}

/**
 * Asks the Akeys of the enterprise's machines again where the last Bkey was of its people. Each machine that somebody asks
 * for is locked: an answer that counts on a Bkey who is leaving now is waited for.
 */
async function askAgainWithoutBkeys({ trx, eid, mail }: SpaceChange, now: number): Promise<void> {
  for (const machineId of await listMachinesAskedFor(trx, eid)) {
    const machine = await lockMachine(trx, machineId)
    if (!machine) continue
    const about = { machineId, machineCode: machine.code }
    await askAkeysAgain(
      { trx, machineId, mail: (letters, news = []) => mail(mailAbout(about, { letters, news })) },
      now,
    )
  }
}
