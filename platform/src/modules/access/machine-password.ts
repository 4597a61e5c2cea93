import type { Kysely } from 'kysely'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { verifyPassword } from '../accounts/index.ts'
import { notifyKeysOnce } from './key-notices.ts'
import * as store from './machine-password-store.ts'

const hourMs = 3_600_000
/** Wrong passwords of a machine in an hour; further ones are refused unread (rules/machines.md: machine password). */
const wrongPasswordsMax = { byUser: 5, byAnybody: 20 }

/**
 * Checks a machine password from a person; wrong ones count over all calls that take one, and the keys are notified of
 * too many. Throws 505 for a wrong or missing one and 04010114 after too many.
 */
export async function checkMachinePassword(
  deps: { readonly db: Kysely<DB>; readonly bus: Bus },
  machine: { id: number; password_hash: string | null },
  password: string | undefined,
  caller: { userId: number; now: number },
): Promise<void> {
  if (!password) throw new Failure('505')
  const { db } = deps
  // Counted before it is checked: of many tries at once each sees those before it.
  const failureId = await store.createPasswordFailure(db, machine.id, caller.userId, new Date(caller.now))
  let isWrong = false
  let isLast = false
  try {
    const wrong = await store.countPasswordFailures(db, machine.id, caller.userId, {
      since: new Date(caller.now - hourMs),
      exceptId: failureId,
    })
    const { byUser, byAnybody } = wrongPasswordsMax
    isLast = wrong.byUser + 1 >= byUser || wrong.byAnybody + 1 >= byAnybody
    if (wrong.byUser >= byUser || wrong.byAnybody >= byAnybody) throw new Failure('04010114')
    isWrong = !(await verifyPassword(password, machine.password_hash ?? undefined, 'known'))
  } finally {
    if (!isWrong) await store.removePasswordFailure(db, failureId)
  }
  if (!isWrong) return
  if (isLast) {
    await notifyKeysOnce(deps, {
      machineId: machine.id,
      type: 'passwordTries',
      params: store.triesParams(machine.id, caller.userId, new Date(caller.now - hourMs)),
      now: caller.now,
      notAgainWithinMs: hourMs,
    })
  }
  throw new Failure('505')
}
