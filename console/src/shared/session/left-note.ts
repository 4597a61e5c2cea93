/** Key under which this tab keeps the time until which a deletion can be taken back, for the sign-in screen. */
const key = 'left'

/** Keeps it for the sign-in screen, as it is shown there. */
export function keepLeft(until: string): void {
  sessionStorage.setItem(key, until)
}

/** The time until which the deletion that this tab requested can be taken back. */
export function readLeft(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined
}

export function forgetLeft(): void {
  sessionStorage.removeItem(key)
}
