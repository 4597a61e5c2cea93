import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { simsSearch } from './search.ts'

/** The SIM cards of a space, and one of them. */
export const simsScreen = {
  path: '/dataCenter/sims',
  validateSearch: onlyKnown(simsSearch),
  component: lazyPart(() => import('./sims-page.tsx').then((module) => module.SimsPage)),
} as const
