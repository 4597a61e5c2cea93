import type { Lang } from '@busbar/contract'
import { deviceCodeText as cn } from '../../../shared/i18n/cn/device-code.ts'
import { deviceCodeText as en } from '../../../shared/i18n/en/device-code.ts'
import { useLang } from '../../../shared/i18n/index.ts'

/** Both languages come with the page: no other page waits for its words. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export const useDeviceCodeText = (): typeof cn => texts[useLang()]
