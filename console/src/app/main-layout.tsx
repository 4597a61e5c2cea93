import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { queryClient } from '../api/query-client.ts'
import { useLayoutKind } from './layout-kind.ts'
import { useSessionLife } from './session-life.ts'
import { shells } from './shells.ts'
import { SignedOutDialog } from './signed-out-dialog.tsx'
import { UnreachableBar } from './unreachable-bar.tsx'

/** Everything behind a session: the data, the live connection, and the shell that fits the screen. */
export function MainLayout() {
  const logout = useSessionLife()
  const Shell = shells[useLayoutKind()]
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense>
        <Shell>
          <Outlet />
        </Shell>
      </Suspense>
      <UnreachableBar />
      {logout && <SignedOutDialog event={logout} />}
    </QueryClientProvider>
  )
}
