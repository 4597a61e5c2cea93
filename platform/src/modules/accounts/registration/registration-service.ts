import type { registration as contract, InputOf, Lang } from '@busbar/contract'
import { Failure } from '../../../kernel/http/failure.ts'
import { writeAudit } from '../../audit/index.ts'
import { type AccountName, findUserByAccount, hashPassword, isCommonPassword } from '../index.ts'
import {
  adoptCodes,
  type CodeBrand,
  type CodeDeps,
  hashAccount,
  registrationMs,
  type Sent,
  takeCode,
  writeCode,
} from '../verification-codes/index.ts'
import * as store from './registration-store.ts'

/** Where a call came from. */
export interface Caller {
  readonly lang: Lang
  readonly brand: CodeBrand
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The data of a registration, checked by the contract. */
export type RegisterInput = Pick<InputOf<typeof contract.register>, 'name' | 'password' | 'hideMap'>

/**
 * Begins a registration, which reserves nothing, and sends its code unless this browser has one already. Throws
 * ACCOUNT_TAKEN, PASSWORD_COMMON and the errors of sending a code.
 */
export async function register(
  codeDeps: CodeDeps,
  account: AccountName,
  input: RegisterInput,
  from: Caller & { browserHash: Buffer },
): Promise<Sent> {
  if (isCommonPassword(input.password)) throw new Failure('PASSWORD_COMMON')
  if (await findUserByAccount(codeDeps.db, account)) throw new Failure('ACCOUNT_TAKEN')
  const passwordHash = await hashPassword(input.password)
  const { browserHash, now } = from
  return codeDeps.db.transaction().execute(async (trx) => {
    const registrationId = await store.createRegistration(trx, {
      account,
      accountHash: hashAccount(account),
      browserHash,
      name: input.name,
      passwordHash,
      lang: from.lang,
      hideMap: input.hideMap,
      at: new Date(now),
      expiresAt: new Date(now + registrationMs),
    })
    const sent = await adoptCodes(trx, { account, browserHash, registrationId, now })
    if (sent) return sent
    const request = { ...from, account, purpose: 'register' } as const
    return writeCode(codeDeps, trx, request, { browserHash, registrationId, withhold: false })
  })
}

/**
 * Activates the registration that this code was sent for. A browser that began a registration activates only that one,
 * and refuses the code of another for the same phone. Without its cookie the code proves the account but not the
 * registration: the password given here is set, or that of the registration while no other one for the account exists.
 * Throws the errors of taking a code, ACCOUNT_TAKEN, and PASSWORD_COMMON (rules/accounts.md: registration).
 */
export async function activate(
  db: store.Db,
  { account, code, password }: { account: AccountName; code: string; password: string | undefined },
  from: { address: string; now: number; browserHash: Buffer | undefined },
): Promise<void> {
  const at = new Date(from.now)
  const given = from.browserHash === undefined ? password : undefined
  if (given !== undefined && isCommonPassword(given)) throw new Failure('PASSWORD_COMMON')
  const givenHash = given === undefined ? undefined : await hashPassword(given)
  await takeCode(db, { ...from, account, code, purpose: 'register' }, async (trx, { registrationId }) => {
    const registration =
      registrationId === null ? undefined : await store.takeRegistration(trx, registrationId, at)
    if (!registration) throw new Failure('CODE_WRONG')
    const isProved = from.browserHash !== undefined || givenHash !== undefined
    // Which of several people typed the code is unknown.
    if (!isProved && (await store.isBegun(trx, hashAccount(account), at))) throw new Failure('CODE_WRONG')
    const passwordHash = givenHash ?? registration.password_hash
    const userId = await store.createUser(trx, { ...registration, password_hash: passwordHash }, at)
    if (userId === undefined) throw new Failure('ACCOUNT_TAKEN')
    await writeAudit(trx, {
      actorUserId: userId,
      action: 'user.register',
      target: registration.name,
      address: from.address,
      result: 'ok',
      at,
    })
  })
}
