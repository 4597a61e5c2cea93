import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { connectSearch } from './search.ts'

/** Registers a controller, shows what it needs, and waits for its first values. */
export const connectScreen = {
  path: '/connect',
  validateSearch: onlyKnown(connectSearch),
  staticData: { shape: 'form' },
  component: lazyPart(() => import('./connect-page.tsx').then((module) => module.ConnectPage)),
} as const
