import { formatMinute } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import type { Message } from './message-queries.ts'

/** The words between two instants that make a span of them, and the one before it that a span needs no more. */
const between = new Set([' to ', ' 至 '])
const beforeSpan = /from $/

/** A message's text, with its instants in the reader's time zone; two that belong together as a span. */
export function formatBody({ body, times }: Pick<Message, 'body' | 'times'>): string {
  let text = ''
  let from = 0
  for (let place = 0; place < times.length; place++) {
    const time = times[place] as (typeof times)[number]
    const next = times[place + 1]
    const isSpan = next !== undefined && between.has(body.slice(time.end, next.start))
    const words = body.slice(from, time.start)
    text += isSpan ? words.replace(beforeSpan, '') : words
    text += isSpan ? formatTimeSpan({ from: time.at, to: next.at }) : formatMinute(time.at)
    if (isSpan) place++
    from = isSpan ? next.end : time.end
  }
  return text + body.slice(from)
}
