import type { Lang } from '@busbar/contract'
import { dateFormat } from './kernel/date-format.ts'

/** The reader of a text that is sent without a request. */
export interface Reader {
  readonly lang: Lang
  /** By IANA. */
  readonly timeZone: string
}

const zones: Readonly<Record<Lang, string>> = { cn: 'Asia/Shanghai', en: 'UTC' }

/**
 * The language and the time zone of an account; a zone that was never set is the usual one of the language
 * (rules/accounts.md: language and time zone).
 */
export function readerOf(user: { readonly lang: string; readonly time_zone: string | null }): Reader {
  const lang: Lang = user.lang === 'en' ? 'en' : 'cn'
  return { lang, timeZone: user.time_zone ?? zones[lang] }
}

/** A time as the reader's clocks show it, with their zone by name and offset: mail is read anywhere. */
export function formatTime(at: Date, { lang, timeZone }: Reader): string {
  const locale = lang === 'cn' ? 'zh-CN' : 'en-GB'
  const time = dateFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone,
  }).format(at)
  const offset = offsetOf(at, timeZone)
  return lang === 'cn' ? `${time}（${timeZone}，${offset}）` : `${time} (${timeZone}, ${offset})`
}

function offsetOf(at: Date, timeZone: string): string {
  const parts = dateFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT').replace('GMT', 'UTC')
}
