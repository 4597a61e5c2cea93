import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './checkout.mjs'
import { takeLock, withLock } from './lock.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Another process that takes the lock and keeps it until it is killed. */
async function openHolder(/** @type {string} */ path) {
  const lock = pathToFileURL(join(root, 'tools', 'lock.mjs')).href
  const code = `const { takeLock } = await import(${JSON.stringify(lock)})
    const taken = takeLock(${JSON.stringify(path)})
    taken.lock.update({ note: { url: 'http://here' }, children: [{ pid: 999999, startTicks: 7 }] })
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('the second process learns who holds a lock', async () => {
  const path = join(folder, 'a.lock')
  const holder = await openHolder(path)
  const taken = takeLock(path)
  expect(taken).toMatchObject({ heldBy: { holder: { pid: holder.pid }, note: { url: 'http://here' } } })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
})

test('a killed holder’s lock is free, and its children are known', async () => {
  const path = join(folder, 'a.lock')
  const holder = await openHolder(path)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const taken = takeLock(path)
  expect(taken).toMatchObject({ previous: { children: [{ pid: 999999, startTicks: 7 }] } })
})

test('a damaged lock file is taken over', () => {
  const path = join(folder, 'a.lock')
  writeFileSync(path, '{"hol')
  expect(takeLock(path)).toHaveProperty('lock')
})

test('two pieces of work never run at the same time', async () => {
  const path = join(folder, 'a.lock')
  /** @type {string[]} */
  const order = []
  /** @param {string} name */
  const work = (name) =>
    withLock(path, { onWait: () => order.push(`${name} waits`) }, async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} ends`)
    })
  await Promise.all([work('a'), work('b')])
  expect(order).toEqual(['a begins', 'b waits', 'a ends', 'b begins', 'b ends'])
})
