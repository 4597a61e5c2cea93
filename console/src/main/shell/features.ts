import type { Text } from '../../shared/i18n/text.ts'
import type { IconName } from '../../shared/ui/icon-paths.ts'

/** A screen of the main layout: its address and its place in the menu. */
export interface Feature {
  readonly path: '/index/' | '/msgCenter' | '/safety'
  readonly section: 'devices' | 'work' | 'account'
  readonly icon: IconName
  readonly label: (text: Text) => string
  /** Fits under an icon of the bottom bar. */
  readonly shortLabel: (text: Text) => string
  /** Its entry carries the count of unread messages. */
  readonly countsUnread?: true
}

/** Only screens that exist. A new one is an entry here, its page in pages.ts and its route in router.tsx. */
export const features: Readonly<Record<'devices' | 'messages' | 'safety', Feature>> = {
  devices: {
    path: '/index/',
    section: 'devices',
    icon: 'devices',
    label: (t) => t.app.menu.entries.devices,
    shortLabel: (t) => t.app.menu.entries.devicesShort,
  },
  messages: {
    path: '/msgCenter',
    section: 'work',
    icon: 'mail',
    label: (t) => t.app.menu.entries.messages,
    shortLabel: (t) => t.app.menu.entries.messagesShort,
    countsUnread: true,
  },
  safety: {
    path: '/safety',
    section: 'account',
    icon: 'shield',
    label: (t) => t.app.menu.entries.safety,
    shortLabel: (t) => t.app.menu.entries.safetyShort,
  },
}

/** The parts of the menu: own devices and the safety centre belong to the personal space. */
export function menuSections(isInEnterprise: boolean): readonly Feature['section'][] {
  return isInEnterprise ? ['work'] : ['devices', 'work', 'account']
}
