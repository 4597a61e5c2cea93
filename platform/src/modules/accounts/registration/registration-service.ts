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

/** Matches no password: a person without a password sets one by a code. */
const noPassword = ''

/**
 * Activates the registration that this code was sent for. A browser that began a registration activates only that one,
 * and refuses the code of another for the same phone. In another browser the code proves the account but not the
 * registration: its password is ignored, and the one given here is set. Throws the errors of taking a code,
 * ACCOUNT_TAKEN, and PASSWORD_COMMON (rules/accounts.md: registration).
 */
export async function activate(
  db: store.Db,
  { account, code, password }: { account: AccountName; code: string; password: string | undefined },
  from: { address: string; now: number; browserHash: Buffer | undefined },
): Promise<void> {
  const at = new Date(from.now)
  const isOwnRegistration = from.browserHash !== undefined
  if (!isOwnRegistration && password !== undefined && isCommonPassword(password))
    throw new Failure('PASSWORD_COMMON')
  const given = isOwnRegistration || password === undefined ? noPassword : await hashPassword(password)
  await takeCode(db, { ...from, account, code, purpose: 'register' }, async (trx, { registrationId }) => {
    const registration =
      registrationId === null ? undefined : await store.takeRegistration(trx, registrationId, at)
    if (!registration) throw new Failure('CODE_WRONG')
    const passwordHash = isOwnRegistration ? registration.password_hash : given
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
