import type { Lang } from '@busbar/contract'
import { placeText as cn } from '../../shared/i18n/cn/places.ts'
import { placeText as en } from '../../shared/i18n/en/places.ts'
import { useLang } from '../../shared/i18n/index.ts'

const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export const usePlaceText = (): typeof cn => texts[useLang()]
