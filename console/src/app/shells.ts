import { lazy } from 'react'
import type { LayoutKind } from './layout-kind.ts'

const loaders = {
  wide: () => import('./wide-shell.tsx').then((module) => ({ default: module.WideShell })),
  narrow: () => import('./narrow-shell.tsx').then((module) => ({ default: module.NarrowShell })),
}

/** The two shells; a screen loads only the one it shows. */
export const shells = { wide: lazy(loaders.wide), narrow: lazy(loaders.narrow) }

/** Begins loading a shell while the page in it is on its way too. */
export function preloadShell(kind: LayoutKind): void {
  void loaders[kind]()
}
