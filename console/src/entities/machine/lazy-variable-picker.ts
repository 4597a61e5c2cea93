import { lazyPart } from '../../shared/ui/lazy-part.tsx'

/** Loaded when it is opened: a page shows what was chosen without it. */
export const VariablePicker = lazyPart(
  () => import('./variable-picker.tsx').then((module) => module.VariablePicker),
  'dialog',
)
