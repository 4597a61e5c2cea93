import { chmod, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { settled } from '../testing/one-controller.ts'
import { fileSource } from './file-source.ts'
import { modemSource } from './modem-source.ts'
import { openSource } from './open-source.ts'
import type { PositionSource, Told } from './told.ts'

const clock = new ManualClock()
let folder: string
let ends: (() => unknown)[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-position-'))
  ends = [() => rm(folder, { recursive: true })]
})

afterEach(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Runs a source; `next` is fulfilled with the next part of the position that it tells. */
function follow(source: PositionSource) {
  const told: Told[] = []
  const waiting: ((one: Told) => void)[] = []
  const stopping = new AbortController()
  const tell = (one: Told): void => {
    if (Object.keys(one).length === 0) return
    const take = waiting.shift()
    if (take) take(one)
    else told.push(one)
  }
  const ended = source.run(tell, stopping.signal).then(
    () => 'stopped',
    (error: Error) => error.message,
  )
  ends.push(() => stopping.abort())
  const next = async (): Promise<Told> =>
    told.shift() ?? Promise.race([new Promise<Told>((take) => void waiting.push(take)), failedFirst(ended)])
  return { next, ended, stop: () => stopping.abort() }
}

async function failedFirst(ended: Promise<string>): Promise<never> {
  throw new Error(await ended)
}

/** A server on loopback. */
async function serve(onSocket: (socket: Socket) => void): Promise<{ host: string; port: number }> {
  const server: Server = createServer(onSocket)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  ends.push(() => new Promise((closed) => server.close(closed)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { host: '127.0.0.1', port: address.port }
}

test('a receiver by TCP is read, and its end is a failure', async () => {
  const place = await serve((socket) => {
    socket.end('4807.038,N*11\r\n$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n')
  })
  const { next, ended } = follow(openSource({ kind: 'tcp', ...place }, clock))
  expect(await next()).toMatchObject({ gps: { lat: 48.1173, lng: 11.516667, accuracy: 5 } })
  expect(await ended).toBe('the line was closed')
})

test('gpsd is asked to report, and its fixes in the plane and in space are taken', async () => {
  const report = (fields: object) =>
    `${JSON.stringify({ class: 'TPV', device: '/dev/ttyACM0', ...fields })}\r\n`
  const asked: string[] = []
  const place = await serve((socket) => {
    socket.write('{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}\r\n')
    socket.on('data', (bytes) => {
      asked.push(String(bytes))
      for (const fields of [
        { mode: 1 },
        { mode: 0, lat: 1, lon: 1 },
        { mode: 3, status: 8, lat: 1, lon: 1 },
        { mode: 2, lat: 91, lon: 1 },
        { mode: 2, lat: 0, lon: 0 },
        { mode: 2, lat: '1', lon: 1 },
      ])
        socket.write(report(fields))
      socket.write('{"class":"TPV","mode":3,"lat":1\r\n')
      const at = '2026-11-29T12:00:00.000Z'
      socket.write(report({ mode: 3, status: 1, time: at, lat: -33.8567844, lon: 151.213108, eph: 3.4 }))
      socket.write(report({ mode: 2, time: at, lat: 48, lon: 11, epx: 3, epy: 4 }))
      socket.write(report({ mode: 2, lat: 49, lon: 11 }))
      socket.write(report({ mode: 2, lat: 50, lon: 11, eph: -3 }))
      socket.write('{"class":"TPV","mode":2,"lat":51,"lon":11,"eph":1e400}\r\n')
    })
  })
  const { next } = follow(openSource({ kind: 'gpsd', ...place }, clock))
  const at = Date.UTC(2026, 10, 29, 12)
  expect(await next()).toEqual({ gps: { lat: -33.856784, lng: 151.213108, accuracy: 3, at } })
  expect(await next()).toEqual({ gps: { lat: 48, lng: 11, accuracy: 5, at } })
  for (const lat of [49, 50, 51])
    expect(await next()).toEqual({ gps: { lat, lng: 11, accuracy: 50, at: clock.now() } })
  expect(asked).toEqual(['?WATCH={"enable":true,"json":true}\n'])
})

test('an address without a server is a failure', async () => {
  const { host, port } = await serve(() => undefined)
  await ends.pop()?.()
  expect(await follow(openSource({ kind: 'gpsd', host, port }, clock)).ended).toMatch(/ECONNREFUSED/)
})

/** A program in the place of mmcli, with one answer for a location and one for the modem. */
async function fakeMmcli(location: string, modem: string, exit = 0): Promise<string> {
  const path = join(folder, 'mmcli')
  const script = `#!/bin/sh\ncase "$*" in\n"-m any --location-get -J") echo '${location}' ;;\n"-m any -J") echo '${modem}' ;;\n*) exit 9 ;;\nesac\n[ ${exit} = 0 ] || echo "error: couldn't find modem" >&2\nexit ${exit}\n`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

const cellOf = (cell: object, nmea: string[] = []) =>
  JSON.stringify({ modem: { location: { '3gpp': cell, gps: { nmea, utc: '--' } } } })
const modemOf = (...technologies: string[]) =>
  JSON.stringify({ modem: { generic: { 'access-technologies': technologies } } })

test('a modem tells its cell by the radio that it uses, and the position of its receiver', async () => {
  const nmea = ['$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47', '$GPGSA,A,1,,,*00']
  const lte = cellOf({ mcc: '262', mnc: '03', lac: '0000', tac: '00C945', cid: '0197763E' }, nmea)
  const source = async (location: string, ...technologies: string[]) =>
    follow(modemSource('any', clock, await fakeMmcli(location, modemOf(...technologies)))).next()
  expect(await source(lte, 'lte')).toEqual({
    gps: expect.objectContaining({ lat: 48.1173 }),
    cells: [{ mcc: 262, mnc: 3, tac: 0xc945, cellId: 0x197763e, radio: 'lte', serving: true }],
  })
  const wcdma = cellOf({ mcc: '460', mnc: '01', lac: 'A1B2', tac: '--', cid: '0001F2A3' })
  expect(await source(wcdma, 'umts', 'hspa-plus')).toEqual({
    cells: [{ mcc: 460, mnc: 1, lac: 0xa1b2, cellId: 0x1f2a3, radio: 'wcdma', serving: true }],
  })
  const nr = cellOf({ mcc: '460', mnc: '00', lac: '0000', tac: '1A2B3C', cid: '123456789' })
  expect(await source(nr, 'lte', '5gnr')).toEqual({
    cells: [{ mcc: 460, mnc: 0, tac: 0x1a2b3c, nci: 0x123456789, radio: 'nr', serving: true }],
  })
})

test('a modem that is away, or no ModemManager, is a failure in its own words', async () => {
  const away = modemSource('any', clock, await fakeMmcli('', '', 1))
  expect(await follow(away).ended).toBe("error: couldn't find modem")
  const none = modemSource('any', clock, join(folder, 'none'))
  expect(await follow(none).ended).toMatch(/ENOENT/)
})

test('a file is read when it changes; a fix without a time has that of the file', async () => {
  const path = join(folder, 'position.json')
  await writeFile(path, JSON.stringify({ gps: { lat: 48, lng: 11 }, wifi: [] }))
  await utimes(path, 1_000, 1_000)
  const { next, stop, ended } = follow(fileSource(path, clock))
  expect(await next()).toEqual({ gps: { lat: 48, lng: 11, accuracy: 50, at: 1_000_000 }, wifi: [] })
  const cells = [
    { radio: 'gsm', mcc: '262', mnc: '03', lac: 1, cellId: 2, signalDbm: -100 },
    { radio: 'gsm', mcc: 262, mnc: 3, lac: 1, cellId: 3, signalDbm: -60, other: 'field' },
  ]
  await writeFile(
    path,
    JSON.stringify({
      gps: { lat: 0, lng: 0 },
      cells: [...cells, { ...cells[0], cellId: 4, serving: true }],
      wifi: [...Array(40).keys()].map((count) => ({
        mac: `00-11-22-AA-BB-${count + 10}`,
        signalDbm: -90 + count,
      })),
    }),
  )
  await utimes(path, 2_000, 2_000)
  // The file is looked at while the clock advances.
  let told: Told | undefined
  void next().then((one) => {
    told = one
  })
  while (told === undefined) {
    clock.advance(10_000)
    await settled()
  }
  expect(told).not.toHaveProperty('gps')
  expect(told.cells?.map(({ cellId }) => cellId)).toEqual([4, 3, 2])
  expect(told.cells?.[1]).toEqual({ radio: 'gsm', mcc: 262, mnc: 3, lac: 1, cellId: 3, signalDbm: -60 })
  expect(told.wifi).toHaveLength(30)
  expect(told.wifi?.[0]).toEqual({ mac: '00:11:22:aa:bb:49', signalDbm: -51 })
  stop()
  expect(await ended).toBe('stopped')
})

const cell = { radio: 'lte', mcc: 262, mnc: 3, tac: 1, cellId: 2 }

test.each([
  ['[]', 'it has to be an object'],
  ['{"gps":{"lat":91,"lng":1}}', 'gps.lat has to be a number from -90 to 90'],
  ['{"gps":{"lat":"48","lng":1}}', 'gps.lat has to be a number from -90 to 90'],
  ['{"gps":{"lat":48,"lng":1,"at":"yesterday"}}', 'gps.at has to be a number from 0 to 9007199254740992'],
  ['{"wifi":[{"mac":"00:11:22:aa:bb","signalDbm":-60}]}', 'wifi[0].mac is no address like 00:11:22:aa:bb:cc'],
  ['{"wifi":[{"mac":"00:11:22:aa:bb:cc"}]}', 'wifi[0].signalDbm has to be a number from -200 to 0'],
  [JSON.stringify({ cells: [{ ...cell, radio: '6g' }] }), 'cells[0].radio is none of gsm, wcdma, lte, nr'],
  [
    JSON.stringify({ cells: [cell, { ...cell, tac: 2 ** 24 }] }),
    'cells[1].tac has to be a number from 0 to 16777215',
  ],
  [
    JSON.stringify({ cells: [{ ...cell, cellId: 1.5 }] }),
    'cells[0].cellId has to be a whole number from 0 to 268435455',
  ],
  [JSON.stringify({ cells: [{ ...cell, tac: null }] }), 'cells[0] has neither lac nor tac'],
  [JSON.stringify({ cells: 'none' }), 'cells has to be a list'],
  ['{"gps"', expect.stringMatching(/JSON/)],
])('a file that says %s fails with the field', async (text, reason) => {
  const path = join(folder, 'position.json')
  await writeFile(path, text)
  expect(await follow(fileSource(path, clock)).ended).toEqual(reason)
})

test('a folder, a large file and a missing one are failures', async () => {
  const path = join(folder, 'position.json')
  await writeFile(path, 'x'.repeat(70_000))
  expect(await follow(fileSource(path, clock)).ended).toBe('it is larger than 65536 bytes')
  expect(await follow(fileSource(folder, clock)).ended).toBe('it is not a file')
  expect(await follow(fileSource(join(folder, 'none'), clock)).ended).toMatch(/ENOENT/)
})
