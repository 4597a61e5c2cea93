import { createStore, useStore } from '../api/store.ts'
import { getPreferences, onChosenElsewhere, type Preferences, updatePreferences } from './preferences.ts'

export type Theme = 'light' | 'dark'

const systemDark = matchMedia('(prefers-color-scheme: dark)')

function wished(): Theme {
  const { theme = 'system' } = getPreferences()
  return theme === 'system' ? (systemDark.matches ? 'dark' : 'light') : theme
}

const shown = createStore<Theme>(wished())

function apply(): void {
  shown.set(wished())
  document.documentElement.dataset.theme = shown.get()
}

systemDark.addEventListener('change', apply)
onChosenElsewhere(apply)

/** The theme on screen. Colours come from CSS; this is for what draws on a canvas. */
export function useTheme(): Theme {
  return useStore(shown)
}

export function setTheme(theme: NonNullable<Preferences['theme']>): void {
  updatePreferences({ theme })
  apply()
}
