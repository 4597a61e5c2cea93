import type { Lang } from '@busbar/contract'
import { deliveriesText as cn } from '../../../shared/i18n/cn/project-deliveries.ts'
import { deliveriesText as en } from '../../../shared/i18n/en/project-deliveries.ts'
import { useLang } from '../../../shared/i18n/index.ts'

type DeliveriesText = typeof cn

const texts: Readonly<Record<Lang, DeliveriesText>> = { cn, en }

export function useDeliveriesText(): DeliveriesText {
  return texts[useLang()]
}
