import { type Lang, metresBetween, placeLimits } from '@busbar/contract'
import type { Point } from '../coordinates.ts'
import { readChineseCities } from './chinese-cities.ts'
import { type City, plainName } from './city.ts'
import { readWorldCities } from './world-cities.ts'

/** A place that has a name, WGS-84. */
export interface NamedPlace extends Point {
  readonly name: string
  readonly address: string
}

/** Farther away than this, the nearest city says nothing about a place. */
const namedMetresMax = 100_000
/** A city’s centre in one table is at most this far from its centre in the other. */
const sameCityMetresMax = 40_000
const cityMetresMin = 10_000
const metresOfDegree = 111_195
const chineseCountries: ReadonlySet<string> = new Set(['CN', 'HK', 'MO', 'TW'])

/**
 * The cities that ship with the platform: China’s by their Chinese names, and the world’s over 15,000 people by their
 * English ones.
 */
export class Gazetteer {
  readonly #chinese: readonly City[]
  readonly #world: readonly City[]
  /** All of them, so that a search sorts nothing. */
  readonly #byPopulation: readonly City[]
  readonly #countries = {
    cn: new Intl.DisplayNames('zh-Hans', { type: 'region' }),
    en: new Intl.DisplayNames('en', { type: 'region' }),
  }

  /** Reads the tables, which takes a tenth of a second, cut into slices. */
  static async open(): Promise<Gazetteer> {
    return new Gazetteer(await readChineseCities(), await readWorldCities())
  }

  private constructor(chinese: readonly City[], world: readonly City[]) {
    this.#chinese = chinese
    this.#world = world
    this.#byPopulation = [...chinese, ...world].sort((a, b) => b.population - a.population)
  }

  /** Cities whose names contain the text, the likeliest first: the same name, then its beginning, then the larger city. */
  search(text: string, lang: Lang): NamedPlace[] {
    const wanted = plainName(text)
    if (wanted === '') return []
    const [same, beginning, containing]: [City[], City[], City[]] = [[], [], []]
    for (const city of this.#byPopulation) {
      if (city.plain === wanted) same.push(city)
      else if (city.plain.startsWith(wanted)) beginning.push(city)
      else if (city.plain.includes(wanted)) containing.push(city)
    }
    return [...same, ...beginning, ...containing]
      .slice(0, placeLimits.foundMax)
      .map((city) => this.#describe(city, lang))
  }

  /** The address of the nearest city; undefined where none is within 100 km. */
  nameOf(point: Point, lang: Lang): string | undefined {
    const city = nearestOf(this.#world, point, namedMetresMax)
    return city && this.#describe(city, lang).address
  }

  /** A city of China by the beginnings of its names, and the way to the next one: no table has their outlines. */
  findChineseCity(province: string, city: string): (Point & { readonly radiusM: number }) | undefined {
    const found = this.#chinese.find(
      ({ province: ofCity, name }) =>
        name.startsWith(city || province) && (ofCity === '' || ofCity?.startsWith(province)),
    )
    if (!found) return
    const { lat, lng } = found
    const others = this.#chinese.filter((other) => other !== found)
    const radiusM = Math.min(...others.map((other) => metresBetween(found, other)))
    return { lat, lng, radiusM: Math.max(radiusM, cityMetresMin) }
  }

  #describe(city: City, lang: Lang): NamedPlace {
    const { lat, lng, country, name, province } = this.#inLanguage(city, lang)
    const land = this.#countries[lang].of(country) ?? country
    const address =
      lang === 'en' ? `${name}, ${land}` : province === undefined ? `${land} ${name}` : `${province}${name}`
    return { name, address, lat, lng }
  }

  /** The same city in the table of the language; itself where that table does not have it. */
  #inLanguage(city: City, lang: Lang): City {
    if (!chineseCountries.has(city.country)) return city
    const isChinese = city.province !== undefined
    if (isChinese === (lang === 'cn')) return city
    const others = (isChinese ? this.#world : this.#chinese).filter(({ country }) => country === city.country)
    return nearestOf(others, city, sameCityMetresMax, isChinese) ?? city
  }
}

/** The nearest city within a radius, or the largest there. */
function nearestOf(
  cities: readonly City[],
  point: Point,
  metresMax: number,
  wantsLargest = false,
): City | undefined {
  const degrees = metresMax / metresOfDegree
  let best: { readonly city: City; readonly cost: number } | undefined
  for (const city of cities) {
    if (Math.abs(city.lat - point.lat) > degrees) continue
    const metres = metresBetween(city, point)
    if (metres > metresMax) continue
    const cost = wantsLargest ? -city.population : metres
    if (!best || cost < best.cost) best = { city, cost }
  }
  return best?.city
}
