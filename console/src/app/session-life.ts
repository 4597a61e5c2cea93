import { accounts } from '@busbar/contract'
import { useEffect, useState } from 'react'
import { call, onSessionOver } from '../api/client.ts'
import { push } from '../api/live.ts'
import type { LogoutEvent } from '../api/push-events.ts'
import { queryClient } from '../api/query-client.ts'
import { type Unread, unreadQuery } from './account-queries.ts'
import { signInPath, toAddress } from './address.ts'
import { keepDrafts } from './drafts.ts'
import { router } from './router.tsx'
import { forgetSession } from './session.ts'
import { onLanguageSwitched } from './switch-language.ts'

/**
 * Forgets the session and leaves for a screen outside of it, to come `back` where it ended against one's will. The
 * page is loaded anew: no data of it stays in memory.
 */
export function leaveSession(to: '/login' | '/loginTimeout', back: boolean): void {
  if (back) keepDrafts()
  push.stop()
  forgetSession()
  location.replace(toAddress(signInPath(to, back ? router.state.location.href : undefined)))
}

/** Ends the session on the platform, then here. Without an answer one stays signed in, and is told so. */
export async function signOut(): Promise<void> {
  // The platform closes it, which is news only to the other tabs.
  push.stop()
  try {
    await call(accounts.logout, {})
  } catch {
    push.start()
    return
  }
  leaveSession('/login', false)
}

/**
 * What lives as long as somebody is signed in: the push connection and what it keeps up to date. Gives the
 * platform's word when it ended the session from elsewhere.
 */
export function useSessionLife(): LogoutEvent | undefined {
  const [logout, setLogout] = useState<LogoutEvent>()
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries()
    const ends = [
      onSessionOver(() => leaveSession('/loginTimeout', true)),
      push.onLogout((event) => {
        forgetSession()
        setLogout(event)
      }),
      push.onUnread((totalUnreadMsg) => {
        queryClient.setQueryData<Unread>(
          unreadQuery.queryKey,
          (unread) => unread && { ...unread, totalUnreadMsg },
        )
        void queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey })
      }),
      push.onResumed(refresh),
      onLanguageSwitched(refresh),
    ]
    push.start()
    return () => {
      push.stop()
      for (const end of ends) end()
    }
  }, [])
  return logout
}
