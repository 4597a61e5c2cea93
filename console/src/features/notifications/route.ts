import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { notificationsSearch } from './search.ts'

/** How the alarms of a space are sent, and the messages sent. */
export const notificationsScreen = {
  path: '/alarmCenter/notifications',
  validateSearch: onlyKnown(notificationsSearch),
  component: lazyPart(() => import('./notifications-page.tsx').then((module) => module.NotificationsPage)),
} as const
