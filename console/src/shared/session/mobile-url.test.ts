import { terminalTypes } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { fromMobileUrl, isMobileBrowser, isTvBox, terminalTypeOfBrowser, toMobileUrl } from './mobile-url.ts'

const origin = 'https://console.example'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15'
const box = 'Mozilla/5.0 (Linux; Android 14; TVBox X3) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'

describe('the address of the narrow layout', () => {
  it.each(['/index/?listType=list&machine=5', '/login?to=%2Findex%2F', '/safety'])(
    'leads to %s and back',
    (path) => {
      const url = toMobileUrl(new URL(path, origin))
      expect(url.pathname).toBe('/mobile')
      expect(fromMobileUrl(url).href).toBe(new URL(path, origin).href)
    },
  )

  it('shows the language outside, where every route has it', () => {
    const url = toMobileUrl(new URL('/index/?machine=5&lang=en', origin))
    expect(url.searchParams.get('lang')).toBe('en')
    expect(url.searchParams.get('to')).toBe('/index/?machine=5')
    expect(fromMobileUrl(url).search).toBe('?machine=5&lang=en')
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ])('does not lead to %s', (to) => {
    const url = new URL(`/mobile?to=${encodeURIComponent(to)}`, origin)
    expect(fromMobileUrl(url).href).toBe(`${origin}/`)
  })

  it('leaves SCADA registration and pages behind QR codes alone', () => {
    for (const path of ['/scadaRegister', '/topup/abc', '/qr/abc'])
      expect(toMobileUrl(new URL(path, origin)).pathname).toBe(path)
  })

  it('knows phones, tablets and TV boxes', () => {
    expect(isMobileBrowser({ userAgent: iPhone, maxTouchPoints: 5 })).toBe(true)
    expect(isMobileBrowser({ userAgent: mac, maxTouchPoints: 0 })).toBe(false)
    expect(isMobileBrowser({ userAgent: mac, maxTouchPoints: 5 })).toBe(true)
    expect(isTvBox({ userAgent: box, maxTouchPoints: 0 }, '')).toBe(true)
    expect(isTvBox({ userAgent: iPhone, maxTouchPoints: 5 }, '?client=tv')).toBe(true)
    expect(isTvBox({ userAgent: iPhone, maxTouchPoints: 5 }, '')).toBe(false)
    expect(terminalTypeOfBrowser({ userAgent: iPhone, maxTouchPoints: 5 }, '?client=tv')).toBe(
      terminalTypes.tv,
    )
    expect(terminalTypeOfBrowser({ userAgent: iPhone, maxTouchPoints: 5 }, '')).toBe(terminalTypes.app)
  })
})
