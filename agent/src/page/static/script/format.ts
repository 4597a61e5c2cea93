import type { TagView, WireValue } from '../../page-api.ts'
import { language, nameIn, texts } from './texts.ts'

const locales = { cn: 'zh-CN', en: 'en-GB' }

/** Between a number and its unit: narrow, and never a line's end. */
const join = '\u202f'

export function tagName(tag: TagView): string {
  return nameIn(tag.displayName, tag.name)
}

/** A value as people read it, without its unit. */
export function formatValue(tag: TagView, value: WireValue): string {
  const t = texts()
  if (value === null) return '—'
  if (typeof value === 'boolean') return value ? t.on : t.off
  if (tag.kind === 'text') return value === '' ? '—' : String(value)
  // A whole number beyond 2^53 arrives as digits.
  if (typeof value === 'string') return new Intl.NumberFormat(locales[language()]).format(BigInt(value))
  return formatNumber(tag, value)
}

const formats = new Map<string, Intl.NumberFormat>()

export function formatNumber({ scale }: Pick<TagView, 'scale'>, value: number): string {
  const key = `${language()} ${scale}`
  let format = formats.get(key)
  if (format === undefined) {
    const digits =
      scale === null
        ? { maximumSignificantDigits: 7 }
        : { minimumFractionDigits: scale, maximumFractionDigits: scale }
    format = new Intl.NumberFormat(locales[language()], digits)
    formats.set(key, format)
  }
  return format.format(value)
}

/** Value and unit. */
export function formatWithUnit(tag: TagView, value: WireValue): string {
  const text = formatValue(tag, value)
  return value === null || tag.unit === '' ? text : `${text}${join}${tag.unit}`
}

/** The range of a set-point in words; empty without a limit. */
export function formatRange(tag: TagView): string {
  const t = texts()
  if (tag.kind !== 'number') return ''
  // Limits are mostly round: 0 to 300, not 0.0 to 300.0.
  const min = tag.min === null ? '' : formatNumber({ scale: null }, tag.min)
  const max = tag.max === null ? '' : formatNumber({ scale: null }, tag.max)
  const unit = tag.unit === '' ? '' : `${join}${tag.unit}`
  if (min !== '' && max !== '') return t.range(min, max) + unit
  if (min !== '') return t.atLeast(min) + unit
  return max === '' ? '' : t.atMost(max) + unit
}

const dayMs = 86_400_000

/** A time of today as 14:02:11, an older one with its day. */
export function formatTime(at: number, now: number, seconds = true): string {
  const options: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hour12: false }
  if (seconds) options.second = '2-digit'
  if (now - at > dayMs || new Date(at).getDate() !== new Date(now).getDate()) {
    options.month = '2-digit'
    options.day = '2-digit'
  }
  return new Intl.DateTimeFormat(locales[language()], options).format(at)
}

/** A duration in its largest unit. */
export function formatDuration(ms: number): string {
  const t = texts()
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return t.seconds(seconds)
  if (seconds < 3_600) return t.minutes(Math.floor(seconds / 60))
  if (seconds < 86_400) return t.hours(Math.floor(seconds / 3_600))
  return t.days(Math.floor(seconds / 86_400))
}
