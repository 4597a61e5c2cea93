import { beforeAll, describe, expect, test } from 'vitest'
import { Gazetteer } from './gazetteer.ts'

let gazetteer: Gazetteer
beforeAll(async () => {
  gazetteer = await Gazetteer.open()
})

const first = (text: string, lang: 'cn' | 'en') => gazetteer.search(text, lang)[0]

describe('a search', () => {
  test.each([
    ['深圳', 'cn', '广东省深圳市'],
    ['shenzhen', 'cn', '广东省深圳市'],
    ['深圳', 'en', 'Shenzhen, China'],
    ['上海', 'cn', '上海市'],
    ['Munich', 'en', 'Munich, Germany'],
    ['munich', 'cn', '德国 Munich'],
    ['são paulo', 'en', 'São Paulo, Brazil'],
    ['Sao Paulo', 'en', 'São Paulo, Brazil'],
    ['延边', 'cn', '吉林省延边朝鲜族自治州'],
    ['香港', 'en', 'Hong Kong, Hong Kong SAR China'],
  ] as const)('for %s in %s finds %s first', (text, lang, address) => {
    expect(first(text, lang)?.address).toBe(address)
  })

  test('names a city before others that have its name within theirs, and the larger one first', () => {
    const names = gazetteer.search('york', 'en').map(({ address }) => address)
    expect(names[0]).toBe('York, United Kingdom')
    expect(names).toContain('New York City, United States')
    expect(gazetteer.search('a', 'en')).toHaveLength(40)
  })

  test.each(['', '   ', 'qqqqqq', '.*', '\0'])('for %j finds nothing', (text) => {
    expect(gazetteer.search(text, 'en')).toEqual([])
  })
})

describe('the name of a place', () => {
  test.each([
    [{ lat: 22.5431, lng: 114.0579 }, '广东省深圳市', 'Shenzhen, China'],
    [{ lat: 48.137, lng: 11.575 }, '德国 Munich', 'Munich, Germany'],
    [{ lat: 39.47, lng: 75.99 }, '新疆维吾尔自治区喀什地区', 'Kashgar, China'],
    [{ lat: 22.28, lng: 114.16 }, '香港特别行政区', 'Hong Kong, Hong Kong SAR China'],
  ])('%j is that of its city in both languages', (point, cn, en) => {
    expect([gazetteer.nameOf(point, 'cn'), gazetteer.nameOf(point, 'en')]).toEqual([cn, en])
  })

  test('is missing far out at sea, and near the date line the nearest city may lie beyond it', () => {
    expect(gazetteer.nameOf({ lat: 0, lng: -140 }, 'en')).toBeUndefined()
    expect(gazetteer.nameOf({ lat: -16.78, lng: -179.99 }, 'en')).toMatch(/Fiji$/)
  })
})
