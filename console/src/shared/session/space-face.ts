import { createStore } from '../api/store.ts'

/** The current enterprise, and the name and logo that it shows in place of the brand's; empty: the brand's own. */
export interface SpaceFace {
  readonly enterprise: string
  readonly name: string
  readonly logoUrl: string
}

export const noFace: SpaceFace = { enterprise: '', name: '', logoUrl: '' }

/** The name and logo of the current space; empty outside of the main layout. */
export const spaceFace = createStore(noFace)
