import type { DisplayState } from './display-state.ts'

/** The shape of each state in a 10 × 10 box: of the glyph beside its word, and of a mark on a map. */
export const shapePaths: Readonly<
  Record<DisplayState, { readonly path: string; readonly isOutline?: boolean }>
> = {
  alarm: { path: 'M5 .2 9.8 5 5 9.8.2 5z' },
  warning: { path: 'M5 .7 9.8 9.3H.2z' },
  online: { path: 'M9 5a4 4 0 1 1-8 0 4 4 0 0 1 8 0z' },
  service: {
    path: 'M2.2 1.2h5.6a1 1 0 0 1 1 1v5.6a1 1 0 0 1-1 1H2.2a1 1 0 0 1-1-1V2.2a1 1 0 0 1 1-1z',
  },
  offline: { path: 'M8.4 5a3.4 3.4 0 1 1-6.8 0 3.4 3.4 0 0 1 6.8 0z', isOutline: true },
}
