import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../api/query-client.ts'
import { useSessionLife } from './session-life.ts'
import { SignedOutDialog } from './signed-out-dialog.tsx'
import { UnreachableBar } from './unreachable-bar.tsx'

/** What every screen behind a session has: the data, the live connection, and what is said when either is lost. */
export function SessionFrame({ children }: { children: ReactNode }) {
  const logout = useSessionLife()
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <UnreachableBar />
      {logout && <SignedOutDialog event={logout} />}
    </QueryClientProvider>
  )
}
