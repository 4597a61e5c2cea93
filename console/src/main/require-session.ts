import { notFound } from '@tanstack/react-router'
import { signInPath, toAddress } from '../shared/session/address.ts'
import { hasSession } from '../shared/session/session.ts'

interface Entering {
  location: { href: string }
  /** A link is pointed at and not followed. */
  preload: boolean
}

/**
 * Lets only those with a session in; the others sign in and come back. The screens before a session are loaded afresh:
 * nothing of the last person stays in memory.
 */
export async function requireSession({ location: wanted, preload }: Entering): Promise<void> {
  if (hasSession()) return
  // A page whose session is over keeps what was typed on it until a link is followed: pointing at one must not leave it.
  // The router ends a preload without a notice only where the page is not found.
  if (preload) throw notFound()
  location.replace(toAddress(signInPath('/login', wanted.href)))
  await new Promise(() => {})
}
