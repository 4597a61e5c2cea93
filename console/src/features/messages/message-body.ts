import { formatMinute } from '../../shared/i18n/index.ts'
import type { Message } from './message-queries.ts'

/** A message's text, with its instants in the reader's time zone. */
export function formatBody({ body, times }: Pick<Message, 'body' | 'times'>): string {
  let text = ''
  let from = 0
  for (const { start, end, at } of times) {
    text += body.slice(from, start) + formatMinute(at)
    from = end
  }
  return text + body.slice(from)
}
