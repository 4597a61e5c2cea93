import { createStore, useStore } from '../api/store.ts'
import { isMobileMode } from '../session/mobile-url.ts'

export type LayoutKind = 'wide' | 'narrow'

const narrowScreen = matchMedia('(max-width: 767px)')
const wished = (): LayoutKind => (isMobileMode || narrowScreen.matches ? 'narrow' : 'wide')
const shown = createStore<LayoutKind>(wished())

function apply(): void {
  shown.set(wished())
  document.documentElement.dataset.layout = shown.get()
}

narrowScreen.addEventListener('change', apply)
apply()

/** Which shell is drawn: narrow on small screens and behind /mobile. */
export function useLayoutKind(): LayoutKind {
  return useStore(shown)
}
