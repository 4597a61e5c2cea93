import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { explorerSearch } from './search.ts'

/** Variables of several devices in one chart. */
export const explorerScreen = {
  path: '/dataCenter/explorer',
  validateSearch: onlyKnown(explorerSearch),
  staticData: { shape: 'chart' },
  component: lazyPart(() => import('./explorer-page.tsx').then((module) => module.ExplorerPage)),
} as const
