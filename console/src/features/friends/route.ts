import { lazyPart } from '../../shared/ui/lazy-part.tsx'

export const friendsScreen = {
  path: '/friends',
  component: lazyPart(() => import('./friends-page.tsx').then((module) => module.FriendsPage)),
} as const
