import { afterEach, describe, expect, test } from 'vitest'
import * as zone from './zone.ts'

const at = (text: string) => Date.parse(text)

describe('the zone of the screen', () => {
  afterEach(() => zone.setZone(undefined))

  test('is the account’s; the browser’s if the account has none, or one unknown to the browser', () => {
    zone.setZone('Asia/Kathmandu')
    expect(zone.getZone()).toBe('Asia/Kathmandu')
    expect(zone.describeOffset(at('2026-11-22T00:00Z'))).toBe('UTC+5:45')
    for (const wished of [null, undefined, '', 'Mars/Olympus']) {
      zone.setZone(wished)
      expect(zone.getZone()).toBe(zone.browserZone)
    }
  })

  test('is that of fields too: they are read as they are written', () => {
    zone.setZone('America/New_York')
    expect(zone.toWallField(at('2026-01-01T03:00:07Z'))).toBe('2025-12-31T22:00:07')
    expect(zone.fromWallField('2025-12-31T22:00:07')).toBe(at('2026-01-01T03:00:07Z'))
    expect(zone.fromWallField('2026-07-01')).toBe(at('2026-07-01T04:00Z'))
    expect(zone.fromWallField('')).toBeNaN()
  })

  test('has days of 23 and 25 hours; a time its clocks skip is the one after', () => {
    zone.setZone('Europe/Berlin')
    const spring = at('2026-03-29T10:00Z')
    expect(zone.startOfDay(spring, 1) - zone.startOfDay(spring)).toBe(23 * 3_600_000)
    const autumn = at('2026-10-25T10:00Z')
    expect(zone.startOfDay(autumn, 1) - zone.startOfDay(autumn)).toBe(25 * 3_600_000)
    expect(zone.fromWallField('2026-03-29T02:30')).toBe(at('2026-03-29T01:30Z'))
  })

  test('decides which day it is', () => {
    const [evening, night] = [at('2026-11-21T15:30Z'), at('2026-11-21T16:30Z')]
    zone.setZone('Asia/Shanghai')
    expect(zone.isSameDay(evening, night)).toBe(false)
    zone.setZone('Europe/London')
    expect(zone.isSameDay(evening, night)).toBe(true)
  })
})
