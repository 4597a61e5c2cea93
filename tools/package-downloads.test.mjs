import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureAgentBuilt, ensureConnectBuilt } from './build.mjs'
import { root } from './checkout.mjs'
import { folderName, layOutConnect } from './package-connect.mjs'
import { packDownloads } from './package-downloads.mjs'
import { createSigningKey, signDownloads } from './sign-downloads.mjs'

const nodeArchitecture = process.arch === 'arm64' ? 'arm64' : 'x64'
const system = `linux-${nodeArchitecture}`
const folder = mkdtempSync(join(tmpdir(), 'busbar-downloads-'))
const out = join(folder, 'downloads')
/** @type {{ files: { program: string, system: string, file: string, bytes: number, sha256: string }[] }} */
let manifest

beforeAll(async () => {
  await ensureAgentBuilt()
  await ensureConnectBuilt()
  expect(await packDownloads({ names: [system, 'any', `connect-${system}`], fast: true, out })).toEqual([])
  manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  // Two Nodes of 150 MB, and the first build of both programs.
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('lists each program with its size and SHA-256', () => {
  expect(manifest.files.map(({ program, system: of }) => [program, of])).toEqual([
    ['busbar-agent', system],
    ['busbar-connect', 'any'],
    ['busbar-connect', system],
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

test('the folder of busbar-connect runs where nothing is installed, and lists its parts', () => {
  const file = manifest.files.at(-1)?.file ?? ''
  const place = join(folder, 'on a computer')
  execFileSync('mkdir', [place])
  execFileSync('tar', ['-xzf', join(out, file), '-C', place, '--strip-components=1'])
  execFileSync('ln', ['-s', join(place, 'busbar-connect'), join(folder, 'linked')])
  const told = spawnSync(join(folder, 'linked'), ['--help', '--lang', 'en'], {
    env: { PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  })
  expect(told.stdout).toMatch(/^Usage: busbar-connect /)
  expect(readdirSync(place).sort()).toEqual([
    'LICENSE',
    'LICENSE.node',
    'bill-of-materials.cdx.json',
    'busbar-connect',
    'busbar-connect.mjs',
    'node',
  ])
  const bill = JSON.parse(readFileSync(join(place, 'bill-of-materials.cdx.json'), 'utf8'))
  const parts = bill.components.map((/** @type {{ name: string }} */ part) => part.name)
  expect(parts).toEqual(expect.arrayContaining([`node-${system}`, 'qr', 'ws']))
})

test('busbar-connect goes out with no other binary than the one that is known', () => {
  const nodeDir = join(folder, 'changed')
  const right = join(root, 'node_modules', `node-${system}`)
  mkdirSync(join(nodeDir, 'bin'), { recursive: true })
  cpSync(join(right, 'package.json'), join(nodeDir, 'package.json'))
  writeFileSync(join(nodeDir, 'bin/node'), '#!/bin/sh\n')
  expect(() => layOutConnect(join(folder, 'wrong'), `linux-${nodeArchitecture}`, nodeDir)).toThrow(/SHA-256/)
})

test('the folders of busbar-connect are named after systems as people know them', () => {
  const systems = /** @type {const} */ (['win-x64', 'darwin-arm64', 'darwin-x64', 'linux-x64'])
  expect(systems.map((one) => folderName(one).replace(/^.*?-dev-|^busbar-connect-[\d.]+-/, ''))).toEqual([
    'windows-x64',
    'macos-arm64',
    'macos-x64',
    'linux-x64',
  ])
})

test('the launcher for Windows starts the Node beside it with all words', () => {
  const lines = readFileSync(join(root, 'deploy/connect/busbar-connect.cmd'), 'utf8').split('\r\n')
  expect(lines).toContain('@"%~dp0node.exe" "%~dp0busbar-connect.mjs" %*')
})

test('a program that cannot be made is named and left out, and the others are offered', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1')
  vi.stubEnv('npm_config_fetch_retries', '0')
  const other = join(folder, 'other')
  const missing = await packDownloads({
    names: ['windows-x64', system, 'any'],
    fast: true,
    out: other,
  })
  vi.unstubAllEnvs()
  expect(missing).toEqual([expect.stringMatching(/^windows-x64: Node for win-x64 .* could not be fetched/)])
  const { files } = JSON.parse(readFileSync(join(other, 'manifest.json'), 'utf8'))
  expect(files).toEqual(manifest.files.slice(0, 2))
}, 180_000)

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
