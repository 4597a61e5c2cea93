import type { Lang, operator } from '@busbar/contract'
import { tileSourcesText as cn } from '../../shared/i18n/cn/tile-sources.ts'
import { tileSourcesText as en } from '../../shared/i18n/en/tile-sources.ts'
import { useLang } from '../../shared/i18n/index.ts'

type TileSourcesText = typeof cn

const texts: Readonly<Record<Lang, TileSourcesText>> = { cn, en }

export const useTileSourcesText = (): TileSourcesText => texts[useLang()]

/** Why a tile last could not be had; undefined where that never happened. */
export function faultText(
  { fault, status }: Pick<operator.TileSourceRow, 'fault' | 'status'>,
  t: TileSourcesText,
): string | undefined {
  if (fault === null) return undefined
  return status === null ? t.faults[fault] : t.status(t.faults[fault], status)
}
