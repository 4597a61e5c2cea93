import type { alarmLimits } from '@busbar/contract'
import { formatExact, formatMinute, formatNumber, useText } from '../../shared/i18n/index.ts'
import type { Alarm } from './alarm.ts'

/** By type the platform's: all limits of alarms would be a file more of every board. */
const countedMax: (typeof alarmLimits)['alarmRepeatsMax'] = 1_000

interface RepeatsProps {
  of: Pick<Alarm, 'repeats'>
  /** Shows the times as well; without it they are the tip. */
  isWhole?: boolean
}

/** How often an alarm was raised, with the last times; nothing if this was the first. */
export function Repeats({ of: { repeats }, isWhole = false }: RepeatsProps) {
  const t = useText().alarms.repeats
  if (!repeats) return null
  const { count, at } = repeats
  const times = t.times(formatNumber(count) + (count < countedMax ? '' : '+'))
  if (isWhole)
    return (
      <>
        <b>{times}</b>
        <span>{t.last(at.map(formatMinute))}</span>
      </>
    )
  const last = t.last(at.map(formatExact))
  return (
    <span data-tip={last}>
      <b>{times}</b>
      <span className="sr-only">{last}</span>
    </span>
  )
}
