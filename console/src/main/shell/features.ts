import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { settingsEntry } from '../../features/account/route.ts'
import { alarmsEntry } from '../../features/alarms/route.ts'
import { dataCentreEntry } from '../../features/boards/route.ts'
import { cloudMapEntry, devicesEntry } from '../../features/devices/route.ts'
import { messagesEntry } from '../../features/messages/route.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'

/** The menu's entries in every space; those of an enterprise are in space-menu.tsx. */
export const features = {
  devices: devicesEntry,
  map: cloudMapEntry,
  alarms: alarmsEntry,
  data: dataCentreEntry,
  messages: messagesEntry,
  settings: settingsEntry,
} as const

export type Feature = (typeof features)[keyof typeof features]

/** The entries that this person has: one who hides maps and places gets none of these. */
export function useFeatures(): readonly Feature[] {
  const hidesPlaces = useQuery(personQuery).data?.hide_map ?? false
  return Object.values(features).filter((feature: MenuEntry) => !(feature.isOfPlaces && hidesPlaces))
}

/** The parts of the menu: own devices belong to the personal space. */
export function menuSections(isInEnterprise: boolean): readonly MenuEntry['section'][] {
  return isInEnterprise ? ['work', 'account'] : ['devices', 'work', 'account']
}

/** The page on screen: a list of devices as a map is the map of the menu. */
export function usePathHere(): string {
  const { pathname, search } = useLocation()
  return 'listType' in search && search.listType === 'map' ? cloudMapEntry.path : pathname
}

/** Whether an entry stands for a page. */
export function covers({ path, within = [] }: MenuEntry, pathname: string): boolean {
  return [path, ...within].some((each) => `${pathname}/`.startsWith(each.endsWith('/') ? each : `${each}/`))
}
