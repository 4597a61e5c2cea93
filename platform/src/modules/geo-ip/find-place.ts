import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type { Lang } from '@busbar/contract'
import { countryCodeOf, provinceNames } from './place-names.ts'

type Library = typeof import('ip2region')

/** Loaded on first use: 11 MB, and 7 MB of names, that a platform without users does not need. */
let regions: InstanceType<Library['default']> | undefined
let englishNames: Intl.DisplayNames | undefined

/** A region as the table names it, in Chinese; province and city are empty where it does not know them. */
interface Region {
  /** Two letters of ISO 3166-1. */
  readonly country: string
  readonly countryName: string
  readonly province: string
  readonly city: string
}

/** Undefined for private addresses and unknown ones. */
export function findRegion(address: string): Region | undefined {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIP(bare) === 0) return
  regions ??= openRegions()
  const found = regions.search(bare)
  const countryName = found?.country ?? ''
  const country = countryCodeOf(countryName)
  // For a private or reserved address the table has another word in place of the country.
  return found && country ? { country, countryName, province: found.province, city: found.city } : undefined
}

/**
 * The place of an address, such as `广东省深圳市` or `Guangdong, China`: a guess from a table that ships with the
 * platform. Empty for private addresses and unknown ones.
 */
export function findPlace(address: string, lang: Lang): string {
  const region = findRegion(address)
  if (!region) return ''
  const { country, countryName, province, city } = region
  if (lang === 'en') return joinEnglish(province, country)
  return country === 'CN' ? joinChinese(province, city) : countryName
}

function openRegions(): InstanceType<Library['default']> {
  const { default: Regions } = createRequire(import.meta.url)('ip2region') as Library
  return new Regions()
}

/** A municipality is its own province: `上海市`, not `上海上海市`. */
function joinChinese(province: string, city: string): string {
  if (!province) return '中国'
  if (/^(?:香港|澳门|台湾)/.test(province)) return `中国${province}`
  return city.startsWith(province) ? city : province + city
}

function joinEnglish(province: string, code: string): string {
  englishNames ??= new Intl.DisplayNames('en', { type: 'region' })
  const country = englishNames.of(code) ?? code
  const name = provinceNames[province.replace(/(?:省|市|维吾尔|壮族|回族|自治区|特别行政区)/g, '')]
  return name && name !== country ? `${name}, ${country}` : country
}
