import { useSyncExternalStore } from 'react'

/** A hook that tells whether the window is at most this many pixels wide. */
function widthHook(widthMax: number): () => boolean {
  const query = matchMedia(`(max-width: ${widthMax}px)`)
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Whether the wide layout is short of space: the menu shows only icons, unless the person chose otherwise. */
export const useTightScreen = widthHook(1180)

/** Whether rows with buttons do not fit beside the menu's icons either: they are drawn as on a phone. */
export const useSmallTablet = widthHook(900)

const useUsualScreen = widthHook(1699)

/** Whether the window is wider than usual lists need. */
export const useVastScreen = (): boolean => !useUsualScreen()
