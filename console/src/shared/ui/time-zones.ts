import type { Lang } from '@busbar/contract'

export interface TimeZone {
  /** By IANA, such as `Asia/Shanghai`. */
  readonly name: string
  /** Such as `UTC+8`. */
  readonly offset: string
  /** Its common name, in the person's language. */
  readonly words: string
}

const locales: Record<Lang, string> = { cn: 'zh-CN', en: 'en-GB' }

/** Every zone this browser knows, the chosen one first, then the browser's own, Shanghai and UTC, then by name. */
export function listZones(at: number, lang: Lang, chosen: string, own: string): TimeZone[] {
  const names = new Set([chosen, own, 'Asia/Shanghai', 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...names].map((name) => ({
    name,
    offset: partOf(name, at, 'en-GB', 'shortOffset').replace('GMT', 'UTC').replace('-', '\u2212'),
    words: partOf(name, at, locales[lang], 'longGeneric'),
  }))
}

function partOf(
  timeZone: string,
  at: number,
  locale: string,
  timeZoneName: 'shortOffset' | 'longGeneric',
): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
