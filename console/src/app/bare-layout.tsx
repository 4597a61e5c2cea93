import { Outlet } from '@tanstack/react-router'
import { SessionFrame } from './session-frame.tsx'

/** Screens behind a session that fill the page themselves, without header and menu. */
export function BareLayout() {
  return (
    <SessionFrame>
      <Outlet />
    </SessionFrame>
  )
}
