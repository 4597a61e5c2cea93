import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { driversSearch } from './search.ts'

/** The connections of a device's agent, configured here if the agent allows it. */
export const driversScreen = {
  path: '/drivers',
  validateSearch: onlyKnown(driversSearch),
  staticData: { shape: 'detail' },
  component: lazyPart(() => import('./drivers-page.tsx').then((module) => module.DriversPage)),
} as const
