import type { ReadItem, ReadSpan } from './plan-reads.ts'
import { itemOutOfRange, S7Refusal } from './reasons.ts'
import type { S7Line } from './s7-line.ts'

/** Told of each tag that was read, or refused. Its bytes begin at `at`. */
export interface ItemListener {
  onBytes(item: ReadItem, bytes: Buffer, at: number): void
  onRefused(item: ReadItem, refusal: S7Refusal): void
}

/** Plans requests for some tags only. */
export type PlanItems = (items: readonly ReadItem[]) => ReadSpan[][]

/**
 * Reads the planned spans, with as many concurrent requests as the controller allows. A span that is refused
 * because it ends beyond its data block is requested again without the tags behind the end. Rejects when the
 * line can no longer be trusted.
 */
export async function readItems(
  line: S7Line,
  requests: readonly ReadSpan[][],
  plan: PlanItems,
  listener: ItemListener,
): Promise<void> {
  const pieces = new Map<number, Pieces>()
  const beyond: [ReadSpan, S7Refusal][] = []

  async function readRequest(spans: readonly ReadSpan[]): Promise<void> {
    const answers = await line.read(spans)
    spans.forEach((span, place) => {
      const answer = answers[place] as Buffer | S7Refusal
      if (!(answer instanceof S7Refusal)) takeSpan(span, answer, pieces, listener)
      else if (answer.code === itemOutOfRange && span.items.length > 1) beyond.push([span, answer])
      else for (const item of span.items) listener.onRefused(item, answer)
    })
  }

  for (let from = 0; from < requests.length; from += line.jobs)
    await Promise.all(requests.slice(from, from + line.jobs).map(readRequest))
  for (const [span, refusal] of beyond) {
    const within = await withinBlock(line, span)
    for (const item of span.items) if (!within.has(item)) listener.onRefused(item, refusal)
    // Repeats each request; a refusal now has another reason.
    for (const spans of plan([...within])) {
      const answers = await line.read(spans)
      spans.forEach((part, place) => {
        const answer = answers[place] as Buffer | S7Refusal
        if (!(answer instanceof S7Refusal)) takeSpan(part, answer, pieces, listener)
        else for (const item of part.items) listener.onRefused(item, answer)
      })
    }
  }
}

/** The bytes so far of a tag that is longer than a request can read. */
interface Pieces {
  bytes: Buffer
  missing: number
}

function takeSpan(
  span: ReadSpan,
  bytes: Buffer,
  pieces: Map<number, Pieces>,
  { onBytes }: ItemListener,
): void {
  for (const item of span.items) {
    if (item.count <= span.count) {
      onBytes(item, bytes, item.start - span.start)
      continue
    }
    const whole = pieces.get(item.index) ?? { bytes: Buffer.alloc(item.count), missing: item.count }
    pieces.set(item.index, whole)
    bytes.copy(whole.bytes, span.start - item.start)
    whole.missing -= span.count
    if (whole.missing === 0) onBytes(item, whole.bytes, 0)
  }
}

/** The tags of a span that end within their data block: if one does, those that end before it do too. */
async function withinBlock(line: S7Line, { items }: ReadSpan): Promise<Set<ReadItem>> {
  const endOf = ({ start, count }: ReadItem): number => start + count
  const byEnd = [...items].sort((left, right) => endOf(left) - endOf(right))
  let readable = 0
  let most = byEnd.length
  while (readable < most) {
    const middle = Math.floor((readable + most) / 2)
    const item = byEnd[middle] as ReadItem
    const [answer] = await line.read([{ ...item, items: [item] }])
    if (answer instanceof S7Refusal) most = middle
    else readable = middle + 1
  }
  return new Set(byEnd.slice(0, readable))
}
