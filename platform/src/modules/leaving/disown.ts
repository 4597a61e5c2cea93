import { withTransaction } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Logger } from '../../kernel/logger.ts'
import { changeOwner, lockMachine, messagesAbout } from '../access/index.ts'
import { writeAudit } from '../audit/index.ts'
import type { Mailbox } from '../messages/index.ts'
import type { Db } from './leaving-store.ts'

/** A call that takes a deletion back, begun in time, may still be under way. */
export const graceMs = 60_000

export interface EraseDeps {
  readonly db: Db
  readonly mailbox: Mailbox
  readonly facts: Pick<Facts, 'record'>
  readonly logger: Logger
}

/** Makes one machine unowned, if the person who leaves still owns it. */
export async function disown(
  { db, mailbox, facts }: EraseDeps,
  owner: { readonly userId: number } | { readonly eid: number },
  machineId: number,
  at: Date,
): Promise<void> {
  await withTransaction(db, async (trx) => {
    const machine = await lockMachine(trx, machineId)
    const isTheirs =
      'userId' in owner ? machine?.owner_user_id === owner.userId : machine?.owner_enterprise_id === owner.eid
    if (!machine || !isTheirs) return
    const toWrite = await changeOwner({ trx, facts }, machineId, undefined, at)
    await writeAudit(trx, {
      actorUserId: 'userId' in owner ? owner.userId : null,
      action: 'machine.removed',
      target: machine.code,
      address: 'server',
      result: 'ok',
      detail: { machineId, reason: 'leaving', ...('eid' in owner ? { eid: owner.eid } : {}) },
      at,
    })
    await mailbox.write(trx, at, messagesAbout({ machineId, machineCode: machine.code }, toWrite))
  })
}
