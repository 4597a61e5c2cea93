import type { Lang } from '@busbar/contract'
import { getLang } from './language.ts'
import { getZone } from './zone.ts'

/** Joins a value and its unit so that a line never breaks between them. */
export const narrowSpace = '\u202f'
/** The mark for an empty value. */
export const emptyMark = '—'

const locales: Record<Lang, string> = { cn: 'zh-CN', en: 'en-GB' }

/** Created once for each language and zone. */
export function cached<T>(make: (locale: string, lang: Lang, timeZone: string) => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const lang = getLang()
    const zone = getZone()
    const key = `${lang} ${zone}`
    let formatter = made.get(key)
    if (formatter === undefined) {
      formatter = make(locales[lang], lang, zone)
      made.set(key, formatter)
    }
    return formatter
  }
}

function numberFormat(options: Intl.NumberFormatOptions): () => Intl.NumberFormat {
  return cached((locale) => new Intl.NumberFormat(locale, options))
}

const scaleMax = 10
const fixed = Array.from({ length: scaleMax + 1 }, (_, digits) =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
const integer = numberFormat({ maximumFractionDigits: 0 })
const significant = numberFormat({ maximumSignificantDigits: 6 })

/** A number with `scale` decimal places; null: at most six significant digits, as it comes. */
export function formatNumber(value: number, scale: number | null = null): string {
  if (!Number.isFinite(value)) return emptyMark
  if (scale !== null) {
    const format = fixed[Math.min(Math.max(Math.trunc(scale), 0), scaleMax)]
    if (format) return minus(format().format(value))
  }
  return minus((Number.isInteger(value) ? integer : significant)().format(value))
}

/** A share of 1 as a percentage with its sign joined. */
export function formatPercent(share: number, scale = 1): string {
  return `${formatNumber(share * 100, scale)}${narrowSpace}%`
}

/** `value` and `unit`, joined by a narrow no-break space. */
export function joinUnit(value: string, unit: string): string {
  return unit && value !== emptyMark ? `${value}${narrowSpace}${unit}` : value
}

/** Unread badges never grow wider than three characters. */
export function formatBadge(count: number): string {
  return count > 99 ? '99+' : String(count)
}

/** A true minus sign is as wide as a digit, so columns stay straight. */
function minus(text: string): string {
  return text.replace('-', '\u2212')
}
