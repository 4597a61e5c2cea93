import { type TagNames, textOf } from '../alarms/index.ts'
import type { Told } from './plan.ts'
import type { Recipient } from './recipients.ts'
import type { Sending } from './send-out.ts'

/** An alarm in the language of the person who reads of it, with their name of the machine. */
export const wordsOf = (
  { alarm, fact }: Told,
  { machineName, lang }: Recipient,
  tags: TagNames,
): Sending['words'] => {
  const unit = alarm.tag_id === null ? '' : (tags.get(alarm.tag_id)?.unit ?? '')
  const withUnit = (value: unknown) =>
    value === null || value === undefined ? '' : `${value} ${unit}`.trim()
  return {
    machine: machineName,
    level: fact.level,
    text: textOf(alarm, { lang }),
    at: alarm.raised_at,
    value: withUnit(alarm.value),
    limit: withUnit(alarm.limit_value),
  }
}
