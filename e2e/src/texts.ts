import { cn } from '../../console/src/shared/i18n/cn/index.ts'
import { en } from '../../console/src/shared/i18n/en/index.ts'

/** What the console says: a test names a button by the words a person reads, wherever they are changed. */
export const texts = { cn, en } as const

export type Lang = keyof typeof texts
