import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listOpens, type RunningOpen, removeOpen, writeOpen } from './running-opens.ts'
import { configFolder } from './session-file.ts'

const open: RunningOpen = {
  pid: process.pid,
  since: Date.now(),
  machine: 'Press 4',
  mode: 'rw',
  added: '10.99.0.2',
  ports: [{ name: 'plc', address: '10.99.0.2:102' }],
}
/** Above the highest that Linux gives. */
const deadPid = 4_194_305
let home = ''
const place = () => ({ env: { HOME: home }, platform: process.platform })
const pathOf = (pid: number) => join(configFolder(place()), 'open', `${pid}.json`)

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'busbar-connect-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('a running program is listed until it removes itself', async () => {
  expect(await listOpens(place())).toEqual({ live: [], dead: [] })
  await writeOpen(place(), { ...open, ports: [] })
  await writeOpen(place(), open)
  expect(await listOpens(place())).toEqual({ live: [open], dead: [] })
  await removeOpen(place(), open.pid)
  expect(await listOpens(place())).toEqual({ live: [], dead: [] })
})

test('a program that ended, or ran before the system started, is dead', async () => {
  const gone = { ...open, pid: deadPid }
  const before = { ...open, since: 0 }
  await writeOpen(place(), gone)
  await writeOpen(place(), before)
  expect(await listOpens(place())).toEqual({ live: [], dead: [before, gone] })
})

test.each(['', '[]', JSON.stringify({ ...open, added: '8.8.8.8' }), JSON.stringify({ ...open, pid: 2 })])(
  'a file that is damaged is removed: %#',
  async (text) => {
    await writeOpen(place(), open)
    writeFileSync(pathOf(open.pid), text)
    expect(await listOpens(place())).toEqual({ live: [], dead: [] })
    expect(existsSync(pathOf(open.pid))).toBe(false)
  },
)

test.skipIf(process.platform === 'win32')('only its user reads it', async () => {
  await writeOpen(place(), open)
  expect(statSync(pathOf(open.pid)).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(pathOf(open.pid))).mode & 0o777).toBe(0o700)
})
