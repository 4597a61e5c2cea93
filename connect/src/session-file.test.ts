import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configFolder, readSession, removeSession, sessionPath, writeSession } from './session-file.ts'

const session = { server: 'https://busbar.example', token: 'secret', terminal: 'one' }
let home = ''
const place = () => ({ env: { HOME: home }, platform: process.platform })

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'busbar-connect-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('is read as it was written, and gone after its removal', async () => {
  expect(await readSession(place())).toBeUndefined()
  await writeSession(place(), session)
  await writeSession(place(), { ...session, token: 'newer' })
  expect(await readSession(place())).toEqual({ ...session, token: 'newer' })
  await removeSession(place())
  expect(await readSession(place())).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('only its user reads it, and its folder', async () => {
  await writeSession(place(), session)
  const path = sessionPath(place())
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  for (const mode of [0o640, 0o604, 0o644]) {
    chmodSync(path, mode)
    await expect(readSession(place())).rejects.toMatchObject({ fault: 'shared', path })
  }
})

test.each(['', '{"server":1}', '[]', '{'.repeat(20_000)])('a damaged one is named: %#', async (text) => {
  await writeSession(place(), session)
  writeFileSync(sessionPath(place()), text)
  await expect(readSession(place())).rejects.toMatchObject({ fault: 'damaged' })
})

test('lies where the system keeps the settings of its user', () => {
  const folderOf = (platform: NodeJS.Platform, env: Record<string, string>) => configFolder({ platform, env })
  expect(folderOf('linux', { HOME: '/home/a' })).toBe('/home/a/.config/busbar-connect')
  expect(folderOf('linux', { HOME: '/home/a', XDG_CONFIG_HOME: '/c' })).toBe('/c/busbar-connect')
  expect(folderOf('darwin', { HOME: '/Users/a' })).toBe('/Users/a/Library/Application Support/busbar-connect')
  expect(folderOf('win32', { LOCALAPPDATA: 'C:/local' })).toBe(join('C:/local', 'busbar-connect'))
})
