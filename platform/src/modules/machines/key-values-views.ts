import type { machines as contract, Lang, telemetry } from '@busbar/contract'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { chooseText } from '../../kernel/choose-text.ts'
import { presentValue, qualityOf, trustedQuality } from '../telemetry/index.ts'
import type { KeyValueRow } from './key-values-store.ts'

type KeyTag = NonNullable<NonNullable<contract.MachineItem['overview']>['keyTag']>

/**
 * The key value of a machine as a list shows it. `newest` is the value of the machine's holder, with its present
 * quality; without one, or if the row is newer, the row is used, and is stale while the machine is away.
 */
export function presentKeyValue(
  row: KeyValueRow,
  lang: Lang,
  online: boolean,
  newest: TagValueEvent | undefined,
): KeyTag {
  const isHeld = newest !== undefined && newest.time >= (row.at?.getTime() ?? 0)
  const told = {
    tagId: row.tag_id,
    name: chooseText(row.label, lang) || row.name,
    value: decodeValue(row),
    unit: row.unit,
    scale: row.scale,
    quality: trustedQuality(qualityOf(row.quality ?? 0), !online || row.quality === null),
    time: row.at?.getTime() ?? null,
  }
  if (!isHeld) return told
  const { value, quality, time } = newest
  return { ...told, value: presentValue(value), quality, time }
}

function decodeValue(row: KeyValueRow): telemetry.TagValue {
  if (row.type === 'bool') return row.int === null ? null : row.int !== '0'
  if (row.type === 'string') return row.text
  if (row.type === 'float64') return row.num
  if (row.int === null) return null
  const number = Number(row.int)
  return Number.isSafeInteger(number) ? number : row.int
}
