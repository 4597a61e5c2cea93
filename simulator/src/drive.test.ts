import { NmeaReader } from '@busbar/agent/position/nmea.ts'
import type { Gps } from '@busbar/agent/position/told.ts'
import { ManualClock } from '@busbar/agent/testing/manual-clock.ts'
import { settled } from '@busbar/agent/testing/one-controller.ts'
import { expect, test } from 'vitest'
import { loadDrive, playDrive, readDrive } from './drive.ts'

const minuteMs = 60_000
const startAt = Date.UTC(2026, 10, 29, 23, 30)

function fixesOf(sentences: readonly string[]): Gps[] {
  const fixes: Gps[] = []
  const reader = new NmeaReader({ now: () => startAt }, (gps) => void fixes.push(gps))
  for (const sentence of sentences) expect(reader.take(sentence), sentence).toBe(true)
  return fixes
}

test('the drive goes round at the speed of a lorry, over midnight and from its end to its beginning', async () => {
  const drive = await loadDrive('kunshan-shanghai')
  const minutes = [...Array(150).keys()].map((count) => startAt + count * minuteMs)
  const fixes = fixesOf(minutes.flatMap((at) => drive.between(at, at + minuteMs)))
  expect(fixes.length).toBeGreaterThan(1_000)
  const lats = fixes.map(({ lat }) => lat)
  const lngs = fixes.map(({ lng }) => lng)
  expect([Math.min(...lats), Math.max(...lats)].map((lat) => lat.toFixed(2))).toEqual(['31.22', '31.35'])
  expect([Math.min(...lngs), Math.max(...lngs)].map((lng) => lng.toFixed(2))).toEqual(['120.99', '121.33'])
  let before: Gps | undefined
  for (const fix of fixes) {
    expect(fix.accuracy).toBeLessThan(51)
    if (before !== undefined && fix.at !== before.at) {
      expect(fix.at - before.at).toBe(15_000)
      const metres = Math.hypot((fix.lat - before.lat) * 111_195, (fix.lng - before.lng) * 95_000)
      // 90 km/h.
      expect(metres).toBeLessThan(375)
    }
    before = fix
  }
})

test('a receiver in it speaks when a fix is due, and with the time that it is', async () => {
  const sentence = (time: string) => `$GNRMC,${time},A,3120.8198,N,12059.4004,E,0.0,0.0,051026,,,A*00`
  const drive = readDrive([sentence('060000.00'), sentence('060010.00'), sentence('060020.00')].join('\r\n'))
  const clock = new ManualClock()
  const stream = playDrive(drive, clock)
  const heard: string[] = []
  stream.on('data', (bytes) => heard.push(String(bytes)))
  const times = () => heard.splice(0).map((line) => line.split(',')[1])
  await settled()
  expect(times()).toEqual(['235950.00', '000000.00'])
  clock.advance(9_000)
  await settled()
  expect(times()).toEqual([])
  clock.advance(1_000)
  await settled()
  expect(times()).toEqual(['000010.00'])
  stream.destroy()
})
