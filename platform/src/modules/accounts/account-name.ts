import { parsePhoneNumber } from './phone-number.ts'

/** An account as a person types it, as one of two columns. */
export type AccountName =
  | { readonly email: string }
  | { readonly phone: string; readonly countryCode: string }

/** Reads a typed account: with an at-sign an e-mail, otherwise a phone. Undefined if it is not an account. */
export function parseAccountName(typed: string, countryCode: string): AccountName | undefined {
  const text = typed.trim()
  return text.includes('@') ? { email: text.toLowerCase() } : parsePhoneNumber(text, countryCode)
}

/** One text an account name counts its failures under. */
export function accountKey(name: AccountName): string {
  return 'email' in name ? name.email : `${name.countryCode} ${name.phone}`
}

/** An account as people read it, and the audit log names it. */
export function accountText(name: AccountName): string {
  return 'email' in name ? name.email : `+${name.countryCode} ${name.phone}`
}
