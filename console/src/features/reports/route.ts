import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { reportsSearch } from './search.ts'

/** The scheduled reports of a space, and one of them. */
export const reportsScreen = {
  path: '/dataCenter/reports',
  validateSearch: onlyKnown(reportsSearch),
  component: lazyPart(() => import('./reports-page.tsx').then((module) => module.ReportsPage)),
} as const
