import { limits } from '@busbar/contract'
import { getLang } from '../../shared/i18n/language.ts'
import type { Text } from '../../shared/i18n/text.ts'

export type AccountKind = 'phone' | 'email'

export const registerPaths = {
  phone: '/register',
  email: '/registerByEmail',
} as const satisfies Record<AccountKind, string>

/** A typed account. */
export interface AccountEntry {
  readonly kind: AccountKind
  /** Counts only for a phone. */
  readonly countryCode: string
  readonly name: string
}

/** The kind offered first: in China a phone number is the account that people have, elsewhere an e-mail. */
export function firstAccountKind(): AccountKind {
  return getLang() === 'en' ? 'email' : 'phone'
}

const phoneDigitsMin = 6
/** Of a mobile number in China. */
const chineseDigits = 11

/** An at-sign makes it an e-mail, whichever field it was typed into (seed, section 5). */
export function accountKind({ kind, name }: Pick<AccountEntry, 'kind' | 'name'>): AccountKind {
  return name.includes('@') ? 'email' : kind
}

/** Spaces and dashes are how people write numbers, not part of them. */
export function phoneDigits(name: string): string {
  return name.replace(/[\s()-]/g, '')
}

/** The number without its own country's prefix, which some write before it: +86, 0086, or 86 before eleven digits. */
export function nationalNumber({ countryCode, name }: Pick<AccountEntry, 'countryCode' | 'name'>): string {
  const digits = phoneDigits(name)
  const bare = digits.replace(/^(\+|00)/, '')
  const isPrefixed = bare !== digits || (countryCode === '86' && bare.length === chineseDigits + 2)
  return isPrefixed && bare.startsWith(countryCode) ? bare.slice(countryCode.length) : digits
}

/** Finds errors without asking the platform. */
export function findAccountError(entry: AccountEntry, t: Text['login']['errors']): string | undefined {
  const name = entry.name.trim()
  if (accountKind(entry) === 'email') {
    if (!name) return t.emailMissing
    return isEmailForm(name) ? undefined : t.emailForm
  }
  if (!name) return t.phoneMissing
  return phoneDigits(name).length < phoneDigitsMin ? t.phoneShort : undefined
}

export function isEmailForm(name: string): boolean {
  return name.length <= limits.accountMax && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name)
}

/** The fields of a call that takes a phone with its country code, or an e-mail. */
export type AccountFields = { phone: string; countryCode: string } | { email: string }

export function toAccountFields(entry: AccountEntry): AccountFields {
  return accountKind(entry) === 'email'
    ? { email: entry.name.trim() }
    : { phone: phoneDigits(entry.name), countryCode: entry.countryCode }
}

/** The entry in readable form: `+86 13800138000`, or the e-mail. */
export function formatEntry(entry: AccountEntry): string {
  if (accountKind(entry) === 'email') return entry.name.trim()
  const number = nationalNumber(entry)
  return number.startsWith('+') ? number : `+${entry.countryCode} ${number}`
}
