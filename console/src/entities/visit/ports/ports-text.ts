import type { Lang } from '@busbar/contract'
import { portsText as cn } from '../../../shared/i18n/cn/ports.ts'
import { portsText as en } from '../../../shared/i18n/en/ports.ts'
import { useLang } from '../../../shared/i18n/index.ts'

/** Both languages come with the ports: no other page waits for their words. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export const usePortsText = () => texts[useLang()]
