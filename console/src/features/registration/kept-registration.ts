import type { AccountEntry } from '../../entities/account/account-entry.ts'
import type { SentCode } from '../../entities/account/code-calls.ts'

const secondMs = 1_000
const storageKey = 'busbar.registration'

/** A registration that waits for its code: the account, without the password. */
export interface KeptRegistration {
  readonly entry: AccountEntry
  /** The time from which another code may be requested, epoch milliseconds. */
  readonly retryAt: number
  /** The time at which the code expires, epoch milliseconds. */
  readonly endsAt: number
}

/** Keeps it in this tab, so that a reloaded page still asks for the code. */
export function keepRegistration(entry: AccountEntry, sent: SentCode, now = Date.now()): KeptRegistration {
  const kept = { entry, retryAt: now + sent.retryIn * secondMs, endsAt: now + sent.expireIn * secondMs }
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Without storage the registration lasts as long as the page.
  }
  return kept
}

/** The registration of this tab by phone or by e-mail, as long as its code is valid. */
export function findRegistration(kind: AccountEntry['kind'], now = Date.now()): KeptRegistration | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    if (!isKept(kept) || kept.endsAt <= now) forgetRegistration()
    else if (kept.entry.kind === kind) return kept
  } catch {
    // Without storage, or with an unknown entry, the registration starts over.
  }
  return undefined
}

export function forgetRegistration(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Without storage nothing has to be removed.
  }
}

function isKept(value: unknown): value is KeptRegistration {
  if (typeof value !== 'object' || value === null) return false
  const { entry, retryAt, endsAt } = value as Partial<KeptRegistration>
  return (
    typeof retryAt === 'number' &&
    typeof endsAt === 'number' &&
    typeof entry?.name === 'string' &&
    typeof entry.countryCode === 'string'
  )
}
