import { cn } from '../../console/src/shared/i18n/cn/index.ts'
import { en } from '../../console/src/shared/i18n/en/index.ts'

/** The console's texts: a test names a button by its label, even after a change of wording. */
export const texts = { cn, en } as const

export type Lang = keyof typeof texts
