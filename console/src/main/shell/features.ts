import { settingsEntry } from '../../features/account/route.ts'
import { alarmsEntry } from '../../features/alarms/route.ts'
import { dataCentreEntry } from '../../features/boards/route.ts'
import { devicesEntry } from '../../features/devices/route.ts'
import { messagesEntry } from '../../features/messages/route.ts'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'

/** The menu's entries in every space; those of an enterprise are in space-menu.tsx. */
export const features = {
  devices: devicesEntry,
  alarms: alarmsEntry,
  data: dataCentreEntry,
  messages: messagesEntry,
  settings: settingsEntry,
} as const

export type Feature = (typeof features)[keyof typeof features]

/** The parts of the menu: own devices belong to the personal space. */
export function menuSections(isInEnterprise: boolean): readonly MenuEntry['section'][] {
  return isInEnterprise ? ['work', 'account'] : ['devices', 'work', 'account']
}

/** Whether an entry stands for a page. */
export function covers({ path, within = [] }: MenuEntry, pathname: string): boolean {
  return [path, ...within].some((each) => `${pathname}/`.startsWith(each.endsWith('/') ? each : `${each}/`))
}
