import { withTransaction } from '../../kernel/database/database.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import {
  type AccountName,
  accountKey,
  hashToken,
  removeAccountTraces,
  removePerson,
} from '../accounts/index.ts'
import { hashAccount } from '../accounts/verification-codes/index.ts'
import { writeAudit } from '../audit/index.ts'
import { removeSomeMessages } from '../messages/index.ts'
import { removeOutgoingTo } from '../outgoing/index.ts'
import { removeSomeVisits } from '../visits/index.ts'
import { disown, type EraseDeps, graceMs } from './disown.ts'
import * as store from './leaving-store.ts'

/** People erased by one round of housekeeping, machines and rows handled at a time. */
const batch = { people: 100, machines: 100, rows: 5_000 } as const

/**
 * Erases everybody whose time to take their deletion back is over. Each step stands on its own and asks again under its
 * lock, so that a round that was cut, or another process at the same moment, changes nothing of the outcome
 * (rules/accounts.md: deletion of an account).
 */
export async function erasePeople(deps: EraseDeps, now: number): Promise<void> {
  const at = new Date(now)
  const due = new Date(now - graceMs)
  for (const userId of await store.listDue(deps.db, due, batch.people)) {
    // A failure delays none of the others.
    await erasePerson(deps, userId, at).catch((error) =>
      deps.logger.warn({ err: error, userId }, 'person.eraseFailed'),
    )
  }
}

async function erasePerson(deps: EraseDeps, userId: number, at: Date): Promise<void> {
  const { db, logger } = deps
  let machineIds = await store.listOwned(db, userId, batch.machines)
  while (machineIds.length > 0) {
    for (const machineId of machineIds) await disown(deps, { userId }, machineId, at)
    machineIds = await store.listOwned(db, userId, batch.machines)
  }
  // Large tables of one person, which are deleted in parts before the person.
  for (const removePart of [removeSomeVisits, removeSomeMessages]) {
    let removed: number = batch.rows
    while (removed === batch.rows) removed = await removePart(db, userId, batch.rows)
  }
  const isErased = await withTransaction(db, async (trx) => {
    const person = await store.lockDue(trx, userId, at)
    if (!person) return false
    const { hashes, recipients } = tracesOf(person)
    await removeAccountTraces(trx, hashes)
    await removeOutgoingTo(trx, recipients)
    await removePerson(trx, userId)
    await recordRightChange(trx, { userId, reason: 'gone' })
    await writeAudit(trx, {
      actorUserId: null,
      action: 'user.erase',
      target: String(userId),
      address: 'server',
      result: 'ok',
      at,
    })
    return true
  })
  if (!isErased) return
  logger.info({ userId }, 'person.erased')
}

/**
 * The personal data that is stored under an account instead of an id: the keys of limits, and the addresses of
 * messages.
 */
function tracesOf(person: store.Leaver) {
  const { id, email, phone, country_code: countryCode } = person
  const names: AccountName[] = [
    ...(email ? [{ email }] : []),
    ...(phone && countryCode ? [{ phone, countryCode }] : []),
  ]
  return {
    hashes: [
      hashToken(`proof of ${id}`),
      ...names.flatMap((name) => [hashAccount(name), hashToken(`sign-in ${accountKey(name)}`)]),
    ],
    recipients: [
      ...(email ? [{ recipient: email, countryCode: null }] : []),
      ...(phone ? [{ recipient: phone, countryCode }] : []),
    ],
  }
}
