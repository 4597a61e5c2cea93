import type { ModbusArea } from './address.ts'
import { isBitArea } from './address.ts'

/** Registers or bits one tag needs. */
export interface ReadItem {
  /** The tag's number within its connection. */
  index: number
  area: ModbusArea
  start: number
  /** Registers, or bits in the two bit areas. */
  count: number
  /** Never join this one to another across a gap: the device refused such a read before. */
  gapless: boolean
}

/** One request: `count` registers or bits from `start`, and the items in it. */
export interface ReadBlock {
  area: ModbusArea
  start: number
  count: number
  items: ReadItem[]
}

export interface ReadLimits {
  /** Registers in one request; the protocol allows 125 (Modbus Application Protocol 1.1b3, 6.3). */
  blockRegistersMax: number
  /** Bits in one request; the protocol allows 2000 (6.1). */
  blockBitsMax: number
  /** The most registers between two items that are read along to save a request. */
  gapRegistersMax: number
  gapBitsMax: number
}

/** A request for one item only. */
export function blockOf(item: ReadItem): ReadBlock {
  return { area: item.area, start: item.start, count: item.count, items: [item] }
}

/** Joins neighbouring items into as few requests as the limits allow. Items may overlap, in any order. */
export function planReads(items: readonly ReadItem[], limits: ReadLimits): ReadBlock[] {
  const sorted = [...items].sort(
    (left, right) =>
      left.area.localeCompare(right.area) || left.start - right.start || left.count - right.count,
  )
  const blocks: ReadBlock[] = []
  let block: ReadBlock | undefined
  for (const item of sorted) {
    if (block !== undefined && joins(block, item, limits)) {
      block.count = Math.max(block.count, item.start + item.count - block.start)
      block.items.push(item)
    } else {
      block = { area: item.area, start: item.start, count: item.count, items: [item] }
      blocks.push(block)
    }
  }
  return blocks
}

function joins(block: ReadBlock, item: ReadItem, limits: ReadLimits): boolean {
  if (block.area !== item.area) return false
  const bits = isBitArea(item.area)
  const gap = item.start - (block.start + block.count)
  const gapMax = item.gapless || block.items.some((other) => other.gapless) ? 0 : gapLimit(bits, limits)
  const joined = Math.max(block.count, item.start + item.count - block.start)
  return gap <= gapMax && joined <= (bits ? limits.blockBitsMax : limits.blockRegistersMax)
}

function gapLimit(bits: boolean, limits: ReadLimits): number {
  return bits ? limits.gapBitsMax : limits.gapRegistersMax
}

/** Whether a block reads registers between its items. */
export function hasGap(block: ReadBlock): boolean {
  let end = block.start
  for (const item of block.items) {
    if (item.start > end) return true
    end = Math.max(end, item.start + item.count)
  }
  return false
}
