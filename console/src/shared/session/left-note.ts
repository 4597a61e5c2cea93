/** The key under which this tab keeps the time until which a deletion can be cancelled, for the sign-in screen. */
const key = 'left'

/** Keeps it for the sign-in screen, as it is shown there. */
export function keepLeft(until: string): void {
  sessionStorage.setItem(key, until)
}

/** The time until which the deletion requested in this tab can be cancelled. */
export function readLeft(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined
}

export function forgetLeft(): void {
  sessionStorage.removeItem(key)
}
