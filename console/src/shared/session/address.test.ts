import { expect, it } from 'vitest'
import { keepParameters } from './address.ts'

const tv = new URL('https://console.example/login?client=tv&lang=en&to=%2Findex%2F')

it('knows a TV box and the language of its address after the sign-in', () => {
  expect(keepParameters('/index/?machine=5', tv)).toBe('/index/?machine=5&lang=en&client=tv')
  expect(keepParameters('/index/?lang=cn', tv)).toBe('/index/?lang=cn&client=tv')
  expect(keepParameters('//evil.example', tv)).toBe('/?lang=en&client=tv')
})
