import { pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'
import { alarmsSearch } from './search.ts'

/** Counts, the list, and an alarm beside it. */
export const alarmsScreen = {
  path: '/alarmCenter',
  validateSearch: onlyKnown(alarmsSearch),
  component: lazyPart(() => import('./alarms-page.tsx').then((module) => module.AlarmsPage)),
} as const

/** The number of alarms, measured against the number that people can handle. */
export const alarmQualityScreen = {
  path: '/alarmCenter/quality',
  validateSearch: onlyKnown(pageSpaceSearch),
  staticData: { shape: 'chart' },
  component: lazyPart(() => import('./quality/quality-page.tsx').then((module) => module.QualityPage)),
} as const

export const alarmsEntry: MenuEntry<'/alarmCenter'> = {
  path: '/alarmCenter',
  section: 'work',
  icon: 'alarm',
  label: (t) => t.alarms.title,
  shortLabel: (t) => t.alarms.menu,
}
