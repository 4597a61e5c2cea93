import { expect, it } from 'vitest'
import { homeAddress } from './home-address.ts'

it('leads to the space used last, not always to the personal one', () => {
  expect(homeAddress({})).toBe('/index/')
  expect(homeAddress({ eid: 0, deviceType: 0 })).toBe('/index/')
  expect(homeAddress({ eid: 7, deviceType: 1 })).toBe('/device/?type=1&eid=7')
  expect(homeAddress({ eid: 7, deviceType: 2 })).toBe('/device/?type=2&eid=7')
})
