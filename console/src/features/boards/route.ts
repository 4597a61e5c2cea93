import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'
import { boardsSearch } from './search.ts'

/** The boards of a space, and one of them. */
export const boardsScreen = {
  path: '/dataCenter',
  validateSearch: onlyKnown(boardsSearch),
  component: lazyPart(() => import('./boards-page.tsx').then((module) => module.BoardsPage)),
} as const

export const dataCentreEntry: MenuEntry<'/dataCenter'> = {
  path: '/dataCenter',
  section: 'work',
  icon: 'chart',
  label: (t) => t.dataCentre.title,
  shortLabel: (t) => t.dataCentre.menu,
}
