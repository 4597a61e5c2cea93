import { lazyPart } from '../lazy-part.tsx'
import type { ChoiceListProps } from './choice-list.tsx'

/** With the library, and loaded with it. */
export const ChoiceList = lazyPart<ChoiceListProps<string>>(() =>
  import('./choice-list.tsx').then((module) => module.ChoiceList),
)
