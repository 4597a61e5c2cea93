import type { AlarmLinksText } from '../../shared/i18n/cn/alarm-links.ts'
import { useText } from '../../shared/i18n/language.ts'

/** The texts of these pages, which are loaded with them only. */
export function useAlarmLinksText(): AlarmLinksText {
  return (useText() as unknown as { alarmLinks: AlarmLinksText }).alarmLinks
}
