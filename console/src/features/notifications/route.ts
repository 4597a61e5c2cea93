import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { notificationsSearch } from './search.ts'

/** How people are told of the alarms of a space, and what was sent. */
export const notificationsScreen = {
  path: '/alarmCenter/notifications',
  validateSearch: notificationsSearch,
  component: lazyPart(() => import('./notifications-page.tsx').then((module) => module.NotificationsPage)),
} as const
