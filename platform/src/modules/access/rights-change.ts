import { limits } from '@busbar/contract'
import type { Bus } from '../../bus/bus.ts'
import { Failure } from '../../http/failure.ts'
import { createRightChange } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { createAccess } from './access-door.ts'
import * as store from './grants-store.ts'

/** What a change of rights stands on. */
export interface RightsDeps {
  readonly db: store.Db
  readonly bus: Bus
  /** Whether this platform was started for demo. */
  readonly demo: boolean
}

/** Who changes rights, from where and when. */
export interface Caller {
  readonly userId: number
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

type Detail = Record<string, unknown>

/** The machine whose rights are being changed, while nobody else changes them. */
export interface RightsChange {
  readonly trx: store.Trx
  readonly machineId: number
  readonly machine: NonNullable<Awaited<ReturnType<typeof store.lockMachine>>>
  readonly isAkey: boolean
  /**
   * Tells every door (decision 22): of one person's rights, or without `userId` of everybody's; and the audit log
   * (decision 62), with `detail`.
   */
  tell(reason: string, userId?: number, detail?: Detail): Promise<void>
  /** Tells the audit log alone: of what is nobody's right. */
  note(action: string, detail: Detail): Promise<void>
  /** Puts the machine into a person's list. Throws 01010307 when that list is full. */
  putIntoListOf(userId: number): Promise<void>
}

/**
 * One change of a machine's rights: one transaction under the machine's row lock, so that two keys never act at once,
 * and the caller's own right asked again under it, so that a key taken away a moment ago changes nothing more. Throws
 * 403 when the caller has not `right`.
 */
export async function changeRights<T>(
  { db, bus, demo }: RightsDeps,
  caller: Caller & { readonly right: 'bkey+' | 'akey' },
  machineId: number,
  change: (scope: RightsChange) => Promise<T>,
): Promise<T> {
  let isTold = false
  const answer = await db.transaction().execute(async (trx) => {
    const machine = await store.lockMachine(trx, machineId)
    if (!machine) throw new Failure('403')
    const access = (await createAccess(trx, { demo }).list(caller.userId, [machineId], caller.now)).get(
      machineId,
    )
    if (!access?.rights.has(caller.right)) throw new Failure('403')
    const note = (action: string, detail: Detail) =>
      writeAudit(trx, {
        actorUserId: caller.userId,
        action: `machine.${action}`,
        target: machine.code,
        address: caller.address,
        result: 'ok',
        detail: { machineId, ...detail },
        at: new Date(caller.now),
      })
    return change({
      trx,
      machineId,
      machine,
      isAkey: access.rights.has('akey'),
      async tell(reason, userId, detail = {}) {
        const person = userId === undefined ? {} : { userId }
        await createRightChange(trx, { machineId, reason, ...person })
        await note(userId === undefined ? reason : `right.${reason}`, { ...person, ...detail })
        isTold = true
      },
      note,
      async putIntoListOf(userId) {
        const entry = { userId, machineId, name: machine.name, entriesMax: limits.machinesPerList }
        if (!(await store.createListEntry(trx, entry))) throw new Failure('01010307')
      },
    })
  })
  if (isTold) bus.publish('rights', {})
  return answer
}
