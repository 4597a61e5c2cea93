/** An account as a person types it, as the two columns it may stand in. */
export type AccountName =
  | { readonly email: string }
  | { readonly phone: string; readonly countryCode: string }

const mainlandMobile = /^(?:\+?86|0086)?(1[3-9]\d{9})$/

/**
 * Reads what was typed: with an at-sign an e-mail; otherwise a phone, a mainland one with or without its
 * prefix (seed section 5). Undefined when it is neither.
 */
export function parseAccountName(typed: string, countryCode: string): AccountName | undefined {
  const text = typed.trim()
  if (text.includes('@')) return { email: text.toLowerCase() }
  const digits = text.replace(/[\s-]/g, '')
  const mainland = countryCode === '86' ? mainlandMobile.exec(digits)?.[1] : undefined
  if (mainland) return { phone: mainland, countryCode: '86' }
  return /^\d{6,15}$/.test(digits) ? { phone: digits, countryCode } : undefined
}

/** One text an account name counts its failures under. */
export function accountKey(name: AccountName): string {
  return 'email' in name ? name.email : `${name.countryCode} ${name.phone}`
}
