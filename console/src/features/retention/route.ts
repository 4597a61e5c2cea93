import { pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'

/** How long a space keeps its values. */
export const retentionScreen = {
  path: '/dataCenter/retention',
  validateSearch: onlyKnown(pageSpaceSearch),
  staticData: { shape: 'form' },
  component: lazyPart(() => import('./retention-page.tsx').then((module) => module.RetentionPage)),
} as const
