import { expect, test } from 'vitest'
import { NmeaReader, nmeaChecksum } from './nmea.ts'
import type { Gps } from './told.ts'

const noonAt = Date.UTC(2026, 10, 29, 12)
const seal = (body: string) => `$${body}*${nmeaChecksum(body).toString(16).toUpperCase().padStart(2, '0')}`

/** The fixes of a stream of lines, read while the agent's clock stands at `now`. */
function read(lines: readonly string[], now = noonAt): Gps[] {
  const fixes: Gps[] = []
  const reader = new NmeaReader({ now: () => now }, (gps) => void fixes.push(gps))
  for (const line of lines) reader.take(line)
  return fixes
}

test('published sentences are read: the examples of the standard and of receivers', () => {
  const taken: boolean[] = []
  const reader = new NmeaReader({ now: () => noonAt }, () => undefined)
  for (const line of [
    '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47',
    '$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A',
    '$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*68',
  ])
    taken.push(reader.take(line))
  expect(taken).toEqual([true, true, true])
  expect(read(['$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47'])).toEqual([
    { lat: 48.1173, lng: 11.516667, accuracy: 5, at: Date.UTC(2026, 10, 29, 12, 35, 19) },
  ])
})

test('talkers of all systems are read, in all four quarters of the earth', () => {
  const quarters = [
    ['GP', '3352.000,S,15112.500,E', -33.866667, 151.208333],
    ['GN', '3436.150,S,05822.800,W', -34.6025, -58.38],
    ['BD', '3113.824,N,12128.416,E', 31.2304, 121.4736],
    ['GA', '4042.767,N,07400.360,W', 40.712783, -74.006],
  ] as const
  for (const [talker, place, lat, lng] of quarters) {
    const [fix] = read([seal(`${talker}RMC,115959.50,A,${place},0.0,0.0,291126,,,A`)])
    expect(fix).toEqual({ lat, lng, accuracy: 50, at: Date.UTC(2026, 10, 29, 11, 59, 59, 500) })
  }
})

test('the accuracy is five metres for each of the dilution, and the deviation where the receiver knows it', () => {
  const position = '4807.038,N,01131.000,E'
  const gns = (dilution: string, time = '120000') =>
    seal(`GNGNS,${time},${position},AN,08,${dilution},545.4,46.9,,`)
  const rmc = (time: string) => seal(`GNRMC,${time},A,${position},0,0,291126,,,A`)
  const accuracies = (...lines: string[]) => read(lines).map(({ accuracy }) => accuracy)
  expect(accuracies(gns('1.3'))).toEqual([7])
  expect(accuracies(gns('99.9'))).toEqual([500])
  expect(accuracies(gns(''))).toEqual([50])
  expect(accuracies(seal('GNGST,120000,5.0,,,,3.0,4.0,9.9'), gns('1.3'))).toEqual([5])
  // That of the sentence before counts for the next second, and not for one a minute later.
  expect(accuracies(gns('1.3'), rmc('120001'), rmc('120100'))).toEqual([7, 7, 50])
})

test('without a fix nothing is told', () => {
  const position = '4807.038,N,01131.000,E'
  const empty = ',,,'
  expect(
    read([
      seal(`GPRMC,120000,V,${position},0,0,291126,,,N`),
      seal(`GPRMC,120000,A,${position},0,0,291126,,,N`),
      // Estimated, and simulated: the receiver sees no satellite.
      seal(`GPRMC,120000,A,${position},0,0,291126,,,E`),
      seal(`GPRMC,120000,A,${position},0,0,291126,,,S`),
      seal(`GPGGA,120000,${position},0,00,,,M,,M,,`),
      seal(`GPGGA,120000,${position},6,00,1.0,,M,,M,,`),
      seal(`GPGGA,120000,${position},8,08,1.0,,M,,M,,`),
      seal(`GNGNS,120000,${position},NN,00,,,,,`),
      seal(`GPGGA,120000,${empty},1,08,1.0,,M,,M,,`),
      // Some receivers begin like this.
      seal('GPGGA,120000,0000.000,N,00000.000,E,1,03,1.0,,M,,M,,'),
      seal('GPRMC,,V,,,,,,,,,,N'),
    ]),
  ).toEqual([])
})

test('a line that is broken is passed over, and the sentence that begins in it is read', () => {
  const whole = seal('GPGGA,120000,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,')
  const lines = [
    whole.replace('4807', '4897'),
    whole.replace('*', '*0'),
    whole.slice(0, 30),
    whole.slice(1),
    '',
    '$',
    '$GPGGA*56',
    '\u0000\u00ff\u00fe',
    // The checksum fits what cannot be a position or a time.
    seal('GPGGA,120000,9107.038,N,01131.000,E,1,08,0.9,,M,,M,,'),
    seal('GPGGA,120000,4867.038,N,01131.000,E,1,08,0.9,,M,,M,,'),
    seal('GPGGA,120000,4807.038,N,18131.000,E,1,08,0.9,,M,,M,,'),
    seal('GPGGA,120000,4807.038,X,01131.000,E,1,08,0.9,,M,,M,,'),
    seal('GPGGA,250000,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,'),
    seal('GPGGA,120000,-807.038,N,01131.000,E,1,08,0.9,,M,,M,,'),
    seal('GPRMC,120000,A,4807.038,N,01131.000,E,0,0,321326,,,A'),
    // A maker's own, and another sentence.
    seal('PUBX,00,120000,4807.038,N,01131.000,E'),
    seal('GPGSV,1,1,00'),
  ]
  expect(read(lines)).toEqual([])
  expect(read([`${whole.slice(0, 20)}${whole}`, `\\s:r1,c:1*00\\${whole}\r`])).toHaveLength(2)
})

test('around midnight each sentence has its own day, whichever comes first', () => {
  const place = '4807.038,N,01131.000,E'
  const rmc = (time: string, date: string) => seal(`GPRMC,${time},A,${place},0,0,${date},,,A`)
  const gga = (time: string) => seal(`GPGGA,${time},${place},1,08,1.0,,M,,M,,`)
  const midnightAt = Date.UTC(2026, 11, 31, 24)
  const times = (now: number, lines: string[]) => read(lines, now).map(({ at }) => at - midnightAt)
  expect(
    times(midnightAt, [gga('235959'), rmc('235959', '311226'), gga('000000'), rmc('000000', '010127')]),
  ).toEqual([-1_000, -1_000, 0, 0])
  // A clock that is an hour wrong: the date comes from the receiver.
  expect(times(midnightAt - 3_600_000, [rmc('000001', '010127'), gga('000002')])).toEqual([1_000, 2_000])
  // An agent without a clock of its own.
  expect(times(Date.UTC(1970, 0, 1), [rmc('235958', '311226'), gga('235959')])).toEqual([-2_000, -1_000])
})

test('the date of an old receiver that began to count again is that of now', () => {
  const rmc = seal('GPRMC,120000,A,4807.038,N,01131.000,E,0,0,150407,,,A')
  expect(read([rmc])[0]?.at).toBe(Date.UTC(2026, 10, 29, 12))
})
