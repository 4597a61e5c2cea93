import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../api/query-client.ts'
import { useStore } from '../api/store.ts'
import { applyWish } from '../features/applications/apply-wish.ts'
import { lazyPart } from './lazy-part.tsx'
import { LinkBar } from './link-bar.tsx'
import { useSessionLife } from './session-life.ts'
import { shortcutsOpen, useShortcutsKey } from './shortcuts.ts'
import { SignedOutDialog } from './signed-out-dialog.tsx'

const ShortcutSheet = lazyPart(
  () => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet),
  'dialog',
)

const ApplyDialog = lazyPart(
  () => import('../features/applications/apply-dialog.tsx').then((module) => module.ApplyDialog),
  'dialog',
)

/** What every screen behind a session has: the data, the live connection, and what is said when either is lost. */
export function SessionFrame({ children }: { children: ReactNode }) {
  const logout = useSessionLife()
  useShortcutsKey()
  const isListed = useStore(shortcutsOpen)
  const wish = useStore(applyWish)
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <LinkBar />
      {isListed && <ShortcutSheet onClose={() => shortcutsOpen.set(false)} />}
      {wish && <ApplyDialog wish={wish} onClose={() => applyWish.set(undefined)} />}
      {logout && <SignedOutDialog event={logout} />}
    </QueryClientProvider>
  )
}
