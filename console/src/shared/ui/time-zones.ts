import type { Lang } from '@busbar/contract'

export interface TimeZone {
  /** By IANA, such as `Asia/Shanghai`. */
  readonly name: string
  /** Such as `UTC+8`. */
  readonly offset: string
  /** What people call it, in their language. */
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

/** Zones whose name, common name or offset contain every word looked for. */
export function findZones(zones: readonly TimeZone[], query: string): readonly TimeZone[] {
  const wanted = query
    .toLowerCase()
    .replaceAll('_', ' ')
    .replaceAll('-', '\u2212')
    .split(/\s+/)
    .filter(Boolean)
  if (wanted.length === 0) return zones
  return zones.filter(({ name, offset, words }) => {
    const text = `${name.replaceAll('_', ' ')} ${offset} ${words}`.toLowerCase().replaceAll('-', '\u2212')
    return wanted.every((word) => text.includes(word))
  })
}
