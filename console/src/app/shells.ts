import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { type LayoutKind, useLayoutKind } from './layout-kind.ts'

type Shell = ComponentType<{ children: ReactNode }>

const loaders: Record<LayoutKind, () => Promise<Shell>> = {
  wide: () => import('./wide-shell.tsx').then((module) => module.WideShell),
  narrow: () => import('./narrow-shell.tsx').then((module) => module.NarrowShell),
}

const loaded: Partial<Record<LayoutKind, Shell>> = {}

/**
 * Loads one of the two shells; a screen loads only the one it shows. Awaited before the first drawing: a lazy
 * component would show nothing first, and React keeps that nothing for 300 ms.
 */
export async function loadShell(kind: LayoutKind): Promise<void> {
  loaded[kind] ??= await loaders[kind]()
}

/** The shell that fits the screen. While another one is fetched, the one at hand stays. */
export function useShell(): Shell {
  const kind = useLayoutKind()
  const [shown, setShown] = useState(kind)
  useEffect(() => {
    let wanted = true
    void loadShell(kind).then(() => wanted && setShown(kind))
    return () => {
      wanted = false
    }
  }, [kind])
  const shell = loaded[shown]
  if (!shell) throw new Error('loadShell must have ended before a shell is drawn')
  return shell
}
