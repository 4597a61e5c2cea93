import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { rulesSearch } from './search.ts'

/** The rules of the devices of a space. */
export const alarmRulesScreen = {
  path: '/alarmCenter/rules',
  validateSearch: onlyKnown(rulesSearch),
  component: lazyPart(() => import('./rules-page.tsx').then((module) => module.RulesPage)),
} as const
