import { limits } from '@busbar/contract'
import type { Text } from '../../shared/i18n/index.ts'
import { firstAccountKind } from './account-entry.ts'

type Words = Text['access']['add']

/** A typed account: one field for both kinds, an at-sign makes it an e-mail. */
export interface AccountInput {
  readonly text: string
  readonly countryCode: string
}

const phoneDigitsMin = 6

export function isEmail(text: string): boolean {
  return text.includes('@')
}

/** Whether a dial code stands before the text: before a number, and before nothing where phones are offered first. */
export function hasDialCode(text: string): boolean {
  const typed = text.trim()
  return typed === '' ? firstAccountKind() === 'phone' : !isEmail(typed) && /^[+(\d]/.test(typed)
}

/** The account as a call wants it. Spaces and dashes are how people write numbers, not part of them. */
export function toAccount({ text, countryCode }: AccountInput): { account: string; countryCode: string } {
  const account = isEmail(text) ? text.trim() : text.replace(/[\s()-]/g, '')
  return { account, countryCode }
}

/** The entered account in readable form: `+86 13800138000`, or the e-mail. */
export function formatAccount(input: AccountInput): string {
  const { account, countryCode } = toAccount(input)
  return isEmail(account) ? account : `+${countryCode} ${account}`
}

/** Finds problems without asking the platform. */
export function findAccountProblem(input: AccountInput, words: Words['problems']): string | undefined {
  const { account } = toAccount(input)
  if (!account) return words.accountMissing
  if (isEmail(account)) {
    const hasForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(account) && account.length <= limits.accountMax
    return hasForm ? undefined : words.accountForm
  }
  return /^\d+$/.test(account) && account.length >= phoneDigitsMin ? undefined : words.accountShort
}
