import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureAgentBuilt, ensureConnectBuilt } from './build.mjs'
import { packDownloads } from './package-downloads.mjs'
import { createSigningKey, signDownloads } from './sign-downloads.mjs'

const system = `linux-${process.arch}`
const folder = mkdtempSync(join(tmpdir(), 'busbar-downloads-'))
const out = join(folder, 'downloads')
/** @type {{ files: { program: string, system: string, file: string, bytes: number, sha256: string }[] }} */
let manifest

beforeAll(async () => {
  await ensureAgentBuilt()
  await ensureConnectBuilt()
  expect(await packDownloads({ systems: [system, 'any'], fast: true, out })).toEqual([])
  manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('lists each program with its size and SHA-256', () => {
  expect(manifest.files.map(({ program, system: of }) => [program, of])).toEqual([
    ['busbar-agent', system],
    ['busbar-connect', 'any'],
  ])
  for (const { file, bytes, sha256 } of manifest.files) {
    expect(bytes).toBe(statSync(join(out, file)).size)
    expect(sha256).toBe(
      createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    )
  }
})

test('the folder of a package runs where nothing is installed, under any name', () => {
  const [{ file = '' } = {}] = manifest.files
  const place = join(folder, 'a place')
  execFileSync('mkdir', [place])
  execFileSync('tar', ['-xzf', join(out, file), '-C', place, '--strip-components=1'])
  const told = spawnSync(join(place, 'busbar-agent'), ['--help'], {
    env: { PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  })
  expect(told.stdout).toMatch(/^Usage: busbar-agent /)
  const found = ['install.sh', 'busbar-agent.service', 'LICENSE', 'LICENSE.node', 'drivers/opcua.mjs'].filter(
    (name) => existsSync(join(place, name)),
  )
  expect(found).toHaveLength(5)
})

test('busbar-connect runs by Node alone, wherever its file lies', () => {
  const file = manifest.files.find(({ program }) => program === 'busbar-connect')?.file ?? ''
  const told = spawnSync(process.execPath, [join(out, file), '--help', '--lang', 'en'], { encoding: 'utf8' })
  expect(told.stdout).toMatch(/^Usage: busbar-connect /)
})

test('a program that cannot be made is named and left out, and the others are offered', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1')
  vi.stubEnv('npm_config_fetch_retries', '0')
  const other = join(folder, 'other')
  const missing = await packDownloads({ systems: ['windows-x64', system, 'any'], fast: true, out: other })
  vi.unstubAllEnvs()
  expect(missing).toEqual([expect.stringMatching(/^windows-x64: Node for win-x64 .* could not be fetched/)])
  const { files } = JSON.parse(readFileSync(join(other, 'manifest.json'), 'utf8'))
  expect(files).toEqual(manifest.files)
})

describe('the signature', () => {
  const key = join(folder, 'release.pem')
  /** @param {string} signer @returns what openssl says */
  const verify = (signer) => {
    writeFileSync(join(folder, 'sig'), Buffer.from(readFileSync(join(out, 'manifest.sig'), 'utf8'), 'base64'))
    const files = ['-in', join(out, 'manifest.json'), '-sigfile', join(folder, 'sig')]
    return spawnSync('openssl', [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      `${signer}.pub`,
      '-rawin',
      ...files,
    ]).status
  }

  test('is one that openssl verifies with this key, and with no other', () => {
    createSigningKey(key)
    createSigningKey(`${key}-2`)
    signDownloads({ keyFile: key, folder: out })
    expect(statSync(key).mode & 0o077).toBe(0)
    if (spawnSync('openssl', ['version']).status !== 0) return
    expect(verify(key)).toBe(0)
    expect(verify(`${key}-2`)).not.toBe(0)
    writeFileSync(join(out, 'manifest.json'), ' ', { flag: 'a' })
    expect(verify(key)).not.toBe(0)
  })

  test('a key that is there is never overwritten', () => {
    const before = readFileSync(key, 'utf8')
    expect(() => createSigningKey(key)).toThrow(/EEXIST/)
    expect(readFileSync(key, 'utf8')).toBe(before)
  })
})
