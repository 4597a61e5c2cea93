import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { downloads as contract } from '@busbar/contract'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signDownloads } from '../../../../tools/sign-downloads.mjs'

let dir: string
let site: TestPlatform
const keys = generateKeyPairSync('ed25519')
const deb = Buffer.from('a package')
const sha256 = createHash('sha256').update(deb).digest('hex')
const file = 'busbar-agent_1.7.0_amd64.deb'
const offered = { program: 'busbar-agent', system: 'debian-amd64', file, bytes: deb.length, sha256 }

const pemOf = (key: typeof keys.privateKey) =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' })
const put = (name: string, text: string | Buffer) => writeFile(join(dir, name), text)
const putManifest = (files: readonly object[] = [offered], version = '1.7.0') =>
  put('manifest.json', JSON.stringify({ version, files }))
const list = () => site.as(undefined).call(contract.listDownloads, {})
const get = (path: string, headers: Record<string, string> = {}) => fetch(site.url + path, { headers })

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'busbar-downloads-'))
})
afterEach(async () => {
  await site.stop()
  await rm(dir, { recursive: true })
})

async function start(isKeyKnown: boolean) {
  await put('key.pub', pemOf(keys.publicKey))
  await put('key.pem', pemOf(keys.privateKey))
  const env = { DOWNLOADS_DIR: dir, ...(isKeyKnown ? { DOWNLOADS_KEY_FILE: join(dir, 'key.pub') } : {}) }
  site = await startTestPlatform(env)
}

test('a platform without programs says what makes them, and offers them once they are there', async () => {
  await start(false)
  expect(await list()).toEqual({
    ...{ state: 'missing', missing: 'npm run build', files: [] },
    ...{ manifestUrl: null, signatureUrl: null },
  })
  await put(file, deb)
  await putManifest()
  expect(await list()).toEqual({
    ...{ state: 'unsigned', missing: null, manifestUrl: '/download/manifest.json', signatureUrl: null },
    files: [{ ...offered, version: '1.7.0', url: `/download/${file}` }],
  })
})

test('a file comes whole or from where a broken download ended', async () => {
  await start(false)
  await put(file, deb)
  await putManifest()
  const whole = await get(`/download/${file}`)
  expect(whole.headers.get('content-length')).toBe(String(deb.length))
  expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(deb)
  const rest = await get(`/download/${file}`, { range: 'bytes=2-' })
  expect([rest.status, await rest.text()]).toEqual([206, 'package'])
  // The console's own page is at the folder's address.
  const page = await get('/download/', { accept: 'text/html' })
  expect(page.headers.get('content-type')).toContain('text/html')
  const head = await fetch(`${site.url}/download/${file}`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(deb.length)])
})

test('nothing comes that the manifest does not name, whatever lies in the folder', async () => {
  await start(false)
  await put(file, deb)
  await putManifest()
  for (const path of ['key.pem', '..%2Fkey.pem', 'nothing'])
    expect((await get(`/download/${path}`)).status).not.toBe(200)
  // A manifest that leads out of the folder does not count.
  await putManifest([{ ...offered, file: '../key.pem' }])
  expect(await list()).toMatchObject({ state: 'wrong', files: [] })
})

test('a file of another length than the manifest says is left out', async () => {
  await start(false)
  await put(file, deb.subarray(1))
  await putManifest([offered, { ...offered, system: 'linux-x64', file: 'gone.tar.gz' }])
  expect(await list()).toMatchObject({ state: 'unsigned', files: [] })
  expect((await get(`/download/${file}`)).status).toBe(404)
})

test('with the operator’s key only what it signed is offered', async () => {
  await start(true)
  await put(file, deb)
  await putManifest()
  expect(await list()).toMatchObject({ state: 'wrong', files: [], manifestUrl: null })
  expect((await get(`/download/${file}`)).status).toBe(404)
  signDownloads({ keyFile: join(dir, 'key.pem'), folder: dir })
  expect(await list()).toMatchObject({
    state: 'signed',
    files: [offered],
    signatureUrl: '/download/manifest.sig',
  })
  expect((await get('/download/manifest.sig')).status).toBe(200)
  // Somebody who can write to the folder puts another program there.
  await putManifest([{ ...offered, sha256: 'f'.repeat(64) }])
  expect(await list()).toMatchObject({ state: 'wrong', files: [] })
  await put('other.pem', pemOf(generateKeyPairSync('ed25519').privateKey))
  signDownloads({ keyFile: join(dir, 'other.pem'), folder: dir })
  expect(await list()).toMatchObject({ state: 'wrong', files: [] })
})
