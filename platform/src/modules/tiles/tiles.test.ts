import { mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { tiles as contract, operator, type RequestOf } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeArchive } from '../../../test-support/tiles/archive.ts'
import { pngHead } from '../../../test-support/uploads/png.ts'
import { greyTile } from './grey-tile.ts'
import { TileArchives } from './tile-archives.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** The maker of a map, on loopback. */
const maker = {
  asked: [] as string[],
  answer: undefined as unknown as Answer,
}
const picture: Answer = (_request, response) =>
  void response.setHeader('content-type', 'image/png').end(pngHead(256, 256, maker.asked.length))
const server = createServer((request, response) => {
  maker.asked.push(request.url ?? '')
  maker.answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const folder = await mkdtemp(path.join(tmpdir(), 'busbar-archives-'))

const clock = { aheadMs: 0 }
const site = useSite(
  {
    OUTGOING_ALLOWED_NETWORKS: `operator 127.0.0.1:${port}`,
    TILES_DIR: folder,
    PUBLIC_URL: 'https://busbar.example',
    VISIT_HOST: 'visits.example.net',
  },
  { now: () => Date.now() + clock.aheadMs },
)
let boss: TestUser
let reader: TestUser
beforeAll(async () => {
  boss = await site.createUser({ name: 'Olga Op' })
  reader = await site.createUser({ name: 'Rita Reader' })
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})
beforeEach(async () => {
  maker.asked = []
  maker.answer = picture
  clock.aheadMs = 0
  await site.db.deleteFrom('tile_sources').execute()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const url = `http://127.0.0.1:${port}/map/{z}/{x}/{y}.png?tk={key}`
const fields = (
  overrides: Partial<RequestOf<typeof operator.createTileSource>> = {},
): RequestOf<typeof operator.createTileSource> => ({
  brandId: 1,
  name: { cn: '天地图', en: 'Tianditu' },
  kind: 'xyz',
  url,
  key: 'secretKey',
  system: 'wgs84',
  minZoom: 1,
  maxZoom: 12,
  attribution: 'NGCC',
  reviewNumber: 'GS(2024)0568',
  isCached: true,
  ...overrides,
})
const create = async (overrides?: Parameters<typeof fields>[0]) =>
  (await site.as(boss).call(operator.createTileSource, fields(overrides))).id
const rowOf = async (id: number) =>
  (await site.as(boss).call(operator.listTileSources, {})).list.find((row) => row.id === id)
const get = (at: string, user: TestUser | null = reader, headers: Record<string, string> = {}) =>
  fetch(`${site.url}${at}`, { headers: { ...(user && { token: user.token }), ...headers } })
const getTile = (id: number, place = '3/5/2') => get(`/api/v1/tiles/${id}/${place}`)
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('a tile', () => {
  test('is fetched once with the key, and then comes from the disk', async () => {
    const id = await create()
    const [first, second] = await Promise.all([getTile(id), getTile(id)])
    expect(await bytesOf(first)).toEqual(pngHead(256, 256, 1))
    expect(await bytesOf(second)).toEqual(pngHead(256, 256, 1))
    expect(first.headers.get('content-type')).toBe('image/png')
    expect(first.headers.get('cache-control')).toBe('private, max-age=86400')
    const etag = first.headers.get('etag') ?? ''
    const again = await get(`/api/v1/tiles/${id}/3/5/2`, reader, { 'if-none-match': etag })
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0])
    expect(maker.asked).toEqual(['/map/3/5/2.png?tk=secretKey'])
    clock.aheadMs = 8 * 86_400_000
    const later = new Date(Date.now() + 30 * 86_400_000)
    await site.db.updateTable('sessions').set({ expires_at: later, ends_at: later }).execute()
    expect(await bytesOf(await getTile(id))).toEqual(pngHead(256, 256, 2))
  })

  test('is not kept where the terms of its maker are unknown, here or in the browser', async () => {
    const id = await create({ isCached: false })
    expect((await getTile(id)).headers.get('cache-control')).toBe('private, no-store')
    await getTile(id)
    expect(maker.asked).toHaveLength(2)
  })

  test('of a changed source is fetched again', async () => {
    const id = await create()
    await getTile(id)
    await site.as(boss).call(operator.updateTileSource, { ...fields({ key: undefined }), id, maxZoom: 11 })
    await getTile(id)
    expect(maker.asked).toHaveLength(2)
    expect(maker.asked[1]).toContain('tk=secretKey')
  })

  test('counts rows from below, and by the words of WMTS', async () => {
    const below = await create({ url: `http://127.0.0.1:${port}/{z}/{x}/{-y}`, key: '' })
    await getTile(below)
    const wmts = await create({
      kind: 'wmts',
      url: `http://127.0.0.1:${port}/wmts?M={TileMatrix}&R={TileRow}&C={TileCol}`,
      key: '',
    })
    await getTile(wmts)
    expect(maker.asked).toEqual(['/3/5/5', '/wmts?M=3&R=2&C=5'])
  })

  test('outside the zooms and the world is refused, and to strangers', async () => {
    const id = await create()
    expect((await getTile(id, '0/0/0')).status).toBe(404)
    expect((await getTile(id, '13/0/0')).status).toBe(404)
    expect((await getTile(id, '3/8/0')).status).toBe(400)
    expect((await getTile(id, '3/0/8')).status).toBe(400)
    expect((await getTile(id, '3/0.5/0')).status).not.toBe(200)
    expect((await get(`/api/v1/tiles/${id}/3/5/2`, null)).status).toBe(401)
    expect(maker.asked).toEqual([])
  })

  test.each<[string, string, number | null, Answer]>([
    ['HTML', 'notPicture', null, (_request, response) => response.end('<html>tk=secretKey</html>')],
    ['20 MB', 'answerTooLarge', null, (_request, response) => response.end(Buffer.alloc(20_000_000))],
    [
      'a picture of 20,000 pixels',
      'notPicture',
      null,
      (_request, response) => response.end(pngHead(20_000, 1)),
    ],
    [
      'a redirect to itself',
      'redirect',
      null,
      ({ url: at }, response) => response.writeHead(302, { location: at }).end(),
    ],
    [
      'a redirect to a private address',
      'addressRefused',
      null,
      (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${port + 1}/` }).end(),
    ],
    ['a refusal of the key', 'status', 403, (_request, response) => response.writeHead(403).end()],
    ['a hang-up', 'reset', null, (request) => request.destroy()],
  ])('is grey where the maker answers %s: %s', async (_what, fault, status, answer) => {
    maker.answer = answer
    const id = await create()
    const tile = await getTile(id)
    expect([tile.status, tile.headers.get('cache-control')]).toEqual([200, 'private, max-age=60'])
    expect(await bytesOf(tile)).toEqual(greyTile)
    expect(await rowOf(id)).toMatchObject({ fault, status, failedAt: expect.any(Number) })
    maker.answer = picture
    expect(await bytesOf(await getTile(id))).not.toEqual(greyTile)
    await site.as(boss).call(operator.updateTileSource, { ...fields(), id })
    expect(await rowOf(id)).toMatchObject({ fault: null, status: null, failedAt: null })
  })

  test('of a source that fails is not asked for until it has rested', async () => {
    maker.answer = (request) => request.destroy()
    const id = await create()
    for (let x = 0; x < 8; x++) await getTile(id, `3/${x}/0`)
    expect(maker.asked).toHaveLength(5)
    maker.answer = picture
    clock.aheadMs = 31_000
    expect(await bytesOf(await getTile(id))).not.toEqual(greyTile)
  })
})

describe('the sources', () => {
  test('are listed to the people of their brand, and their key to nobody', async () => {
    const { id: brandId } = await site.as(boss).call(operator.createBrand, {
      hosts: ['maps.example'],
      isDefault: false,
      platformName: { cn: '图', en: 'Maps' },
      logoUrl: '',
      logoDarkUrl: '',
      loginImageUrl: '',
      faviconUrl: '',
      accent: '',
      emailSender: '',
      smsSignature: '',
      versions: {
        pc: { latest: '1.0.0', lowest: '1.0.0' },
        mobile: { latest: '1.0.0', lowest: '1.0.0' },
        tv: { latest: '1.0.0', lowest: '1.0.0' },
      },
      downloads: [],
      icp: '京ICP备1号',
    })
    const own = await create()
    const other = await create({ brandId, reviewNumber: '' })
    const seen = await site.as(reader).call(contract.listSources, {})
    expect(seen).toEqual([
      {
        id: own,
        name: { cn: '天地图', en: 'Tianditu' },
        system: 'wgs84',
        minZoom: 1,
        maxZoom: 12,
        attribution: 'NGCC',
        reviewNumber: 'GS(2024)0568',
        version: expect.any(String),
      },
    ])
    expect((await getTile(other)).status).toBe(404)
    expect((await get(`/api/operator/v1/tile-sources/${other}/3/5/2`, boss)).status).toBe(200)
    expect((await get(`/api/operator/v1/tile-sources/${other}/3/5/2`)).status).toBe(403)

    const listed = await site.as(boss).call(operator.listTileSources, {})
    expect(listed.unreviewed).toEqual([{ cn: '图', en: 'Maps' }])
    expect(listed.list.every(({ hasKey }) => hasKey)).toBe(true)
    const audit = await site.as(boss).call(operator.listAudit, {})
    const stored = await site.db.selectFrom('tile_sources').selectAll().execute()
    expect(JSON.stringify([listed, audit, stored])).not.toContain('secretKey')
    await site.as(boss).call(operator.updateTileSource, { ...fields({ brandId }), id: other })
    expect((await site.as(boss).call(operator.listTileSources, {})).unreviewed).toEqual([])
  })

  test('are five of a brand, also when several are added at once', async () => {
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => create()))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await site.refusalOf(boss, operator.createTileSource, fields())).toBe('TILE_SOURCES_FULL')
    const { list } = await site.as(boss).call(operator.listTileSources, {})
    const id = list[0]?.id ?? 0
    await site.as(boss).call(operator.updateTileSource, { ...fields(), id })
    await site.as(boss).call(operator.removeTileSource, { id })
    expect(await rowOf(id)).toBeUndefined()
    expect(await site.refusalOf(boss, operator.removeTileSource, { id })).toBe('404')
  })

  test.each<[string, string, Parameters<typeof fields>[0]]>([
    ['a private address', 'TILE_ADDRESS', { url: 'https://10.0.0.1/{z}/{x}/{y}?k={key}' }],
    [
      'another port of this machine',
      'TILE_ADDRESS',
      { url: `http://127.0.0.1:${port + 1}/{z}/{x}/{y}?{key}` },
    ],
    ['no TLS', 'TILE_ADDRESS', { url: 'http://8.8.8.8/{z}/{x}/{y}?k={key}' }],
    ['a file of this machine', 'TILE_ADDRESS', { url: 'file:///etc/{z}/{x}/{y}?k={key}' }],
    ['no row', 'TILE_ADDRESS', { url: 'https://8.8.8.8/{z}/{x}?k={key}' }],
    ['an unknown word', 'TILE_ADDRESS', { url: 'https://8.8.8.8/{z}/{x}/{y}?k={key}&{token}' }],
    ['a word in the host', 'TILE_ADDRESS', { url: 'https://{key}.example.com/{z}/{x}/{y}' }],
    ['a key without a place', '400', { url: 'https://8.8.8.8/{z}/{x}/{y}' }],
    ['a place without a key', '400', { key: '' }],
    ['zooms upside down', '400', { minZoom: 9, maxZoom: 3 }],
    ['an unknown brand', '404', { brandId: 999_999 }],
  ])('with %s are refused: %s', async (_what, code, overrides) => {
    expect(await site.refusalOf(boss, operator.createTileSource, fields(overrides))).toBe(code)
  })

  test('never send a key that was kept to another host', async () => {
    const id = await create()
    const moved = fields({ url: 'https://8.8.8.8/{z}/{x}/{y}?k={key}', key: undefined })
    const failure = await failureOf(site.as(boss), operator.updateTileSource, { ...moved, id })
    expect([failure.code, failure.field]).toEqual(['400', 'key'])
    await site.as(boss).call(operator.updateTileSource, { ...moved, id, key: 'other' })
  })
})

describe('a file of the operator', () => {
  const own = (file: string, overrides?: Parameters<typeof fields>[0]) =>
    fields({ kind: 'pmtiles', url: file, key: '', minZoom: 3, maxZoom: 3, ...overrides })

  test('is a map of its pictures, and of nothing else', async () => {
    await writeFile(path.join(folder, 'city.pmtiles'), writeArchive({ z: 3, x: 5, y: 2 }, pngHead(256, 256)))
    await writeFile(
      path.join(folder, 'roads.pmtiles'),
      writeArchive({ z: 3, x: 5, y: 2 }, pngHead(), 'vector'),
    )
    await writeFile(path.join(folder, 'broken.pmtiles'), 'PMTiles')
    const refuse = async (file: string, overrides?: Parameters<typeof fields>[0]) =>
      (await failureOf(site.as(boss), operator.createTileSource, own(file, overrides))).message
    expect(await refuse('roads.pmtiles')).toContain('vector')
    expect(await refuse('broken.pmtiles')).toContain('whole')
    expect(await refuse('absent.pmtiles')).toContain('TILES_DIR')
    expect(await refuse('city.pmtiles', { maxZoom: 9 })).toContain('zooms 3 to 3')

    const id = (await site.as(boss).call(operator.createTileSource, own('city.pmtiles'))).id
    expect(await bytesOf(await getTile(id))).toEqual(pngHead(256, 256))
    expect(await bytesOf(await getTile(id, '3/5/3'))).toEqual(greyTile)
    expect(await rowOf(id)).toMatchObject({ fault: null, isCached: false })
    await writeFile(path.join(folder, 'city.pmtiles'), writeArchive({ z: 3, x: 5, y: 3 }, pngHead(512, 512)))
    expect(await bytesOf(await getTile(id, '3/5/3'))).toEqual(pngHead(512, 512))
    await rm(path.join(folder, 'city.pmtiles'))
    expect(await bytesOf(await getTile(id, '3/5/3'))).toEqual(greyTile)
    expect(await rowOf(id)).toMatchObject({ fault: 'file' })
  })

  test('a small tile that unpacks to gigabytes is given up while it is unpacked', async () => {
    const place = { z: 3, x: 5, y: 2 }
    const write = (tile: Buffer) =>
      writeFile(path.join(folder, 'packed.pmtiles'), writeArchive(place, gzipSync(tile), 'packed'))
    await write(pngHead(256, 256))
    const { id } = await site.as(boss).call(operator.createTileSource, own('packed.pmtiles'))
    expect(await bytesOf(await getTile(id))).toEqual(pngHead(256, 256))
    await write(Buffer.concat([pngHead(256, 256), Buffer.alloc(8 * 1_048_576)]))
    expect(await bytesOf(await getTile(id))).toEqual(greyTile)
    // One that had been unpacked would be too large an answer.
    expect(await rowOf(id)).toMatchObject({ fault: 'file' })
  })

  test('is a map again after its disk gave wrong bytes once', async () => {
    const file = path.join(folder, 'flaky.pmtiles')
    const bytes = writeArchive({ z: 3, x: 5, y: 2 }, pngHead(256, 256))
    const archives = new TileArchives(folder)
    const at = new Date()
    for (const [content, answer] of [
      [Buffer.alloc(bytes.length), undefined],
      [bytes, pngHead(256, 256)],
    ] as const) {
      await writeFile(file, content)
      // The same file to all that a process can see of it.
      await utimes(file, at, at)
      const found = await archives.read('flaky.pmtiles', { z: 3, x: 5, y: 2 }).catch(() => undefined)
      expect(found).toEqual(answer)
    }
  })

  test('lies in the folder, and nowhere else', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'busbar-outside-'))
    await writeFile(path.join(outside, 'secret.pmtiles'), writeArchive({ z: 3, x: 5, y: 2 }, pngHead()))
    await symlink(path.join(outside, 'secret.pmtiles'), path.join(folder, 'link.pmtiles'))
    for (const file of [
      `../${path.basename(outside)}/secret.pmtiles`,
      path.join(outside, 'secret.pmtiles'),
      'link.pmtiles',
      '..\\secret.pmtiles',
    ])
      expect(await site.refusalOf(boss, operator.createTileSource, own(file))).toBe('TILE_FILE')
    await rm(outside, { recursive: true })
  })
})
