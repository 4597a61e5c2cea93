import { propertyKey, propertyValue, type SparkplugMetric } from '@busbar/link'
import type { ReadBack } from '../../../kernel/bus/bus.ts'
import { cleanText } from '../../../kernel/storable-text.ts'
import { judgeTime, judgeValue } from '../../../modules/telemetry/index.ts'
import { instantOf } from './read-time.ts'
import type { KnownMetric } from './sparkplug-metric.ts'

const errorCharactersMax = 200
/** Ids of visits are below 2^53. */
const visitIdPattern = /^[1-9][0-9]{0,14}$/

/**
 * The value that a machine read back after a write; undefined for any other metric. A late one only matters to the log
 * of writes at the machine: nobody waits for it any more.
 */
export function readBackOf(
  known: KnownMetric | undefined,
  metric: SparkplugMetric,
  value: ReadBack['value'],
  now: number,
): ReadBack | undefined {
  const { properties } = metric
  if (known?.kind !== 'tag' || propertyValue(properties?.[propertyKey.readBack]) !== true) return undefined
  const isLate = metric.isHistorical === true
  const visit = propertyValue(properties?.[propertyKey.visit])
  const isPage = typeof visit === 'string'
  if (isLate && !isPage) return undefined
  const { type } = known
  const typed = (raw: ReadBack['value']) => (type === undefined ? null : judgeValue(type, raw))
  const error = propertyValue(properties?.[propertyKey.writeError])
  const wished = typed(propertyValue(properties?.[propertyKey.writtenTo]))
  return {
    group: known.group,
    tag: known.name,
    value: typed(value),
    at: judgeTime(metric.timestamp === undefined ? undefined : instantOf(metric.timestamp), isLate, now).at,
    error: typeof error === 'string' ? cleanText(error).slice(0, errorCharactersMax) : '',
    wished,
    page: isPage
      ? {
          visitId: visitIdPattern.test(visit) ? Number(visit) : undefined,
          late: isLate,
          from: typed(propertyValue(properties?.[propertyKey.writtenFrom])),
        }
      : undefined,
  }
}
