import type { DisplayState } from '../../shared/ui/data/display-state.ts'

const tokens = {
  sea: '--map-sea',
  land: '--map-land',
  coast: '--map-line',
  surface: '--surface',
  text: '--text',
  quiet: '--text3',
  accent: '--accent',
  alarm: '--crit',
  warning: '--warn',
  online: '--ok',
  service: '--maint',
  offline: '--off',
} as const

/** Colours of the theme on screen, for a canvas. */
export type MapColours = Readonly<Record<keyof typeof tokens, string> & Record<DisplayState, string>>

export function readColours(): MapColours {
  const style = getComputedStyle(document.documentElement)
  const entries = Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()])
  return Object.fromEntries(entries) as MapColours
}
