import { accounts } from '@busbar/contract'
import { call } from '../api/client.ts'
import { push } from '../api/live.ts'
import type { LogoutEvent } from '../api/push-messages.ts'
import { signInPath, toAddress } from './address.ts'
import { currentAddress } from './current-address.ts'
import { keepDrafts } from './drafts.ts'
import { forgetSession, hasSession } from './session.ts'

/** Forgets the session and leaves it. */
export function leaveSession(to: '/login' | '/loginTimeout', back: boolean): void {
  forgetSession()
  void goOut(to, back)
}

/**
 * Leaves for a screen before the session; with `back` the sign-in returns to the place where the session
 * ended unexpectedly. The page is reloaded, so that its data does not stay in memory.
 */
export async function goOut(to: '/login' | '/loginTimeout', back: boolean): Promise<void> {
  if (back) keepDrafts()
  push.stop()
  await settling
  location.replace(toAddress(signInPath(to, back ? currentAddress() : undefined)))
}

/**
 * Ends the session on the platform, then here. If the platform does not answer, the person stays signed in
 * and is told so.
 */
export async function signOut(): Promise<void> {
  // The platform closes it, so only the other tabs need to be told.
  push.stop()
  try {
    await call(accounts.logout, {})
  } catch {
    push.start()
    return
  }
  leaveSession('/login', false)
}

/** Deletes the own account and forgets its session; returns the time until which the deletion can be cancelled. */
export async function deleteOwnAccount(code: string): Promise<number> {
  // Only the other tabs need to hear of the end of the session.
  push.stop()
  try {
    const { until } = await call(accounts.deleteAccount, { code }, { noNotice: true })
    forgetSession()
    return until
  } catch (error) {
    push.start()
    throw error
  }
}

/** Another tab's new cookies arrive together with the report of the session's end, not before it. */
const settleMs = 1_000
let settling: Promise<void> | undefined

/** After the end of a session: on with the one another tab began, or forgotten that there was one. */
export function settleEnd(event: LogoutEvent): void {
  settling = settle(event)
}

async function settle({ reason }: LogoutEvent): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  if (await hasSuccessor()) {
    keepDrafts()
    location.reload()
  } else {
    forgetSession()
    if (reason === 'ranOut') void goOut('/loginTimeout', true)
  }
}

/** Whether this browser has signed in again: in another tab, with cookies that are this tab's as well. */
async function hasSuccessor(): Promise<boolean> {
  if (!hasSession()) return false
  try {
    await call(accounts.selectInfo, {}, { silent: true })
    return true
  } catch {
    return false
  }
}
