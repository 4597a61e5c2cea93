import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { useSessionLife } from './session-life.ts'
import { useShell } from './shells.ts'
import { SignedOutDialog } from './signed-out-dialog.tsx'
import { UnreachableBar } from './unreachable-bar.tsx'

/** Everything behind a session: the data, the live connection, and the shell that fits the screen. */
export function MainLayout() {
  const logout = useSessionLife()
  const Shell = useShell()
  return (
    <QueryClientProvider client={queryClient}>
      <Shell>
        <Outlet />
      </Shell>
      <UnreachableBar />
      {logout && <SignedOutDialog event={logout} />}
    </QueryClientProvider>
  )
}
