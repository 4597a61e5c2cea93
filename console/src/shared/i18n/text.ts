import type { cn } from './cn/index.ts'

/** Every text of the console. `en` has exactly the keys of `cn`, by type. */
export type Text = typeof cn
