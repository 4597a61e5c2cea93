import { useEffect, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { readCities } from '../../../entities/place/map-cities.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import { placeOf } from './map-points.ts'
import { cityFinder, type FindCity, groupByRegion, type Region, regionName } from './regions.ts'

/** Machines whose region is looked up before the page may draw again. */
const slice = 400

const unknown = { kind: 'none', name: '' } as const

/** The machines by the region of the nearest large city; undefined until the cities are known. */
export function useRegions(rows: readonly Machine[]): readonly Region[] | undefined {
  const lang = useLang()
  const [findCity, setFindCity] = useState<FindCity>()
  const [regions, setRegions] = useState<readonly Region[]>()
  useEffect(() => {
    let isGone = false
    const learn = (find: FindCity) => {
      if (!isGone) setFindCity(() => find)
    }
    // Without the cities the places have no names.
    void readCities().then(
      (cities) => learn(cityFinder(cities)),
      () => learn(() => undefined),
    )
    return () => {
      isGone = true
    }
  }, [])
  useEffect(() => {
    if (!findCity) return
    const found = new Map<number, Pick<Region, 'kind' | 'name'>>()
    let next = 0
    let timer: ReturnType<typeof setTimeout>
    const step = () => {
      for (const machine of rows.slice(next, next + slice)) {
        const place = placeOf(machine)
        const city = place && findCity(place)
        const kind = city ? 'named' : place ? 'far' : 'none'
        found.set(machine.id, { kind, name: city ? regionName(city, lang) : '' })
      }
      next += slice
      if (next < rows.length) timer = setTimeout(step)
      else setRegions(groupByRegion(rows, ({ id }) => found.get(id) ?? unknown))
    }
    timer = setTimeout(step)
    return () => clearTimeout(timer)
  }, [rows, findCity, lang])
  return regions
}
