import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { exportsSearch } from './search.ts'

/** The exports of a person. */
export const exportsScreen = {
  path: '/dataCenter/exports',
  validateSearch: onlyKnown(exportsSearch),
  component: lazyPart(() => import('./exports-page.tsx').then((module) => module.ExportsPage)),
} as const
