import { toAddress } from '../../shared/session/address.ts'
import { homeAddress } from '../../shared/session/home-address.ts'
import { wantedPath } from '../../shared/session/outside-address.ts'
import { rememberAccount } from '../../shared/session/remembered-accounts.ts'
import { type AccountEntry, accountKind, nationalNumber } from './account-entry.ts'

interface Inside {
  startInside(): Promise<void>
}

let load: (() => Promise<Inside>) | undefined

/** Says where the screens behind a session are loaded from. */
export function provideInside(loader: () => Promise<Inside>): void {
  load = loader
}

/** Everything behind the session; begun while somebody still types, it is there when they are signed in. */
export function loadInside(): Promise<Inside> {
  if (!load) throw new Error('nothing says where the screens behind a session are loaded from')
  return load()
}

/** Goes on behind the session, to where one wanted to go. */
export async function enterInside(): Promise<void> {
  const target = toAddress(wantedPath() ?? homeAddress())
  try {
    const { startInside } = await loadInside()
    history.replaceState(null, '', target)
    await startInside()
  } catch {
    // Signed in, but the files behind it cannot be had: the page loaded anew has those of the version there is.
    location.replace(target)
  }
}

/** Keeps the account's name on this browser for the next sign-in. */
export function rememberEntry(entry: AccountEntry): void {
  rememberAccount(toAccount(entry))
}

export function toAccount(entry: AccountEntry) {
  const usedAt = Date.now()
  return accountKind(entry) === 'email'
    ? { kind: 'email' as const, name: entry.name.trim(), usedAt }
    : { kind: 'phone' as const, name: nationalNumber(entry), countryCode: entry.countryCode, usedAt }
}
