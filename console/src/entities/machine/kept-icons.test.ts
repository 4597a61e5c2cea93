import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepIcons, type MachineIcons, readKeptIcons } from './kept-icons.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const icon = {
  type: 'pump',
  pattern: '86*',
  image: '/machine-types/tank.svg',
  icon: 'M0 0',
  name: { cn: '泵', en: 'Pump' },
}
const icons: MachineIcons = { version: 'v', default: icon, items: [icon] }

test('the map of machine types is kept in the browser', () => {
  expect(readKeptIcons()).toBeUndefined()
  keepIcons(icons)
  expect(readKeptIcons()).toEqual(icons)
})

test.each([
  ['no JSON', '{'],
  ['nothing', 'null'],
  ['another shape', JSON.stringify({ ...icons, items: [{ ...icon, name: 'Pump' }] })],
  ['no version', JSON.stringify({ ...icons, version: 7 })],
])('a kept map that is %s is loaded again', (_, text) => {
  keepIcons(icons)
  for (const key of kept.keys()) kept.set(key, text)
  expect(readKeptIcons()).toBeUndefined()
})

test('a browser without storage still draws machines', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(() => keepIcons(icons)).not.toThrow()
  expect(readKeptIcons()).toBeUndefined()
})
