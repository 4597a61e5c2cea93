import { safetyEntry } from '../../features/account/route.ts'
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
  safety: safetyEntry,
} as const

export type Feature = (typeof features)[keyof typeof features]

/** The parts of the menu: own devices and the safety centre belong to the personal space. */
export function menuSections(isInEnterprise: boolean): readonly MenuEntry['section'][] {
  return isInEnterprise ? ['work'] : ['devices', 'work', 'account']
}
