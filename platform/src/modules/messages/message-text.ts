import type { messages as contract, Lang } from '@busbar/contract'
import type { MessageKind } from './message-kinds.ts'
import { cn } from './message-text-cn.ts'
import { en } from './message-text-en.ts'
import type { MessageTexts, TextFacts } from './message-texts.ts'
import { placeTimes } from './message-times.ts'

const texts: Readonly<Record<Lang, MessageTexts>> = { cn, en }

/** A message's title and body, with the instants in it. */
export function formatMessage(
  kind: MessageKind,
  facts: TextFacts,
  lang: Lang,
): Pick<contract.Message, 'title' | 'body' | 'times'> {
  const { title, body } = texts[lang][kind](facts)
  return { title, ...placeTimes(body) }
}
