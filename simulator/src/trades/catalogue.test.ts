import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listCatalogue } from './catalogue.ts'
import { demoTank, findTrade, trades } from './index.ts'

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' })
const lengthOf = (text: string) => [...graphemes.segment(text)].length

test('demo-machines.json matches the trades', async () => {
  const file = path.resolve(import.meta.dirname, '../../demo-machines.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(listCatalogue())
})

test('names and remarks keep to the limits of a person who types them', () => {
  for (const { name, remark } of listCatalogue()) {
    for (const text of [name.cn, name.en]) expect(lengthOf(text), text).toBeLessThanOrEqual(20)
    for (const text of [remark.cn, remark.en]) expect(lengthOf(text), text).toBeLessThanOrEqual(10)
  }
})

test('trades differ, and each declares the fields that a console needs', () => {
  const all = [...trades, demoTank]
  expect(trades).toHaveLength(12)
  expect(new Set(all.map((trade) => trade.id)).size).toBe(all.length)
  expect(new Set(trades.map((trade) => trade.machineType)).size).toBe(12)
  expect(trades.filter((trade) => trade.speaks === 'plain-json')).toHaveLength(3)
  expect(trades.filter((trade) => trade.presence === 'away')).toHaveLength(1)
  expect(trades.filter((trade) => trade.presence === 'flapping')).toHaveLength(1)
  for (const trade of all) {
    expect(findTrade(trade.id)).toBe(trade)
    expect(
      trade.tags.filter((tag) => tag.keyTag),
      trade.id,
    ).toHaveLength(1)
    expect(new Set(trade.tags.map((tag) => tag.name)).size, trade.id).toBe(trade.tags.length)
    expect(new Set(trade.tags.map((tag) => tag.type)).size, trade.id).toBeGreaterThanOrEqual(3)
    expect(trade.faults.length * trade.alarms.length, trade.id).toBeGreaterThan(0)
    for (const tag of trade.tags) {
      expect(tag.group, tag.name).not.toContain('/')
      if (tag.writable && tag.type !== 'bool')
        expect([typeof tag.min, typeof tag.max]).toEqual(['number', 'number'])
    }
  }
  // Set-points of the demo machine are numbers and switches, no free text.
  expect(demoTank.tags.filter((tag) => tag.writable && tag.type === 'string')).toEqual([])
})
