import type { ComponentType, ReactNode } from 'react'
import { type LayoutKind, useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { NarrowShell } from './narrow-shell.tsx'
import { WideShell } from './wide-shell.tsx'

type Shell = ComponentType<{ children: ReactNode }>

// Part of every screen's file: they share nearly all of their parts, and a separate file would be one more
// request.
const shells: Record<LayoutKind, Shell> = { wide: WideShell, narrow: NarrowShell }

/** The shell that fits the screen. */
export function useShell(): Shell {
  return shells[useLayoutKind()]
}
