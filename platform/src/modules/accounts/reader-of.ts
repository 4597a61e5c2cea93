import type { Lang } from '@busbar/contract'

/** How somebody is written to who asks for nothing at that moment: by e-mail, SMS or in a report. */
export interface Reader {
  readonly lang: Lang
  /** IANA name. */
  readonly timeZone: string
}

/** Where a person has no zone, most readers of their language live in this one; texts name it with the time. */
const zones: Readonly<Record<Lang, string>> = { cn: 'Asia/Shanghai', en: 'UTC' }

/** A person's language and time zone. Whatever is sent without a request asks here. */
export function readerOf(user: { readonly lang: string; readonly time_zone?: string | null }): Reader {
  const lang = user.lang === 'en' ? 'en' : 'cn'
  return { lang, timeZone: user.time_zone || zones[lang] }
}
