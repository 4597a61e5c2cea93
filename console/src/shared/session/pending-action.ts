import { useEffect, useEffectEvent } from 'react'
import { createStore, useStore } from '../api/store.ts'

/** An action that another page requests of the page it opens. */
export type PendingAction = 'addMachine' | 'inviteMember'

const pending = createStore<PendingAction | undefined>(undefined)

/** Requests an action of the page that opens next. */
export function requestAction(what: PendingAction): void {
  pending.set(what)
}

/** Does once what was asked of this page. */
export function usePendingAction(what: PendingAction, act: () => void): void {
  const isPending = useStore(pending) === what
  const take = useEffectEvent(() => {
    pending.set(undefined)
    act()
  })
  useEffect(() => {
    if (isPending) take()
  }, [isPending])
}
