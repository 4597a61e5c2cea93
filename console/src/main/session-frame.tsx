import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { applyWish } from '../entities/application/apply-wish.ts'
import { deviceDialog } from '../entities/machine/device-dialog.ts'
import { queryClient } from '../shared/api/query-client.ts'
import { useStore } from '../shared/api/store.ts'
import { lazyPart } from '../shared/ui/lazy-part.tsx'
import { shortcutsOpen, useShortcutsKey } from '../shared/ui/shortcuts.ts'
import { useSessionLife } from './session-life.ts'
import { LinkBar } from './shell/link-bar.tsx'
import { SignedOutDialog } from './signed-out-dialog.tsx'

const ShortcutSheet = lazyPart(
  () => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet),
  'dialog',
)

const ApplyDialog = lazyPart(
  () => import('../features/applications/apply-dialog.tsx').then((module) => module.ApplyDialog),
  'dialog',
)

const deviceDialogs = {
  check: lazyPart(
    () => import('../features/checks/check-dialog.tsx').then((module) => module.CheckDialog),
    'dialog',
  ),
  agentLog: lazyPart(
    () => import('../features/agent-log/agent-log-dialog.tsx').then((module) => module.AgentLogDialog),
    'dialog',
  ),
}

/**
 * The frame of every screen behind a session: the data, the live connection, and the notices when either is
 * lost.
 */
export function SessionFrame({ children }: { children: ReactNode }) {
  const logout = useSessionLife()
  useShortcutsKey()
  const isListed = useStore(shortcutsOpen)
  const wish = useStore(applyWish)
  const device = useStore(deviceDialog)
  const DeviceDialog = device && deviceDialogs[device.kind]
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <LinkBar />
      {isListed && <ShortcutSheet onClose={() => shortcutsOpen.set(false)} />}
      {wish && <ApplyDialog wish={wish} onClose={() => applyWish.set(undefined)} />}
      {DeviceDialog && <DeviceDialog wish={device} onClose={() => deviceDialog.set(undefined)} />}
      {logout && <SignedOutDialog event={logout} />}
    </QueryClientProvider>
  )
}
