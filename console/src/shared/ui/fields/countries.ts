import { type AnswerOf, codes, type Lang } from '@busbar/contract'
import { call } from '../../api/client.ts'

export type Country = AnswerOf<typeof codes.listCountryCodes>[number]

let asked: Promise<readonly Country[]> | undefined

/** Every country with its dial code, 86 first; loaded once. */
export function listCountries(): Promise<readonly Country[]> {
  asked ??= call(codes.listCountryCodes, {}, { silent: true })
  asked.catch(() => {
    asked = undefined
  })
  return asked
}

export function countryName({ country, chineseName }: Country, lang: Lang): string {
  return lang === 'cn' ? chineseName : country
}

/** In the order a reader of the language looks for them, the first one kept in front. */
export function sortCountries([first, ...others]: readonly Country[], lang: Lang): readonly Country[] {
  const { compare } = new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en')
  const sorted = others.sort((a, b) => compare(countryName(a, lang), countryName(b, lang)))
  return first ? [first, ...sorted] : []
}

/**
 * Countries whose name, in either language, or code contains the typed text; a code that begins with it comes
 * first.
 */
export function findCountries(all: readonly Country[], typed: string, lang: Lang): readonly Country[] {
  const wanted = typed.trim().toLowerCase()
  if (!wanted) return all
  const digits = wanted.replace(/^(\+|00)/, '')
  const isCode = /^\d+$/.test(digits)
  const found = all.filter((country) =>
    isCode
      ? country.dialCode.startsWith(digits)
      : `${country.country} ${country.chineseName}`.toLowerCase().includes(wanted),
  )
  const begins = (country: Country) => countryName(country, lang).toLowerCase().startsWith(wanted)
  return [...found].sort((a, b) =>
    isCode ? a.dialCode.length - b.dialCode.length : Number(begins(b)) - Number(begins(a)),
  )
}
