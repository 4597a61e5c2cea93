import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, operator } from '@busbar/contract'
import { createUser, type TestUser } from '@busbar/testkit'
import { checkout, startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

/* Tiles of an operator's map from the cache: one person, one tile after the other, beside a file of the console of about
   the same size over the same connection; then 500 people who pan every four seconds. The maker of the map is on loopback
   and answers each tile once. */

const tileBytes = 20_000
const zoom = 10
/** The tiles that people look at. */
const side = 40
const hits = 2_000
const hitMsMax = 2
const people = 500
const newTilesOfPan = 12
const pauseMs = 4_000
const pans = 6
/** Of the proxy in front of the platform, which all people share. */
const connections = 64

/** The head of a PNG of 256 pixels each way, because the platform reads only that. */
const head = Buffer.from('89504e470d0a1a0a0000000d494844520000010000000100', 'hex')
const picture = Buffer.concat([head, randomBytes(tileBytes)])
let made = 0
const maker = createServer((_request, response) => {
  made++
  response.setHeader('content-type', 'image/png').end(picture)
})
await new Promise<void>((resolve) => maker.listen(0, '127.0.0.1', resolve))
const { port } = maker.address() as AddressInfo

console.log(describeMachine())
const site = await startSite({
  env: { OUTGOING_ALLOWED_NETWORKS: `operator 127.0.0.1:${port}`, TRUSTED_PROXIES: '127.0.0.1' },
})
const db = await site.openDatabase()
try {
  const boss = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  const { id } = await createClient({ baseUrl: site.url, lang: () => 'en', token: () => boss.token }).call(
    operator.createTileSource,
    {
      brandId: 1,
      name: { cn: '地图', en: 'Map' },
      kind: 'xyz',
      url: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
      system: 'wgs84',
      minZoom: 1,
      maxZoom: 12,
      attribution: '',
      reviewNumber: '',
      isCached: true,
    },
  )
  const tile = (place: number) =>
    `/api/v1/tiles/${id}/${zoom}/${500 + (place % side)}/${300 + (Math.floor(place / side) % side)}`

  const reader = await createUser(db)
  const one = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let place = 0; place < side * side; place++) await fetchTimed(one, tile(place), reader)
  if (made !== side * side) throw new Error(`${made} tiles were made`)
  const file = await findFile()
  const [ofTiles, ofFile]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < hits; turn++) {
    ofTiles.push(await fetchTimed(one, tile(turn * 7), reader))
    ofFile.push(await fetchTimed(one, file.path, reader))
  }
  one.destroy()

  const crowd: TestUser[] = []
  for (let each = 0; each < people; each++) crowd.push(await createUser(db))
  const panned: number[] = []
  const proxy = new Agent({ keepAlive: true, maxSockets: connections })
  const beganAt = performance.now()
  await Promise.all(crowd.map((person, place) => pan(person, place, panned)))
  proxy.destroy()
  const perSecond = (panned.length * 1_000) / (performance.now() - beganAt)
  if (made !== side * side) throw new Error(`${made - side * side} tiles were made anew`)

  async function pan(person: TestUser, place: number, times: number[]): Promise<void> {
    await sleep((place * pauseMs) / people)
    for (let turn = 0; turn < pans; turn++) {
      const from = place * 31 + turn * newTilesOfPan
      const tiles = Array.from({ length: newTilesOfPan }, (_, next) => tile(from + next))
      times.push(...(await Promise.all(tiles.map((path) => fetchTimed(proxy, path, person, place)))))
      await sleep(pauseMs)
    }
  }

  const [p50, fileP50] = [quantile(ofTiles, 0.5), quantile(ofFile, 0.5)]
  printRows([
    {
      what: `a tile of ${tileBytes / 1_000} kB from the cache`,
      figure: `p50 ${p50.toFixed(2)} ms, p99 ${quantile(ofTiles, 0.99).toFixed(1)} ms`,
      target: `p50 < ${hitMsMax} ms`,
      met: p50 < hitMsMax,
    },
    {
      what: `a file of the console of ${(file.bytes / 1_000).toFixed(0)} kB, in turn with them`,
      figure: `p50 ${fileP50.toFixed(2)} ms, p99 ${quantile(ofFile, 0.99).toFixed(1)} ms; tiles ${(p50 / fileP50).toFixed(2)}×`,
      target: '',
    },
    {
      what: `${people} people who pan every ${pauseMs / 1_000} s, ${perSecond.toFixed(0)} tiles a second`,
      figure: `p50 ${quantile(panned, 0.5).toFixed(1)} ms, p99 ${quantile(panned, 0.99).toFixed(0)} ms`,
      target: '',
    },
  ])
} finally {
  await db.destroy()
  await site.stop()
  maker.closeAllConnections()
  maker.close()
}

/** The file of the built console that is nearest to a tile's size. */
async function findFile(): Promise<{ path: string; bytes: number }> {
  const folder = join(checkout, 'console/dist/assets')
  const files: { path: string; bytes: number }[] = []
  for (const name of await readdir(folder))
    if (name.endsWith('.js'))
      files.push({ path: `/assets/${name}`, bytes: (await stat(join(folder, name))).size })
  files.sort((a, b) => Math.abs(a.bytes - tileBytes) - Math.abs(b.bytes - tileBytes))
  const [nearest] = files
  if (!nearest) throw new Error('the console is not built')
  return nearest
}

/** Milliseconds until the whole answer is there. */
function fetchTimed(agent: Agent, path: string, { token }: TestUser, address = 0): Promise<number> {
  const beganAt = performance.now()
  return new Promise((resolve, reject) => {
    const forwarded = `2001:db8:${(address + 1).toString(16)}::1`
    get(new URL(path, site.url), { agent, headers: { token, 'x-forwarded-for': forwarded } }, (response) => {
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - beganAt)
        else reject(new Error(`${path} answered ${response.statusCode}`))
      })
      response.resume()
    }).on('error', reject)
  })
}
