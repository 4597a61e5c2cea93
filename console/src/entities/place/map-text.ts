import type { Lang } from '@busbar/contract'
import { mapText as cn } from '../../shared/i18n/cn/map.ts'
import { mapText as en } from '../../shared/i18n/en/map.ts'
import { useLang } from '../../shared/i18n/index.ts'

/** Both languages come with the map: no other page waits for their words. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export const useMapText = () => texts[useLang()]
