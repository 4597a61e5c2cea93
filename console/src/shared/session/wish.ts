import { useEffect, useEffectEvent } from 'react'
import { createStore, useStore } from '../api/store.ts'

/** An action that a page begins with, asked for on another page. */
export type Wish = 'addMachine' | 'inviteMember'

const wished = createStore<Wish | undefined>(undefined)

/** Asks the page that one goes to next to begin with something. */
export function wish(what: Wish): void {
  wished.set(what)
}

/** Does once what was wished of this page. */
export function useWish(what: Wish, act: () => void): void {
  const isWished = useStore(wished) === what
  const take = useEffectEvent(() => {
    wished.set(undefined)
    act()
  })
  useEffect(() => {
    if (isWished) take()
  }, [isWished])
}
