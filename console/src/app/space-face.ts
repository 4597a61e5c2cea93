import { createStore } from '../api/store.ts'

/** What an enterprise shows its people in place of the brand; empty: the brand's own. */
export interface SpaceFace {
  readonly name: string
  readonly logoUrl: string
}

export const noFace: SpaceFace = { name: '', logoUrl: '' }

/** Of the space one is in; none outside of the main layout. */
export const spaceFace = createStore(noFace)
