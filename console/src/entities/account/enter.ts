import { toAddress } from '../../shared/session/address.ts'
import { homeAddress } from '../../shared/session/home-address.ts'
import { wantedPath } from '../../shared/session/outside-address.ts'
import { rememberAccount } from '../../shared/session/remembered-accounts.ts'
import { type AccountEntry, accountKind, nationalNumber } from './account-entry.ts'

interface Inside {
  startInside(): Promise<void>
}

let load: (() => Promise<Inside>) | undefined

/** Registers the loader of the screens behind a session. */
export function provideInside(loader: () => Promise<Inside>): void {
  load = loader
}

/**
 * Everything behind the session, loaded while a person still types, so that it is ready when they are signed
 * in.
 */
export function loadInside(): Promise<Inside> {
  if (!load) throw new Error('nothing says where the screens behind a session are loaded from')
  return load()
}

/** Continues behind the session, at the wanted page. */
export async function enterInside(): Promise<void> {
  const target = toAddress(wantedPath() ?? homeAddress())
  try {
    const { startInside } = await loadInside()
    history.replaceState(null, '', target)
    await startInside()
  } catch {
    // If the files behind the session cannot be loaded, the page reloads in the current version.
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
