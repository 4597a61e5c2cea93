import { expect, test } from 'vitest'
import type { ModbusArea } from './address.ts'
import { parseModbusAddress } from './address.ts'
import type { ReadItem, ReadLimits } from './plan-reads.ts'
import { hasGap, planReads } from './plan-reads.ts'

const limits: ReadLimits = { blockRegistersMax: 125, blockBitsMax: 2000, gapRegistersMax: 8, gapBitsMax: 64 }

function item(index: number, area: ModbusArea, start: number, count = 1, gapless = false): ReadItem {
  return { index, area, start, count, gapless }
}

const shapes = (items: ReadItem[], changed: Partial<ReadLimits> = {}): string[] =>
  planReads(items, { ...limits, ...changed }).map((block) => `${block.area}:${block.start}+${block.count}`)

test('neighbours become one request, whatever their order', () => {
  expect(shapes([item(0, 'holding', 2, 2), item(1, 'holding', 0, 2), item(2, 'holding', 4, 4)])).toEqual([
    'holding:0+8',
  ])
})

test('a gap is read along up to its limit and not beyond', () => {
  expect(shapes([item(0, 'holding', 0), item(1, 'holding', 9)])).toEqual(['holding:0+10'])
  expect(shapes([item(0, 'holding', 0), item(1, 'holding', 10)])).toEqual(['holding:0+1', 'holding:10+1'])
  expect(shapes([item(0, 'holding', 0), item(1, 'holding', 2)], { gapRegistersMax: 0 })).toHaveLength(2)
  expect(shapes([item(0, 'coil', 0), item(1, 'coil', 65)])).toEqual(['coil:0+66'])
})

test('125 registers and 2000 bits are the most', () => {
  const registers = Array.from({ length: 126 }, (_, index) => item(index, 'input', index))
  expect(shapes(registers)).toEqual(['input:0+125', 'input:125+1'])
  const bits = Array.from({ length: 2001 }, (_, index) => item(index, 'discrete', index))
  expect(shapes(bits)).toEqual(['discrete:0+2000', 'discrete:2000+1'])
  // A value is never cut in two.
  expect(shapes([item(0, 'holding', 0, 124), item(1, 'holding', 124, 2)])).toEqual([
    'holding:0+124',
    'holding:124+2',
  ])
})

test('areas are never mixed', () => {
  expect(
    shapes([item(0, 'holding', 0), item(1, 'input', 1), item(2, 'coil', 2), item(3, 'discrete', 3)]),
  ).toHaveLength(4)
})

test('overlapping items share their registers', () => {
  const blocks = planReads(
    [item(0, 'holding', 10, 4), item(1, 'holding', 11), item(2, 'holding', 10)],
    limits,
  )
  expect(blocks).toHaveLength(1)
  expect(blocks[0]).toMatchObject({ start: 10, count: 4 })
  expect(blocks[0] && hasGap(blocks[0])).toBe(false)
})

test('a gapless item is joined only to direct neighbours', () => {
  const items = [item(0, 'holding', 0), item(1, 'holding', 1, 1, true), item(2, 'holding', 4)]
  expect(shapes(items)).toEqual(['holding:0+2', 'holding:4+1'])
})

test('every item is in exactly one block that covers it', () => {
  const items = Array.from({ length: 500 }, (_, index) =>
    item(index, index % 3 === 0 ? 'input' : 'holding', (index * 7919) % 3000, 1 + (index % 4)),
  )
  const blocks = planReads(items, limits)
  expect(blocks.flatMap((block) => block.items.map((one) => one.index)).sort((a, b) => a - b)).toEqual(
    items.map((one) => one.index),
  )
  for (const block of blocks) {
    expect(block.count).toBeLessThanOrEqual(125)
    for (const one of block.items) {
      expect(one.start).toBeGreaterThanOrEqual(block.start)
      expect(one.start + one.count).toBeLessThanOrEqual(block.start + block.count)
    }
  }
})

test('addresses as the configuration writes them', () => {
  expect(parseModbusAddress('holding:100')).toEqual({ area: 'holding', address: 100, bit: null })
  expect(parseModbusAddress('input:65535')).toEqual({ area: 'input', address: 65535, bit: null })
  expect(parseModbusAddress('holding:10.3')).toEqual({ area: 'holding', address: 10, bit: 3 })
  for (const wrong of [
    'holding',
    'holding:',
    'holding:-1',
    'holding:65536',
    'coil:5.1',
    'holding:1.16',
    '40001',
    '',
  ]) {
    expect(parseModbusAddress(wrong), wrong).toBeNull()
  }
})
