import { getPreferences, type RememberedAccount, updatePreferences } from './preferences.ts'

const dayMs = 86_400_000
/** "Remember me" keeps the name this long (rules/console.md: kept in the browser). */
const rememberMs = 30 * dayMs
const accountsMax = 5

const same = (a: RememberedAccount, b: RememberedAccount) =>
  a.kind === b.kind && a.name === b.name && a.countryCode === b.countryCode

/** The accounts used on this browser that are still remembered, newest first. */
export function listAccounts(now = Date.now()): readonly RememberedAccount[] {
  return (getPreferences().accounts ?? []).filter(({ usedAt }) => now - usedAt < rememberMs)
}

export function rememberAccount(account: RememberedAccount): void {
  const others = listAccounts(account.usedAt).filter((other) => !same(other, account))
  updatePreferences({ accounts: [account, ...others].slice(0, accountsMax) })
}

export function forgetAccount(account: RememberedAccount): void {
  updatePreferences({ accounts: listAccounts().filter((other) => !same(other, account)) })
}
