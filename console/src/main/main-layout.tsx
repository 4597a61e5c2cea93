import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMovingPart } from '../shared/ui/moving-part.tsx'
import { SessionFrame } from './session-frame.tsx'
import { useShell } from './shell/shells.ts'

/** Screens with header and menu, in the shell that fits. */
export function MainLayout(): ReactNode {
  const Shell = useShell()
  // A window that crosses the width of a phone gets the other shell; the page and its entries stay.
  const { place, part } = useMovingPart(<Outlet />)
  return (
    <SessionFrame>
      <Shell>{place}</Shell>
      {part}
    </SessionFrame>
  )
}
