import { describe, expect, test } from 'vitest'
import type { TableColumn } from './column.ts'
import {
  columnWidthMax,
  columnWidthMin,
  isShown,
  loadSettings,
  noSettings,
  pinOf,
  type Storage,
  saveSettings,
  type TableSettings,
} from './settings.ts'

function memory(): Storage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

const settings: TableSettings = {
  shown: { created: false },
  widths: { name: 240 },
  pinned: { name: 'start' },
  sort: { columnId: 'name', isDescending: true },
}

describe('the settings of a list', () => {
  test('are kept by person and list', () => {
    const storage = memory()
    saveSettings(storage, 7, 'operator.users', settings)
    expect(loadSettings(storage, 7, 'operator.users')).toEqual(settings)
    expect(loadSettings(storage, 8, 'operator.users')).toEqual(noSettings)
    expect(loadSettings(storage, 7, 'operator.machines')).toEqual(noSettings)
  })

  test('leave nothing behind when all is as it was', () => {
    const storage = memory()
    saveSettings(storage, 7, 'friends', settings)
    saveSettings(storage, 7, 'friends', noSettings)
    expect(storage.kept.size).toBe(0)
  })

  test('removing the order keeps none', () => {
    const storage = memory()
    saveSettings(storage, 7, 'friends', { ...noSettings, sort: null })
    expect(loadSettings(storage, 7, 'friends').sort).toBeNull()
  })

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['other kinds', '{"shown":{"a":1},"widths":{"a":"x"},"pinned":{"a":"up"},"sort":5}'],
    [
      'far too much',
      JSON.stringify({ shown: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [n, true])) }),
    ],
  ])('are the list’s own where what is stored is %s', (_, text) => {
    const storage = memory()
    saveSettings(storage, 7, 'friends', settings)
    for (const key of storage.kept.keys()) storage.kept.set(key, text)
    expect(loadSettings(storage, 7, 'friends')).toEqual(noSettings)
  })

  test('a stored width stays within what can be used', () => {
    const storage = memory()
    saveSettings(storage, 7, 'friends', { ...noSettings, widths: { a: 1, b: 1e9 } })
    expect(loadSettings(storage, 7, 'friends').widths).toEqual({ a: columnWidthMin, b: columnWidthMax })
  })

  test('storage that refuses does not fail', () => {
    const refuse = () => {
      throw new Error('forbidden')
    }
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    expect(loadSettings(storage, 7, 'friends')).toEqual(noSettings)
    expect(() => saveSettings(storage, 7, 'friends', settings)).not.toThrow()
  })
})

const column = (more: Partial<TableColumn<unknown>>): TableColumn<unknown> => ({
  id: 'a',
  title: 'A',
  width: 100,
  rank: 2,
  ...more,
})

describe('a column', () => {
  test('is shown as the list has it until a person decides', () => {
    expect(isShown(column({}), noSettings)).toBe(true)
    expect(isShown(column({ isHiddenFirst: true }), noSettings)).toBe(false)
    expect(isShown(column({ isHiddenFirst: true }), { ...noSettings, shown: { a: true } })).toBe(true)
  })

  test('with the actions cannot be hidden', () => {
    expect(isShown(column({ hideable: false }), { ...noSettings, shown: { a: false } })).toBe(true)
  })

  test('stays at its edge until a person frees it', () => {
    expect(pinOf(column({ pinned: 'end' }), noSettings)).toBe('end')
    expect(pinOf(column({ pinned: 'end' }), { ...noSettings, pinned: { a: 'none' } })).toBeUndefined()
    expect(pinOf(column({}), { ...noSettings, pinned: { a: 'start' } })).toBe('start')
  })
})
