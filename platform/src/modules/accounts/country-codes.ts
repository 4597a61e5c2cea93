import type { AnswerOf, codes as contract } from '@busbar/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import { phoneLibrary } from './phone-library.ts'

type Entry = AnswerOf<typeof contract.listCountryCodes>[number]

/** Names as a product sold in China writes them; the others are the language's own. */
const ownNames: Partial<Record<CountryCode, readonly [english: string, chinese: string]>> = {
  CN: ['China', '中国'],
  HK: ['Hong Kong, China', '中国香港'],
  MO: ['Macao, China', '中国澳门'],
  TW: ['Taiwan, China', '中国台湾'],
}

let known: readonly Entry[] | undefined

/**
 * Every country and region with its dial code: 86 first, the others by their English names. Created on first use: names
 * of countries take 8 MB that an idle platform does not need.
 */
export function listCountryCodes(): readonly Entry[] {
  known ??= readCountryCodes()
  return known
}

function readCountryCodes(): Entry[] {
  const { getCountries, getCountryCallingCode } = phoneLibrary()
  const english = new Intl.DisplayNames('en', { type: 'region' })
  const chinese = new Intl.DisplayNames('zh-Hans', { type: 'region' })
  return getCountries()
    .map((country) => ({
      country: ownNames[country]?.[0] ?? english.of(country) ?? country,
      chineseName: ownNames[country]?.[1] ?? chinese.of(country) ?? country,
      dialCode: getCountryCallingCode(country),
    }))
    .sort((left, right) => order(left) - order(right) || left.country.localeCompare(right.country, 'en'))
}

function order(entry: Entry): number {
  return entry.dialCode === '86' ? 0 : 1
}
