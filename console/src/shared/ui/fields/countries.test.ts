import { describe, expect, it } from 'vitest'
import { type Country, findCountries, sortCountries } from './countries.ts'

const all: Country[] = [
  { country: 'China', chineseName: '中国', dialCode: '86' },
  { country: 'Indonesia', chineseName: '印度尼西亚', dialCode: '62' },
  { country: 'India', chineseName: '印度', dialCode: '91' },
  { country: 'Bangladesh', chineseName: '孟加拉国', dialCode: '880' },
  { country: 'Uzbekistan', chineseName: '乌兹别克斯坦', dialCode: '998' },
]
const find = (typed: string) => findCountries(all, typed, 'en').map(({ dialCode }) => dialCode)

describe('finding a country', () => {
  it('leaves the order as it came while nothing is typed', () => {
    expect(find(' ')).toEqual(['86', '62', '91', '880', '998'])
  })

  it('keeps China in front, and the others as a reader of the language looks for them', () => {
    const sort = (lang: 'cn' | 'en') => sortCountries(all, lang).map(({ dialCode }) => dialCode)
    expect(sort('en')).toEqual(['86', '880', '91', '62', '998'])
    // mèng, wū, yìndù, yìndùníxīyà
    expect(sort('cn')).toEqual(['86', '880', '998', '91', '62'])
  })

  it('finds either name, whichever language is spoken', () => {
    expect(find('印度')).toEqual(['62', '91'])
    expect(find('desh')).toEqual(['880'])
  })

  it('finds a code written as people write it, the exact one first', () => {
    expect(find('+8')).toEqual(['86', '880'])
    expect(find('00880')).toEqual(['880'])
    expect(find('91')).toEqual(['91'])
  })

  it('puts names that begin with it first', () => {
    expect(find('ind')).toEqual(['62', '91'])
    expect(find('an')).toEqual(['880', '998'])
  })
})
