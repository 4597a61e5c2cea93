import { randomInt, timingSafeEqual } from 'node:crypto'
import { codes as contract, type Lang, limits } from '@busbar/contract'
import { addressKey } from '../../../kernel/http/client-address.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { writeAudit } from '../../audit/index.ts'
import type { Outgoing } from '../../outgoing/index.ts'
import { type AccountName, accountKey, createToken, findUserByAccount, hashToken } from '../index.ts'
import { askedOfAccount, askedOfAddress, codeLimits, secondsToWait } from './code-limits.ts'
import { type CodeBrand, formatCodeMessage } from './code-message.ts'
import * as store from './codes-store.ts'

/** The parts that sending codes needs. */
export interface CodeDeps {
  readonly db: store.Db
  readonly outgoing: Pick<Outgoing, 'queue'>
  /** Where people reach the console, for pictures in e-mails. */
  readonly publicUrl: string | undefined
}

/** A request for a code. */
export interface CodeRequest {
  readonly account: AccountName
  readonly purpose: contract.CodePurpose
  readonly lang: Lang
  readonly brand: CodeBrand
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The code is for a sign-in, after many wrong passwords. */
  readonly forSignIn?: true
}

/** A code on its way; in seconds. */
export interface Sent {
  readonly expireIn: number
  readonly retryIn: number
}

/** A code that a person enters. */
export interface CodeTry {
  readonly account: AccountName
  readonly purpose: contract.CodePurpose
  readonly code: string
  readonly address: string
  readonly now: number
  /** If given, only codes requested in this browser count. */
  readonly browserHash?: Buffer | undefined
  /** The code is for a sign-in, after many wrong passwords. */
  readonly forSignIn?: true
}

/** The key under which an account is counted and looked up. */
export const hashAccount = (account: AccountName): Buffer => hashToken(accountKey(account))

/**
 * The keys under which codes are counted. Codes that need the right password first are counted apart, because anybody
 * can request the others. A stranger who uses those up, or closes them, must not lock the account's owner out, nor
 * learn from the remaining number that a guessed password was right (rules/accounts.md: sign-in by code).
 */
function countersOf({ account, address, forSignIn }: Pick<CodeTry, 'account' | 'address' | 'forSignIn'>) {
  return forSignIn
    ? { accountHash: hashToken(`sign-in ${accountKey(account)}`), address: `sign-in ${addressKey(address)}` }
    : { accountHash: hashAccount(account), address: addressKey(address) }
}

/** Purposes that need an account without an owner; for the others, answers do not show whether it exists. */
const isForFreeAccount = (purpose: contract.CodePurpose): boolean =>
  purpose === 'register' || purpose === 'changeAccount'

/**
 * Sends a code to an account, for the registration its browser began, if it did; where the purpose needs one that exists and it does not, does as if. Throws
 * CODE_TOO_OFTEN with `retryIn`, CODE_CLOSED, and ACCOUNT_TAKEN where a free account is needed.
 */
export async function sendCode(
  codeDeps: CodeDeps,
  request: CodeRequest,
  of: { browserHash?: Buffer } = {},
): Promise<Sent> {
  const user = await findUserByAccount(codeDeps.db, request.account)
  if (user && isForFreeAccount(request.purpose)) throw new Failure('ACCOUNT_TAKEN')
  const withhold = !user && !isForFreeAccount(request.purpose)
  return codeDeps.db.transaction().execute(async (trx) => {
    const registrationId = of.browserHash
      ? await store.findRegistration(
          trx,
          { browserHash: of.browserHash, accountHash: hashAccount(request.account) },
          new Date(request.now),
        )
      : undefined
    return writeCode(codeDeps, trx, request, { ...of, registrationId, withhold })
  })
}

/** As `sendCode`, within the caller's transaction and without asking whether the account exists. */
export async function writeCode(
  codeDeps: Pick<CodeDeps, 'outgoing' | 'publicUrl'>,
  trx: store.Db,
  request: CodeRequest,
  of: { browserHash?: Buffer; registrationId?: number | undefined; withhold: boolean },
): Promise<Sent> {
  const { now } = request
  const { accountHash, address } = countersOf(request)
  await checkPace(trx, accountHash, address, now)
  const code = createCode()
  await store.createCode(trx, {
    accountHash,
    address,
    purpose: request.purpose,
    codeHash: hashCode(accountHash, request.purpose, code),
    browserHash: of.browserHash,
    registrationId: of.registrationId,
    sentAt: new Date(now),
    expiresAt: new Date(now + codeLimits.lifeMs),
  })
  const message = formatCodeMessage(request.account, code, { ...request, publicUrl: codeDeps.publicUrl })
  await codeDeps.outgoing.queue(trx, message, { withhold: of.withhold })
  return { expireIn: codeLimits.lifeMs / 1_000, retryIn: secondsToWait({ account: [now], address: [] }, now) }
}

/**
 * Checks a code and answers a ticket for its account and purpose: ten minutes, one use (rules/accounts.md: tickets).
 */
export async function checkCode(db: store.Db, attempt: CodeTry): Promise<string> {
  const ticket = createToken()
  await takeCode(db, attempt, (trx) =>
    store.createTicket(
      trx,
      {
        ticketHash: hashToken(ticket),
        accountHash: hashAccount(attempt.account),
        purpose: attempt.purpose,
      },
      new Date(attempt.now + codeLimits.ticketMs),
    ),
  )
  return ticket
}

/**
 * Takes a code and does `use` in the same transaction. Throws CODE_WRONG (also for one that has run out or was given
 * too often), CODE_CLOSED after ten wrong ones in a day, 429 for one of several at the same moment.
 */
export async function takeCode<T>(
  db: store.Db,
  attempt: CodeTry,
  use: (trx: store.Db, code: { registrationId: number | null }) => Promise<T>,
): Promise<T> {
  const outcome = await db.transaction().execute(async (trx) => {
    const found = await findCode(trx, attempt)
    // A refusal is written down too: it leaves the transaction as a value.
    return found instanceof Failure ? found : { used: await use(trx, found) }
  })
  if (outcome instanceof Failure) throw outcome
  return outcome.used
}

/** Takes a ticket within the caller's transaction; true once, for its account and purpose, while it lives. */
export async function takeTicket(
  db: store.Db,
  which: {
    ticket: string | undefined
    purpose: contract.CodePurpose
    account: AccountName
    now: number
  },
): Promise<boolean> {
  const ticket = {
    ticketHash: hashToken(which.ticket ?? ''),
    accountHash: hashAccount(which.account),
    purpose: which.purpose,
  }
  return store.takeTicket(db, ticket, new Date(which.now))
}

/** Gives a registration the codes that this browser requested before it; answers the newest, if there is one. */
export async function adoptCodes(
  trx: store.Db,
  which: { account: AccountName; browserHash: Buffer; registrationId: number; now: number },
): Promise<Sent | undefined> {
  const live = await store.listLiveCodes(
    trx,
    { accountHash: hashAccount(which.account), purpose: 'register', browserHash: which.browserHash },
    { now: new Date(which.now), triesMax: codeLimits.triesMax },
  )
  const [newest] = live
  if (!newest) return undefined
  const ids = live.map((code) => code.id)
  await store.updateCodesRegistration(trx, ids, which.registrationId)
  return {
    expireIn: Math.floor((newest.expires_at.getTime() - which.now) / 1_000),
    retryIn: secondsToWait({ account: [newest.sent_at.getTime()], address: [] }, which.now),
  }
}

async function checkPace(trx: store.Db, accountHash: Buffer, address: string, now: number): Promise<void> {
  const retryIn = secondsToWait({ account: [now], address: [] }, now)
  if (!(await store.lockAccount(trx, accountHash))) throw new Failure('CODE_TOO_OFTEN', { data: { retryIn } })
  await store.lockAddress(trx, address)
  const closedMs = await closedFor(trx, accountHash, now)
  if (closedMs > 0) throw new Failure('CODE_CLOSED', { data: { retryIn: Math.ceil(closedMs / 1_000) } })
  const wait = secondsToWait(
    {
      account: await store.listAskedByAccount(trx, accountHash, {
        since: new Date(now - askedOfAccount.withinMs),
        max: askedOfAccount.max,
      }),
      address: await store.listAskedByAddress(trx, address, {
        since: new Date(now - askedOfAddress.withinMs),
        max: askedOfAddress.max,
      }),
    },
    now,
  )
  if (wait > 0) throw new Failure('CODE_TOO_OFTEN', { data: { retryIn: wait } })
}

async function findCode(
  trx: store.Db,
  attempt: CodeTry,
): Promise<Failure | { registrationId: number | null }> {
  const { purpose, now, browserHash } = attempt
  const { accountHash } = countersOf(attempt)
  if (!(await store.lockAccount(trx, accountHash))) return new Failure('429', { data: { retryIn: 1 } })
  const closedMs = await closedFor(trx, accountHash, now)
  if (closedMs > 0) return new Failure('CODE_CLOSED', { data: { retryIn: Math.ceil(closedMs / 1_000) } })
  const live = await store.listLiveCodes(
    trx,
    { accountHash, purpose, browserHash },
    { now: new Date(now), triesMax: codeLimits.triesMax },
  )
  const ids = live.map((code) => code.id)
  const given = hashCode(accountHash, purpose, attempt.code)
  const right = live.find((code) => timingSafeEqual(code.code_hash, given))
  if (right) {
    await store.updateCodesUsed(trx, ids, new Date(now))
    return { registrationId: right.registration_id }
  }
  // Without an open code a wrong one is not counted, so that nobody can close a stranger's account by trying.
  if (ids.length > 0) {
    await store.createWrongCode(trx, accountHash, ids, new Date(now))
    await writeAudit(trx, {
      actorUserId: null,
      action: 'user.code',
      target: `account:${accountHash.toString('hex').slice(0, 16)}`,
      address: attempt.address,
      result: 'refused',
      detail: { purpose },
      at: new Date(now),
    })
  }
  return new Failure('CODE_WRONG')
}

/** Milliseconds until codes of an account are taken again, 0: they are. */
async function closedFor(trx: store.Db, accountHash: Buffer, now: number): Promise<number> {
  const { wrongPerDay, wrongMs } = codeLimits
  const wrong = await store.listWrongCodes(trx, accountHash, {
    since: new Date(now - wrongMs),
    max: wrongPerDay,
  })
  const oldest = wrong[wrongPerDay - 1]
  return oldest === undefined ? 0 : oldest + wrongMs - now
}

function createCode(): string {
  const characters = Array.from(
    { length: limits.codeLength },
    () => contract.codeAlphabet[randomInt(contract.codeAlphabet.length)],
  )
  return characters.join('')
}

function hashCode(accountHash: Buffer, purpose: contract.CodePurpose, code: string): Buffer {
  return hashToken(`${accountHash.toString('hex')} ${purpose} ${code.toUpperCase()}`)
}
