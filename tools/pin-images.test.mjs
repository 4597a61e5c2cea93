import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { root } from './checkout.mjs'
import { askDigest, filesWithImages, pinImages } from './pin-images.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')
const digest = `sha256:${'0a'.repeat(32)}`

test('every image that comes from a registry gets its digest, and a newer one the next time', async () => {
  /** @type {string[]} */
  const asked = []
  for (const file of filesWithImages) {
    const pinned = await pinImages(read(file), async (image) => {
      asked.push(image)
      return digest
    })
    for (const line of pinned.split('\n').filter((each) => /^\s*image: |^ARG BASE=/.test(each)))
      expect(line).toMatch(line.includes('busbar') ? /image: busbar$/ : new RegExp(`:[\\w.-]+@${digest}$`))
    const newer = `sha256:${'1b'.repeat(32)}`
    expect(await pinImages(pinned, async () => newer)).toBe(pinned.replaceAll(digest, newer))
  }
  expect(new Set(asked)).toEqual(new Set(['debian:13-slim', 'postgres:18', 'nats:2']))
})

const folder = mkdtempSync(join(tmpdir(), 'busbar-docker-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(join(folder, 'docker'), { force: true })
})

/** @param {string} script in place of Docker */
function standInForDocker(script) {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'docker'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
}

test('the digest is the one that Docker tells of the image', async () => {
  standInForDocker(`test "$1 $2 $3 $4" = "buildx imagetools inspect nats:2" && echo ${digest}`)
  expect(await askDigest('nats:2')).toBe(digest)
})

test.each([
  ['echo "unauthorized" >&2; exit 1', 'unauthorized'],
  ['echo "no digest here"', 'nats:2'],
])('an answer without a digest pins nothing: %s', async (script, text) => {
  standInForDocker(script)
  await expect(askDigest('nats:2')).rejects.toThrow(text)
})

test('the guide asks for it', () => {
  const [, checklist = ''] = read('docs/operations.md').split('## Security checklist')
  expect(checklist).toContain('`npm run pin-images`')
  expect(JSON.parse(read('package.json')).scripts['pin-images']).toContain('tools/pin-images.mjs')
})
