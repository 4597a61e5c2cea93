import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { backOfficeSearch } from './search.ts'

export const backOfficeScreen = {
  path: '/backManage',
  validateSearch: onlyKnown(backOfficeSearch),
  component: lazyPart(() => import('./back-office-page.tsx').then((module) => module.BackOfficePage)),
} as const
