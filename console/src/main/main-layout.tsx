import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SessionFrame } from './session-frame.tsx'
import { useShell } from './shell/shells.ts'

/** Screens with header and menu, in the shell that fits. */
export function MainLayout(): ReactNode {
  const Shell = useShell()
  return (
    <SessionFrame>
      <Shell>
        <Outlet />
      </Shell>
    </SessionFrame>
  )
}
