import { createStore } from '../api/store.ts'

/** The enterprise one is in, and what it shows its people in place of the brand; empty: none, the brand's own. */
export interface SpaceFace {
  readonly enterprise: string
  readonly name: string
  readonly logoUrl: string
}

export const noFace: SpaceFace = { enterprise: '', name: '', logoUrl: '' }

/** Of the space one is in; none outside of the main layout. */
export const spaceFace = createStore(noFace)
