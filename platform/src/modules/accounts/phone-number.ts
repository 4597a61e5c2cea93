import { phoneLibrary } from './phone-library.ts'

/** A phone as it is kept: digits of its country, without the prefix one dials inside that country. */
export interface PhoneNumber {
  readonly phone: string
  readonly countryCode: string
}

const mainland = '86'
const mainlandMobile = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/
let callingCodes: ReadonlySet<string> | undefined

/**
 * Reads a phone as it was typed: a mainland mobile with or without 86, +86 or 0086, elsewhere a number in the format of
 * that country. With + or 00 it names its country itself. Undefined if it is not a number.
 */
export function parsePhoneNumber(typed: string, countryCode: string): PhoneNumber | undefined {
  const text = typed.replace(/[\s()-]/g, '').replace(/^00/, '+')
  if (!/^\+?\d{6,18}$/.test(text)) return undefined
  if (countryCode === mainland || text.startsWith(`+${mainland}`)) {
    const phone = mainlandMobile.exec(text)?.[1]
    if (phone) return { phone, countryCode: mainland }
    if (!text.startsWith('+') || text.startsWith(`+${mainland}`)) return undefined
  }
  if (!text.startsWith('+') && !listCallingCodes().has(countryCode)) return undefined
  const number = phoneLibrary().parsePhoneNumberFromString(text, { defaultCallingCode: countryCode })
  if (!number?.isValid()) return undefined
  return { phone: number.nationalNumber, countryCode: number.countryCallingCode }
}

function listCallingCodes(): ReadonlySet<string> {
  const { getCountries, getCountryCallingCode } = phoneLibrary()
  callingCodes ??= new Set(getCountries().map((country) => getCountryCallingCode(country)))
  return callingCodes
}
