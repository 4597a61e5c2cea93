import { ApiError, errorText, type Lang, limits } from '@busbar/contract'
import type { Text } from '../../shared/i18n/index.ts'

type Words = Text['access']['add']

/** Somebody's account as it is typed: one field for both kinds, an at-sign makes it an e-mail. */
export interface AccountInput {
  readonly text: string
  readonly countryCode: string
}

const phoneDigitsMin = 6

export function isEmail(text: string): boolean {
  return text.includes('@')
}

/** The account as a call wants it. Spaces and dashes are how people write numbers, not part of them. */
export function toAccount({ text, countryCode }: AccountInput): { account: string; countryCode: string } {
  const account = isEmail(text) ? text.trim() : text.replace(/[\s()-]/g, '')
  return { account, countryCode }
}

/** How the account is called after it was entered: `+86 13800138000`, or the e-mail. */
export function formatAccount(input: AccountInput): string {
  const { account, countryCode } = toAccount(input)
  return isEmail(account) ? account : `+${countryCode} ${account}`
}

/** What the form can tell without asking the platform. */
export function findAccountProblem(input: AccountInput, words: Words['problems']): string | undefined {
  const { account } = toAccount(input)
  if (!account) return words.accountMissing
  if (isEmail(account)) {
    const hasForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(account) && account.length <= limits.accountMax
    return hasForm ? undefined : words.accountForm
  }
  return /^\d+$/.test(account) && account.length >= phoneDigitsMin ? undefined : words.accountShort
}

const accountCodes = ['01010304', '01010305', '01010306', '01010307'] as const

/** What a refusal says: beside the account, beside the time, or in general. */
export interface AddFailure {
  readonly account?: string
  readonly time?: string
  readonly general?: string
}

export function judgeAddFailure(error: unknown, words: Words, lang: Lang): AddFailure {
  if (!(error instanceof ApiError)) return { general: words.failed }
  if (error.is('PERSON_BLACKLISTED')) return { account: words.problems.blacklisted }
  const known = errorText(error.code, lang)
  if (accountCodes.some((code) => error.is(code))) return { account: known ?? error.message }
  if (error.field === 'account' || error.field === 'countryCode') {
    return { account: words.problems.accountForm }
  }
  if (error.field === 'validTime' || error.field === 'visitTime') return { time: words.problems.timeTooSoon }
  // A rule has words of its own, asking too often too; everything else was an accident.
  const hasWords = error.http === 200 || error.http === 429
  return { general: (hasWords && known) || words.failed }
}
