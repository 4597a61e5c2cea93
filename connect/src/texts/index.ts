import type { Lang } from '../model.ts'
import { texts as cn } from './cn/connect.ts'
import { texts as en } from './en/connect.ts'

export type Texts = typeof cn

export const textsOf: Readonly<Record<Lang, Texts>> = { cn, en }
