import { randomUUID } from 'node:crypto'
import type { accounts as contract, InputOf, Lang, TerminalType } from '@busbar/contract'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { BrowserFamily } from '../../kernel/http/browser-family.ts'
import { addressKey } from '../../kernel/http/client-address.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Logger } from '../../kernel/logger.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { writeAudit } from '../audit/index.ts'
import type { Brand } from '../brands/index.ts'
import type { Outgoing } from '../outgoing/index.ts'
import { type AccountName, accountKey, accountText, parseAccountName } from './account-name.ts'
import { createToken, hashToken, type NewTerminal, type Opened, openSession } from './accounts-service.ts'
import { type Db, findUserByAccount, lockUnchangedUser, type SigningInRow } from './accounts-store.ts'
import * as challenges from './challenges-store.ts'
import { isKnownTerminal } from './known-terminals-store.ts'
import { endLeaving } from './leaving-store.ts'
import { tryPassword, WrongGuess } from './lockout.ts'
import { countLoginFailures, removeLoginFailures } from './login-failures-store.ts'
import { verifyPassword } from './password.ts'
import { checkSecondFactor } from './second-factors-service.ts'
import { hasSecondFactor } from './second-factors-store.ts'
import { notifyOfNewTerminal } from './terminal-notice.ts'

const hourMs = 3_600_000
/**
 * Wrong passwords of an account in an hour, from any address, after which a password alone no longer signs in
 * (rules/accounts.md: sign-in by code).
 */
const guessesPerHourMax = 20
const challengeMs = 5 * 60_000

/** Sends and checks the code of a sign-in after many wrong passwords. */
export interface SignInCodes {
  /** Throws a Failure when another one may not be sent yet. */
  send(account: AccountName, from: SignInFrom): Promise<void>
  /** Uses the code up when it is right. */
  check(account: AccountName, code: string, from: SignInFrom): Promise<boolean>
}

/** The parts that a sign-in uses. */
export interface SignInDeps {
  readonly db: Db
  readonly bus: Bus
  readonly logger: Logger
  readonly box: SecretBox
  readonly codes: SignInCodes
  readonly outgoing: Pick<Outgoing, 'queue'>
}

/** The origin of a sign-in. */
export interface SignInFrom {
  readonly address: string
  readonly brand: Brand
  readonly lang: Lang
  readonly browser: BrowserFamily
  /** By its user agent, unless the caller reports it. */
  readonly terminalType: TerminalType
  /** Epoch milliseconds. */
  readonly now: number
}

/** The input of a sign-in, checked by the contract. */
export type LoginInput = InputOf<typeof contract.login>

/** One sign-in under way. */
interface Attempt {
  readonly input: LoginInput
  readonly from: SignInFrom
  readonly account: AccountName | undefined
  readonly accountHash: Buffer
  /** The challenge that is being met, as it stands. */
  readonly held: { readonly kind: challenges.ChallengeKind; readonly codeGiven: boolean } | undefined
}

/**
 * Signs a person in. Throws 07010109 (no such account or wrong password: one text, one time
 * taken); 07010110 with the `minutes` left (too many failures from this address: a stranger elsewhere cannot lock
 * anybody out); ACCOUNT_LOCKED once the password was right; 07010111 with a `challenge` to call again with and the `kind` of code it needs; 07010112 for a wrong one.
 */
export async function login(
  deps: SignInDeps,
  input: LoginInput,
  from: SignInFrom,
): Promise<Opened & { readonly deletionTakenBack: boolean }> {
  const { db } = deps
  const account = parseAccountName(input.loginName, input.countryCode)
  const accountHash = hashToken(account ? accountKey(account) : input.loginName.trim().toLowerCase())
  const key = { accountHash, addressKey: addressKey(from.address) }
  try {
    return await tryPassword(db, [key], from.now, async (failureIds) => {
      const held = await takeHeldChallenge(db, input, accountHash, from.now)
      const attempt: Attempt = { input, from, account, accountHash, held }
      const person = await findPerson(db, attempt)
      const since = new Date(from.now - hourMs)
      const guesses = await countLoginFailures(db, accountHash, since, failureIds)
      const codeNeeded = guesses >= guessesPerHourMax
      if (codeNeeded && !held?.codeGiven) await passCode(deps, attempt, person)
      if (!person) throw new WrongGuess('07010109')
      if (person.state === 'locked') throw new Failure('ACCOUNT_LOCKED')
      if (await hasSecondFactor(db, person.id)) await passSecondFactor(deps, attempt, person, codeNeeded)
      const opened = await db.transaction().execute(async (trx) => {
        const deletionTakenBack = await takeDeletionBack(trx, person, input, from)
        if (!(await lockUnchangedUser(trx, person))) throw new WrongGuess('07010109')
        await removeLoginFailures(trx, key)
        if (input.challenge) await challenges.removeChallenge(trx, hashToken(input.challenge))
        return { ...(await enter(deps, trx, person, input, from)), deletionTakenBack }
      })
      return opened
    })
  } catch (error) {
    if (error instanceof Failure && error.code !== '07010111' && account) {
      await writeAudit(db, {
        actorUserId: null,
        action: 'user.login',
        target: accountText(account),
        address: from.address,
        // The log of the account's owner must not contain a text that the caller chose.
        terminal: from.browser,
        result: 'refused',
        detail: { code: error.code },
        at: new Date(from.now),
      })
    }
    throw error
  }
}

/** A sign-in while the account waits to be erased keeps the account and its rights. */
async function takeDeletionBack(
  trx: Db,
  person: SigningInRow,
  { terminalName }: LoginInput,
  { address, now }: SignInFrom,
): Promise<boolean> {
  if (person.state !== 'leaving' || !(await endLeaving(trx, person.id, new Date(now)))) return false
  await recordRightChange(trx, { userId: person.id, reason: 'stays', address })
  await writeAudit(trx, {
    actorUserId: person.id,
    action: 'user.deletion.takeBack',
    target: '',
    address,
    terminal: terminalName,
    result: 'ok',
    at: new Date(now),
  })
  return true
}

/** Opens a person's session in a transaction, records it, and notifies them if they never used this terminal. */
export async function enter(
  deps: Pick<SignInDeps, 'outgoing'>,
  trx: Db,
  person: SigningInRow,
  terminal: Omit<NewTerminal, 'terminalType'> & { readonly terminalType?: number | undefined },
  from: SignInFrom,
  by: 'password' | 'qr' | 'device' = 'password',
): Promise<Opened> {
  const at = new Date(from.now)
  const terminalType = terminal.terminalType ?? from.terminalType
  const opened = await openSession(
    trx,
    person,
    { ...terminal, terminalType },
    {
      address: from.address,
      brandId: from.brand.id,
      at,
    },
  )
  await writeAudit(trx, {
    actorUserId: person.id,
    action: 'user.login',
    target: textOf(person),
    address: from.address,
    terminal: terminal.terminalName,
    result: 'ok',
    detail: { by },
    at,
  })
  if (opened.isNewTerminal && person.notify_new_terminal) {
    const seen = { name: terminal.terminalName, address: from.address, at }
    await notifyOfNewTerminal(deps.outgoing, trx, person, seen, from.brand)
  }
  return opened
}

function textOf({ email, phone, country_code: countryCode }: SigningInRow): string {
  if (email) return email
  return phone && countryCode ? accountText({ phone, countryCode }) : ''
}

async function takeHeldChallenge(db: Db, input: LoginInput, accountHash: Buffer, now: number) {
  if (!input.challenge || !input.code) return undefined
  return challenges.takeChallengeTry(db, hashToken(input.challenge), accountHash, new Date(now))
}

/** The person with this name and password; takes as long if there is no such person. */
async function findPerson(db: Db, { input, account }: Attempt): Promise<SigningInRow | undefined> {
  const user = account ? await findUserByAccount(db, account) : undefined
  // Run for an unknown account too, so that the duration does not reveal whether the account exists.
  const isKnown = await isKnownTerminal(db, user?.id ?? 0, input.terminalUUID)
  const right = await verifyPassword(input.loginPwd, user?.password_hash, isKnown ? 'known' : 'stranger')
  return right ? user : undefined
}

/**
 * An account under attack by guesses needs a code that is sent to it. It is sent only after the right password, so that
 * a stranger cannot cause messages or use up the account's codes; the answer to a wrong password is the same, so that
 * it does not show which password is right.
 */
async function passCode(
  { db, codes, logger }: SignInDeps,
  attempt: Attempt,
  person: SigningInRow | undefined,
): Promise<void> {
  const { account, from, held, input } = attempt
  const known = person && account
  if (held?.kind !== 'code' || !input.code) {
    const challenge = await createChallenge(db, attempt, 'code', false)
    // Not awaited: its duration would reveal the same.
    if (known) {
      codes.send(account, from).catch((error) => {
        if (!(error instanceof Failure)) logger.warn({ err: error }, 'signInCode.sendFailed')
      })
    }
    throw new WrongGuess('07010111', { data: { challenge, kind: 'code' } })
  }
  const nobody = { email: `${randomUUID()}@nobody.invalid` }
  const right = await codes.check(known ? account : nobody, input.code, from)
  if (!known || !right) throw new WrongGuess('07010112')
}

async function passSecondFactor(
  deps: SignInDeps,
  attempt: Attempt,
  person: SigningInRow,
  codeGiven: boolean,
): Promise<void> {
  const { held, input, from } = attempt
  if (held?.kind !== 'totp' || !input.code) {
    const challenge = await createChallenge(deps.db, attempt, 'totp', codeGiven)
    throw new Failure('07010111', { data: { challenge, kind: 'totp' } })
  }
  if (!(await checkSecondFactor(deps, person.id, input.code, from.now))) throw new WrongGuess('07010112')
}

async function createChallenge(
  db: Db,
  { accountHash, from }: Attempt,
  kind: challenges.ChallengeKind,
  codeGiven: boolean,
): Promise<string> {
  const challenge = createToken()
  const expiresAt = new Date(from.now + challengeMs)
  await challenges.createChallenge(db, {
    hash: hashToken(challenge),
    accountHash,
    kind,
    codeGiven,
    expiresAt,
  })
  return challenge
}
