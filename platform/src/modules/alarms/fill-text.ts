import type { Lang, telemetry } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'

/** What a rule's text may name in braces. */
export interface TextValues {
  readonly value: telemetry.TagValue | undefined
  readonly limit: telemetry.TagValue | undefined
  readonly unit: string
  readonly tag: string
  readonly machine: string
}

/** A rule's text for a reader: `{value}`, `{limit}`, `{unit}`, `{tag}` and `{machine}` are filled in; other braces stay. */
export function fillText(texts: unknown, lang: Lang, values: TextValues): string {
  const wordOf = (value: telemetry.TagValue | undefined) =>
    value === null || value === undefined ? '–' : String(value)
  const words: Readonly<Record<string, string>> = {
    value: wordOf(values.value),
    limit: wordOf(values.limit),
    unit: values.unit,
    tag: values.tag,
    machine: values.machine,
  }
  return chooseText(texts, lang).replace(
    /\{(value|limit|unit|tag|machine)\}/g,
    (_, name: string) => words[name] ?? '',
  )
}
