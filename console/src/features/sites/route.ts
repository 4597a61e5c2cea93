import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { sitesSearch } from './search.ts'

/** The sites of a space, and one of them. */
export const sitesScreen = {
  path: '/dataCenter/sites',
  validateSearch: onlyKnown(sitesSearch),
  component: lazyPart(() => import('./sites-page.tsx').then((module) => module.SitesPage)),
} as const
