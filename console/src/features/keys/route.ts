import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { administrationSearch } from './search.ts'

export const administrationScreen = {
  path: '/administrateCenter',
  validateSearch: onlyKnown(administrationSearch),
  component: lazyPart(() => import('./administration-page.tsx').then((module) => module.AdministrationPage)),
} as const
