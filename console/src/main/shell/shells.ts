import { type ReactNode, useEffect, useState } from 'react'
import { type LayoutKind, useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { type LazyPart, lazyPart } from '../../shared/ui/lazy-part.tsx'

type Shell = LazyPart<{ children: ReactNode }>

const shells: Record<LayoutKind, Shell> = {
  wide: lazyPart(() => import('./wide-shell.tsx').then((module) => module.WideShell)),
  narrow: lazyPart(() => import('./narrow-shell.tsx').then((module) => module.NarrowShell)),
}

/** Loads one of the two shells, before the first drawing; a screen loads only the one it shows. */
export function loadShell(kind: LayoutKind): Promise<void> {
  return shells[kind].preload()
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
  return shells[shown]
}
