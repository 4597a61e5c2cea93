import { expect, test } from 'vitest'
import { browserFamilies, browserFamilyOf } from './browser-family.ts'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

test.each([
  [chrome, 'Chrome'],
  [`${chrome} Edg/142.0.0.0`, 'Edge'],
  [`${chrome} MicroMessenger/8.0.50`, 'WeChat'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari',
  ],
  ['curl/8.9.1', 'curl'],
  ['node', 'Node.js'],
  ['Your account was signed in by the support team, call 555', 'other'],
  [undefined, 'other'],
])('%s is one of a closed list', (userAgent, family) => {
  expect(browserFamilyOf(userAgent)).toBe(family)
  expect(browserFamilies).toContain(family)
})
