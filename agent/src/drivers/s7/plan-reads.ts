import type { S7Area } from './address.ts'

/** Bytes that one tag needs. */
export interface ReadItem {
  /** The tag's number within its connection. */
  index: number
  area: S7Area
  db: number
  start: number
  count: number
}

/**
 * One item of a request: `count` bytes from `start`, and the tags in them. A tag that is longer than a
 * request can read has several spans.
 */
export interface ReadSpan {
  area: S7Area
  db: number
  start: number
  count: number
  items: ReadItem[]
}

export interface ReadLimits {
  /** The longest message that the controller agreed to. */
  pduBytes: number
  /** The most bytes between two tags that are read along to save an item of a request. */
  gapBytesMax: number
}

/** Controllers accept at most this many items in a request, whatever the length of their messages. */
export const requestItemsMax = 20

// The shape of a read: a head of 10 bytes (12 in the answer), function and count, then the items.
const requestHeadBytes = 10 + 2
const requestItemBytes = 12
const answerHeadBytes = 12 + 2
const answerItemBytes = 4

/** The most bytes that one item can read. */
export function spanBytesMax({ pduBytes }: Pick<ReadLimits, 'pduBytes'>): number {
  return (pduBytes - answerHeadBytes - answerItemBytes) & ~1
}

/**
 * Joins neighbouring tags, and packs them into as few requests as the limits allow. Tags may overlap, in any
 * order.
 */
export function planReads(items: readonly ReadItem[], limits: ReadLimits): ReadSpan[][] {
  return packSpans(joinItems(items, limits), limits)
}

/** The bytes to read, each span within one area or data block. */
export function joinItems(items: readonly ReadItem[], limits: ReadLimits): ReadSpan[] {
  const bytesMax = spanBytesMax(limits)
  const sorted = [...items].sort(
    (left, right) =>
      left.area.localeCompare(right.area) ||
      left.db - right.db ||
      left.start - right.start ||
      left.count - right.count,
  )
  const spans: ReadSpan[] = []
  let span: ReadSpan | undefined
  for (const item of sorted) {
    if (item.count > bytesMax) {
      spans.push(...cutItem(item, bytesMax))
    } else if (span !== undefined && joins(span, item, limits.gapBytesMax, bytesMax)) {
      span.count = Math.max(span.count, item.start + item.count - span.start)
      span.items.push(item)
    } else {
      span = { area: item.area, db: item.db, start: item.start, count: item.count, items: [item] }
      spans.push(span)
    }
  }
  return spans
}

function joins(span: ReadSpan, item: ReadItem, gapBytesMax: number, bytesMax: number): boolean {
  if (span.area !== item.area || span.db !== item.db) return false
  const gap = item.start - (span.start + span.count)
  // Timers and counters between the items may not exist.
  const gapMax = item.area === 'T' || item.area === 'C' ? 0 : gapBytesMax
  return gap <= gapMax && Math.max(span.count, item.start + item.count - span.start) <= bytesMax
}

function cutItem(item: ReadItem, bytesMax: number): ReadSpan[] {
  const { area, db } = item
  return Array.from({ length: Math.ceil(item.count / bytesMax) }, (_, piece) => {
    const start = item.start + piece * bytesMax
    return { area, db, start, count: Math.min(bytesMax, item.start + item.count - start), items: [item] }
  })
}

/** The longest first, each into the first request with enough space. */
function packSpans(spans: readonly ReadSpan[], { pduBytes }: Pick<ReadLimits, 'pduBytes'>): ReadSpan[][] {
  const requests: { spans: ReadSpan[]; answerBytes: number }[] = []
  const itemsMax = Math.min(requestItemsMax, Math.floor((pduBytes - requestHeadBytes) / requestItemBytes))
  for (const span of [...spans].sort((left, right) => right.count - left.count)) {
    const bytes = answerItemBytes + span.count + (span.count % 2)
    const room = requests.find(
      (request) => request.spans.length < itemsMax && request.answerBytes + bytes <= pduBytes,
    )
    if (room === undefined) {
      requests.push({ spans: [span], answerBytes: answerHeadBytes + bytes })
    } else {
      room.spans.push(span)
      room.answerBytes += bytes
    }
  }
  return requests.map((request) => request.spans)
}
