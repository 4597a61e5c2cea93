import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeLogFolder, logBytesMax, openChildLog } from './child-log.mjs'

let folder = ''
let umask = 0
beforeEach(() => {
  umask = process.umask(0)
  folder = mkdtempSync(join(tmpdir(), 'busbar-log-'))
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

/** @param {string} path */
const modeOf = (path) => (statSync(path).mode & 0o777).toString(8)

test('logs of npm start are for who started it alone, whatever the umask', () => {
  const path = join(folder, 'log', 'agent.log')
  openChildLog(path)('one\n')
  expect([modeOf(join(folder, 'log')), modeOf(path)]).toEqual(['700', '600'])
  expect(readFileSync(path, 'utf8')).toBe('one\n')
})

test('a folder and a file that others could read are closed', () => {
  const log = join(folder, 'log')
  const path = join(log, 'agent.log')
  mkdirSync(log, { mode: 0o755 })
  writeFileSync(path, 'before\n', { mode: 0o644 })
  closeLogFolder(log)
  openChildLog(path)('after\n')
  expect([modeOf(log), modeOf(path)]).toEqual(['700', '600'])
  expect(readFileSync(path, 'utf8')).toBe('before\nafter\n')
})

test('the file that is begun again is as closed, and the folder around it is left as it is', () => {
  chmodSync(folder, 0o755)
  const path = join(folder, 'agent.log')
  const write = openChildLog(path)
  write('x'.repeat(logBytesMax + 1))
  write('next\n')
  expect(existsSync(`${path}.1`)).toBe(true)
  expect([modeOf(path), modeOf(`${path}.1`), modeOf(folder)]).toEqual(['600', '600', '755'])
})
