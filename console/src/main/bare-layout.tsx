import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SessionFrame } from './session-frame.tsx'

/** Screens behind a session that fill the page themselves, without header and menu. */
export function BareLayout(): ReactNode {
  return (
    <SessionFrame>
      <Outlet />
    </SessionFrame>
  )
}
