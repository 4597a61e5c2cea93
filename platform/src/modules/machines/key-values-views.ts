import type { machines as contract, Lang, telemetry } from '@busbar/contract'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { chooseText } from '../../kernel/choose-text.ts'
import { presentValue } from '../telemetry/index.ts'
import type { KeyValueRow } from './key-values-store.ts'

type KeyTag = NonNullable<NonNullable<contract.MachineItem['overview']>['keyTag']>

/** Sparkplug's quality numbers, as samples keep them. */
const goodQuality = 192
const uncertainQuality = 64

/**
 * The key value of a machine as a list shows it; stale while the machine is away. `newest` is the value
 * in memory, which may be newer than the row.
 */
export function presentKeyValue(
  row: KeyValueRow,
  lang: Lang,
  online: boolean,
  newest: TagValueEvent | undefined,
): KeyTag {
  const isBehind = newest !== undefined && newest.time > (row.at?.getTime() ?? 0)
  const told = {
    tagId: row.tag_id,
    name: chooseText(row.label, lang) || row.name,
    value: decodeValue(row),
    unit: row.unit,
    scale: row.scale,
    quality: qualityOf(row, online),
    time: row.at?.getTime() ?? null,
  }
  if (!isBehind) return told
  const { value, quality, time } = newest
  return { ...told, value: presentValue(value), quality: online ? quality : 'stale', time }
}

function qualityOf(row: KeyValueRow, online: boolean): telemetry.Quality {
  if (!online || row.quality === null) return 'stale'
  if (row.quality === goodQuality) return 'good'
  return row.quality === uncertainQuality ? 'uncertain' : 'bad'
}

function decodeValue(row: KeyValueRow): telemetry.TagValue {
  if (row.type === 'bool') return row.int === null ? null : row.int !== '0'
  if (row.type === 'string') return row.text
  if (row.type === 'float64') return row.num
  if (row.int === null) return null
  const number = Number(row.int)
  return Number.isSafeInteger(number) ? number : row.int
}
