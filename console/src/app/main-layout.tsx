import { Outlet } from '@tanstack/react-router'
import { SessionFrame } from './session-frame.tsx'
import { useShell } from './shells.ts'

/** Screens with header and menu, in the shell that fits. */
export function MainLayout() {
  const Shell = useShell()
  return (
    <SessionFrame>
      <Shell>
        <Outlet />
      </Shell>
    </SessionFrame>
  )
}
