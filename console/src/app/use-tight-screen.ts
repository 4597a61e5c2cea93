import { useSyncExternalStore } from 'react'

/** Where a list and an open pane have to share what a tablet or a small window has. */
const tight = matchMedia('(max-width: 1180px)')

function subscribe(listener: () => void): () => void {
  tight.addEventListener('change', listener)
  return () => tight.removeEventListener('change', listener)
}

/** Whether the wide layout has little room: the menu shows its icons only, unless somebody wants otherwise. */
export function useTightScreen(): boolean {
  return useSyncExternalStore(subscribe, () => tight.matches)
}
