import { describe, expect, it } from 'vitest'
import { loginSearch } from '../../main/search.ts'
import { fromMobileUrl } from './mobile-url.ts'
import { parseOwnPath } from './own-path.ts'

const refused = [
  'https://evil.example/',
  'http://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'HTTPS://evil.example',
  '\thttp://evil.example',
  ' https://evil.example',
  '\u0000https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/x/..//evil.example',
  '/x/../\\evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  '//person:secret@evil.example',
  '/\uff0fevil.example',
  '/\uff3cevil.example',
  '/\u202e//evil.example',
  'evil.example',
  '',
  `/${'x'.repeat(4000)}`,
]

describe('the target of the sign-in', () => {
  it.each(refused)('is not %j', (to) => {
    expect(parseOwnPath(to)).toBeUndefined()
    // The key is present: if it were left out, the router would restore the address's value.
    expect(Object.entries(loginSearch({ to }))).toEqual([['to', undefined]])
    const url = new URL(`http://console.example/mobile?${new URLSearchParams({ to })}`)
    expect(fromMobileUrl(url).href).toBe('http://console.example/')
  })

  it.each([undefined, null, 5, ['/index/'], { to: '/index/' }])('is never %j', (to) => {
    expect(parseOwnPath(to)).toBeUndefined()
  })

  it.each([
    '/',
    '/index/?listType=list&machine=5',
    '/visit/authorize?host=123-page.visit.example&state=abc',
    '/index/?q=https://evil.example',
    '/index/#//evil.example',
    '/@evil.example',
    '/javascript:alert(1)',
  ])('is %j', (to) => {
    expect(parseOwnPath(to)).toBe(to)
    expect(loginSearch({ to })).toEqual({ to })
  })

  it('is the path as a browser opens it', () => {
    expect(parseOwnPath('/x/../index/?q=泵')).toBe('/index/?q=%E6%B3%B5')
  })
})
