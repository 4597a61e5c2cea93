import type { Text } from '../i18n/text.ts'
import type { IconName } from './icon-paths.ts'

/** The place of a screen in the menu. */
export interface MenuEntry<Path extends string = string> {
  readonly path: Path
  /** Further pages that it stands for. */
  readonly within?: readonly string[]
  readonly section: 'devices' | 'work' | 'account'
  readonly icon: IconName
  readonly label: (text: Text) => string
  /** Fits under an icon of the bottom bar. */
  readonly shortLabel: (text: Text) => string
  /** Its entry carries the count of unread messages. */
  readonly countsUnread?: true
  /** Not shown to people who hide maps and places. */
  readonly isOfPlaces?: true
}
