import { useReducer } from 'react'
import type { Draft } from './merge.ts'

/** Number of steps that can be undone. */
const stepsMax = 100

interface Steps {
  readonly past: readonly Draft[]
  readonly now: Draft
  readonly future: readonly Draft[]
}

type Act =
  | { readonly kind: 'change'; readonly to: Draft }
  | { readonly kind: 'undo' | 'redo' }
  | { readonly kind: 'rebase'; readonly with: (draft: Draft) => Draft }

/** Applies an act to the steps of an editor. */
export function step({ past, now, future }: Steps, act: Act): Steps {
  switch (act.kind) {
    case 'change':
      return { past: [...past, now].slice(-stepsMax), now: act.to, future: [] }
    case 'undo': {
      const before = past.at(-1)
      return before
        ? { past: past.slice(0, -1), now: before, future: [now, ...future] }
        : { past, now, future }
    }
    case 'redo': {
      const [after, ...later] = future
      return after ? { past: [...past, now], now: after, future: later } : { past, now, future }
    }
    // Another person's changes are part of every step, so that an undo does not remove them.
    case 'rebase':
      return { past: past.map(act.with), now: act.with(now), future: future.map(act.with) }
  }
}

/** A draft with undo and redo. */
export function useDraftSteps(first: Draft) {
  const [steps, act] = useReducer(step, { past: [], now: first, future: [] })
  return {
    draft: steps.now,
    change: (to: Draft) => act({ kind: 'change', to }),
    undo: steps.past.length > 0 ? () => act({ kind: 'undo' }) : undefined,
    redo: steps.future.length > 0 ? () => act({ kind: 'redo' }) : undefined,
    rebase: (how: (draft: Draft) => Draft) => act({ kind: 'rebase', with: how }),
  }
}
