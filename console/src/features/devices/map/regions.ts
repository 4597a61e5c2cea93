import { type Lang, metresBetween } from '@busbar/contract'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { MapCity } from '../../../entities/place/map-cities.ts'
import type { Place } from '../../../entities/place/map-point.ts'

/** Farther away than this, a city says nothing about where a machine is. */
const nearMetresMax = 300_000
const metresOfDegree = 111_195

/** The large city nearest to a place; undefined far from any of them. */
export type FindCity = (place: Place) => MapCity | undefined

/** Finds cities among those of about the same latitude, instead of measuring the way to a thousand. */
export function cityFinder(cities: readonly MapCity[]): FindCity {
  const rows = new Map<number, MapCity[]>()
  for (const city of cities) {
    const row = Math.round(city.lat)
    rows.set(row, [...(rows.get(row) ?? []), city])
  }
  const reach = Math.ceil(nearMetresMax / metresOfDegree)
  return (place) => {
    let nearest: MapCity | undefined
    let metresMin = nearMetresMax
    for (let row = Math.round(place.lat) - reach; row <= Math.round(place.lat) + reach; row++) {
      for (const city of rows.get(row) ?? []) {
        const metres = metresBetween(city, place)
        if (metres < metresMin) [nearest, metresMin] = [city, metres]
      }
    }
    return nearest
  }
}

/** Machines of one province of China, or of one country; `far` from any large city, or of `none` that is known. */
export interface Region {
  readonly kind: 'named' | 'far' | 'none'
  readonly name: string
  readonly machines: readonly Machine[]
}

/** The name of a city's region: a province of China, or a country. */
export function regionName({ region }: MapCity, lang: Lang): string {
  if (typeof region !== 'string') return region[lang]
  const names = new Intl.DisplayNames(lang === 'cn' ? 'zh-Hans' : 'en', { type: 'region' })
  return names.of(region) ?? region
}

const kinds: readonly Region['kind'][] = ['named', 'far', 'none']

/** The regions with the most machines first, and those without a name last. Machines keep their order. */
export function groupByRegion(
  rows: readonly Machine[],
  regionOf: (machine: Machine) => Pick<Region, 'kind' | 'name'>,
): Region[] {
  const groups = new Map<string, Region & { readonly machines: Machine[] }>()
  for (const machine of rows) {
    const { kind, name } = regionOf(machine)
    const group = groups.get(`${kind}${name}`) ?? { kind, name, machines: [] }
    groups.set(`${kind}${name}`, group)
    group.machines.push(machine)
  }
  return [...groups.values()].sort(
    (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.machines.length - a.machines.length,
  )
}
