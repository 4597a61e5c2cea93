import type { Bus } from '../../bus/bus.ts'
import { withTransaction } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import { changeOwner, lockMachine, mailAbout } from '../access/index.ts'
import { type AccountName, accountKey, createRightChange, hashToken } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { hashAccount } from '../codes/index.ts'
import type { Mailbox } from '../messages/index.ts'
import * as store from './leaving-store.ts'

/** A sign-in that began in time may still be under way. */
const graceMs = 60_000
/** People erased by one round of housekeeping, machines and rows handled at a time. */
const batch = { people: 100, machines: 100, rows: 5_000 } as const

export interface EraseDeps {
  readonly db: store.Db
  readonly bus: Bus
  readonly mailbox: Mailbox
  readonly logger: Logger
}

/**
 * Erases everybody whose time to take their deletion back is over. Each step stands on its own and asks again under its
 * lock, so that a round that was cut, or another process at the same moment, changes nothing of the outcome.
 */
export async function erasePeople(deps: EraseDeps, now: number): Promise<void> {
  const at = new Date(now)
  const due = new Date(now - graceMs)
  for (const userId of await store.listDue(deps.db, due, batch.people)) {
    // One that fails keeps none of the others waiting.
    await erasePerson(deps, userId, at).catch((error) =>
      deps.logger.warn({ err: error, userId }, 'person.eraseFailed'),
    )
  }
}

async function erasePerson(deps: EraseDeps, userId: number, at: Date): Promise<void> {
  const { db, bus, logger } = deps
  let machineIds = await store.listOwned(db, userId, batch.machines)
  while (machineIds.length > 0) {
    for (const machineId of machineIds) await disown(deps, userId, machineId, at)
    machineIds = await store.listOwned(db, userId, batch.machines)
  }
  for (const table of store.largeTables) {
    let removed: number = batch.rows
    while (removed === batch.rows) removed = await store.removePart(db, table, userId, batch.rows)
  }
  const isErased = await withTransaction(db, async (trx) => {
    const person = await store.lockDue(trx, userId, at)
    if (!person) return false
    await store.removeTraces(trx, tracesOf(person))
    await store.removeUser(trx, userId)
    await createRightChange(trx, { userId, reason: 'gone' })
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
  bus.publish('rights', {})
  logger.info({ userId }, 'person.erased')
}

/** Makes one machine of a person who leaves unowned. */
async function disown(
  { db, bus, mailbox }: EraseDeps,
  userId: number,
  machineId: number,
  at: Date,
): Promise<void> {
  const outbound = await withTransaction(db, async (trx) => {
    const machine = await lockMachine(trx, machineId)
    if (machine?.owner_user_id !== userId) return []
    const mail = await changeOwner(trx, machineId, undefined, at)
    await writeAudit(trx, {
      actorUserId: userId,
      action: 'machine.removed',
      target: machine.code,
      address: 'server',
      result: 'ok',
      detail: { machineId, reason: 'leaving' },
      at,
    })
    return mailbox.post(trx, at, mailAbout({ machineId, machineCode: machine.code }, mail))
  })
  bus.publish('rights', {})
  mailbox.send(outbound)
}

function tracesOf(person: store.Leaver): store.AccountTraces {
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
