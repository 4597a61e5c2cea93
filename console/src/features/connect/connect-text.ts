import type { Lang } from '@busbar/contract'
import { connect as cn } from '../../shared/i18n/cn/connect.ts'
import { connect as en } from '../../shared/i18n/en/connect.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type ConnectText = typeof cn

/** Both languages come with the page: no other page waits for its words. */
const texts: Readonly<Record<Lang, ConnectText>> = { cn, en }

export function useConnectText(): ConnectText {
  return texts[useLang()]
}
