import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createFakeCheckout,
  findProcess,
  listProcessesOf,
  removeFakeCheckout,
  runNpm,
} from './fake-checkout.mjs'
import { waitUntilGone } from './processes.mjs'

// Real npm, real processes: on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 60_000 })

/** Time within which everything ends, whatever signal it got. */
const stopMs = 10_000

let folder = ''
beforeEach(() => {
  folder = createFakeCheckout()
})
afterEach(() => removeFakeCheckout(folder))

/** @param {string[]} args */
async function start(...args) {
  const npm = runNpm(folder, 'start', ...args)
  await npm.says('Busbar is running')
  return npm
}

const whoIsLeft = () => waitUntilGone(listProcessesOf(folder), stopMs)

test('the last thing said is the address and the demo account', async () => {
  const npm = await start()
  await npm.says('pa55word')
  const lines = npm.output().trimEnd().split('\n').slice(-3)
  expect(lines.map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ['Open', 'http://localhost:8480'],
    ['Account', 'demo@busbar.test'],
    ['Password', 'pa55word'],
  ])
  expect(npm.output()).toContain('port 8080 is taken')
})

test('a demo program that dies is started again; its log has its output', async () => {
  const npm = await start()
  const log = join(folder, '.busbar', 'log', 'agent.log')
  /** @param {string} text */
  const logged = (text) => vi.waitFor(() => expect(readFileSync(log, 'utf8')).toBe(text), { timeout: 20_000 })
  await logged('hello\n')
  process.kill(findProcess(folder, 'agent/dist/busbar-agent.mjs').pid, 'SIGKILL')
  await npm.says('the agent ended unexpectedly (killed by SIGKILL')
  await logged('hello\nhello\n')
  expect(npm.output()).not.toContain('hello')
})

test('in production the demo is off', async () => {
  const npm = await start('--', '--production')
  await npm.says('http://localhost:8480')
  expect(npm.output()).not.toContain('Password')
  expect(() => findProcess(folder, 'simulator/src/main.ts')).toThrow()
})

test.each(['SIGINT', 'SIGTERM'])('%s to npm itself ends everything', async (name) => {
  const npm = await start()
  process.kill(npm.id.pid, name)
  await npm.ended
  expect(await whoIsLeft()).toEqual([])
  expect(existsSync(join(folder, '.busbar', 'start.lock'))).toBe(false)
})

test('Ctrl-C in a terminal, which reaches the whole group, ends everything with code 0', async () => {
  const npm = await start()
  process.kill(-npm.id.pid, 'SIGINT')
  expect(await npm.ended).toBe(0)
  expect(await whoIsLeft()).toEqual([])
})

test('a program that does not listen is killed, with its children', async () => {
  writeFileSync(join(folder, 'stubborn'), '')
  const npm = await start()
  process.kill(npm.id.pid, 'SIGTERM')
  expect(await whoIsLeft()).toEqual([])
})

test('npm killed with -9: the rest notices and ends', async () => {
  const npm = await start()
  process.kill(npm.id.pid, 'SIGKILL')
  expect(await whoIsLeft()).toEqual([])
})

test('the platform killed with -9: the command ends, says so, and the next start works', async () => {
  const npm = await start()
  process.kill(findProcess(folder, 'platform/dist/main.mjs').pid, 'SIGKILL')
  expect(await npm.ended).not.toBe(0)
  expect(npm.output()).toContain('ended unexpectedly (killed by SIGKILL)')
  expect(await whoIsLeft()).toEqual([])
  await start()
})

test('after a kill -9 of the command the next start ends its leftovers', async () => {
  writeFileSync(join(folder, 'stubborn'), '')
  await start()
  process.kill(findProcess(folder, 'tools/start.mjs').pid, 'SIGKILL')
  const platform = findProcess(folder, 'platform/dist/main.mjs')
  const next = await start()
  expect(next.output()).toContain('cleaning up')
  expect(await waitUntilGone([platform], 0)).toEqual([])
})

test('a second start says where the first is', async () => {
  await start()
  const second = runNpm(folder, 'start')
  expect(await second.ended).not.toBe(0)
  expect(second.output()).toContain('already runs from this checkout at http://localhost:8480')
})

test('a platform that cannot start says why', async () => {
  writeFileSync(join(folder, 'broken'), '')
  const npm = runNpm(folder, 'start')
  expect(await npm.ended).not.toBe(0)
  expect(npm.output()).toContain('the disk is on fire')
  expect(await whoIsLeft()).toEqual([])
})

test('the console is built once, and again when its sources change', async () => {
  const countBuilds = () => readFileSync(join(folder, 'builds.log'), 'utf8').trim().split('\n').length
  const startAndStop = async () => {
    const npm = await start()
    process.kill(npm.id.pid, 'SIGTERM')
    await npm.ended
  }
  await startAndStop()
  await startAndStop()
  expect(countBuilds()).toBe(1)
  expect(existsSync(join(folder, 'console', 'dist', 'index.html.br'))).toBe(true)
  appendFileSync(join(folder, 'console', 'app.ts'), 'two')
  await startAndStop()
  expect(countBuilds()).toBe(2)
})
