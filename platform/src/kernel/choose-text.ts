import type { Lang } from '@busbar/contract'

/** A text the machine gave in one or several languages. */
export function chooseText(texts: unknown, lang: Lang): string {
  if (typeof texts !== 'object' || texts === null) return ''
  const record = texts as Record<string, unknown>
  const text = record[lang] ?? record[''] ?? record.en ?? record.cn
  return typeof text === 'string' ? text : ''
}
