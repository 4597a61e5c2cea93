import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { manageSearch } from './search.ts'

export const enterpriseScreen = {
  path: '/enterprise',
  validateSearch: onlyKnown(manageSearch),
  component: lazyPart(() => import('./manage-page.tsx').then((module) => module.ManagePage)),
} as const

export const maintenanceScreen = {
  path: '/maintenance',
  component: lazyPart(() => import('./maintenance-page.tsx').then((module) => module.MaintenancePage)),
} as const
