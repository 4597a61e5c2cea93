import type { Lang } from '@busbar/contract'
import { destinationsText as cn } from '../../../shared/i18n/cn/project-destinations.ts'
import { destinationsText as en } from '../../../shared/i18n/en/project-destinations.ts'
import { useLang } from '../../../shared/i18n/index.ts'

export type DestinationsText = typeof cn

const texts: Readonly<Record<Lang, DestinationsText>> = { cn, en }

export function useDestinationsText(): DestinationsText {
  return texts[useLang()]
}
