import { type applications as contract, type InputOf, machines, timing } from '@busbar/contract'
import type { Bus } from '../../../kernel/bus/bus.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { createToken, hashToken } from '../../accounts/index.ts'
import { type AccessPort, checkMachinePassword, findMachine, noAccess, type RightsChange } from '../index.ts'
import type { Db } from './applications-store.ts'
import { createTicket, removeTicket } from './password-tickets-store.ts'

/** The person who proves a machine's password, their browser, and the time. */
interface Prover {
  readonly userId: number
  readonly sessionId: number
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Answers a ticket for the right machine password: it lets its bearer in once, as visitor or Bkey, in the same
 * browser, while the machine is audited by that password. Throws GENERAL_USER for a machine that is not in the caller's list, BLACKLIST,
 * PASSWORD_MODE_OFF, 505 for a wrong password and 04010114 after too many (rules/access.md: audit modes).
 */
export async function openPasswordTicket(
  deps: { readonly db: Db; readonly bus: Bus; readonly access: AccessPort },
  caller: Prover,
  { machineID, machineCode, password }: InputOf<typeof contract.checkMachinePassword>,
): Promise<{ ticket: string; expireIn: number }> {
  const { db, access } = deps
  if (machineID === undefined && machineCode === undefined) throw new Failure('400', { field: 'machineID' })
  const machineId = machineID ?? (await access.machineOfCode(machineCode ?? ''))
  const rights =
    machineId === undefined ? undefined : await access.list(caller.userId, [machineId], caller.now)
  const right = rights?.get(machineId ?? 0) ?? noAccess
  if (right.role === 'blacklisted') throw new Failure('BLACKLIST')
  const machine = right.rights.has('listed') ? await findMachine(db, machineId ?? 0) : undefined
  if (!machine) throw new Failure('GENERAL_USER')
  if (machine.check_type !== machines.checkTypes.akeyAndPassword) throw new Failure('PASSWORD_MODE_OFF')
  await checkMachinePassword(deps, machine, password, caller)
  const ticket = createToken()
  await createTicket(db, {
    ticketHash: hashToken(ticket),
    userId: caller.userId,
    sessionId: caller.sessionId,
    machineId: machine.id,
    passwordHash: machine.password_hash ?? '',
    expiresAt: new Date(caller.now + timing.machinePasswordTicketMs),
  })
  return { ticket, expireIn: timing.machinePasswordTicketMs / 1000 }
}

/** Uses a ticket up, under the machine's lock. Throws 505 for one that is void. */
export async function useTicket(
  { trx, machineId, machine }: RightsChange,
  { userId, sessionId, now }: Prover,
  ticket: string,
): Promise<void> {
  const passwordHash = machine.password_hash ?? ''
  const proof = { ticketHash: hashToken(ticket), userId, sessionId, machineId, passwordHash }
  const isPasswordMode = machine.check_type === machines.checkTypes.akeyAndPassword
  if (!isPasswordMode || !(await removeTicket(trx, proof, new Date(now)))) throw new Failure('505')
}
