import { useEffect, useState } from 'react'
import { startMessageSync } from '../features/messages/message-sync.ts'
import { startAlarmNotifier } from '../features/notifications/start-notifier.ts'
import { onSessionOver } from '../shared/api/client.ts'
import { push } from '../shared/api/live.ts'
import type { LogoutEvent } from '../shared/api/push-messages.ts'
import { queryClient, refetchSpread } from '../shared/api/query-client.ts'
import { followAccount } from '../shared/session/account-locale.ts'
import { enterprisesQuery, invitationsQuery } from '../shared/session/account-queries.ts'
import { leaveSession, settleEnd } from '../shared/session/session-end.ts'
import { onLanguageSwitched } from '../shared/session/switch-language.ts'

/**
 * Reloads the list of spaces first: pages of an enterprise that the person has left close before they query
 * it again.
 */
async function refreshSpaces(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: enterprisesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  ])
  await queryClient.invalidateQueries({ queryKey: ['enterprise'] })
}

/**
 * The parts that live as long as a person is signed in: the push connection and the data it keeps up to date. Gives the
 * platform's word when it ended the session from elsewhere.
 */
export function useSessionLife(): LogoutEvent | undefined {
  const [logout, setLogout] = useState<LogoutEvent>()
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries()
    function end(event: LogoutEvent) {
      if (event.reason !== 'ranOut') setLogout(event)
      settleEnd(event)
    }
    const ends = [
      onSessionOver(() => leaveSession('/loginTimeout', true)),
      push.on('logout', end),
      startMessageSync(queryClient, push),
      startAlarmNotifier(queryClient, push),
      followAccount(queryClient),
      push.on('spaces', () => void refreshSpaces()),
      push.on('missed', refetchSpread),
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
