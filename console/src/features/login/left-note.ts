/** Where this tab keeps until when a deletion can be taken back, from the request to the sign-in screen. */
const key = 'left'

/** Keeps it for the sign-in screen, as it is shown there. */
export function keepLeft(until: string): void {
  sessionStorage.setItem(key, until)
}

/** Until when the deletion that was asked for in this tab can be taken back. */
export function readLeft(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined
}

export function forgetLeft(): void {
  sessionStorage.removeItem(key)
}
