import type { TagValue } from '../../tag.ts'
import type { DriverDeps } from '../driver-kind.ts'
import { PolledDriver } from '../polled/polled-driver.ts'
import type { Protocol, TagAnswer } from '../polled/protocol.ts'
import { bytesOf, formatName } from './formats.ts'
import type { ReadItem, ReadSpan } from './plan-reads.ts'
import { planReads, spanBytesMax } from './plan-reads.ts'
import { readItems } from './read-items.ts'
import type { S7Connection, S7Tag } from './s7-connection.ts'
import type { S7Line } from './s7-line.ts'
import { openS7Line } from './s7-line.ts'
import { decodeValue } from './values.ts'
import { writeTag } from './write-tag.ts'

/** Messages that are sent together, as many as the controller takes. */
interface Messages {
  items: readonly ReadItem[]
  messages: ReadSpan[][]
}

/** S7 communication with one controller. */
class S7Protocol implements Protocol<S7Line, Messages> {
  readonly #connection: S7Connection
  readonly #items: readonly ReadItem[]

  constructor(connection: S7Connection) {
    this.#connection = connection
    this.#items = connection.tags.map(readItem)
  }

  open(): Promise<S7Line> {
    return openS7Line(this.#connection)
  }

  plan(line: S7Line, indexes: readonly number[]): Messages[] {
    const items = indexes.map((index) => this.#items[index] as ReadItem)
    // The pieces of a long one have to come together.
    const isLong = ({ count }: ReadItem): boolean => count > spanBytesMax(line)
    const short = this.#spans(
      line,
      items.filter((item) => !isLong(item)),
    )
    const planned = items
      .filter(isLong)
      .map((item) => ({ items: [item], messages: this.#spans(line, [item]) }))
    for (let from = 0; from < short.length; from += line.jobs) {
      const messages = short.slice(from, from + line.jobs)
      planned.push({ items: messages.flat().flatMap((span) => span.items), messages })
    }
    return planned
  }

  async read(line: S7Line, { messages }: Messages): Promise<TagAnswer[]> {
    const { tags, textEncoding } = this.#connection
    const answers: TagAnswer[] = []
    await readItems(line, messages, (items) => this.#spans(line, items), {
      onBytes({ index }, bytes, at) {
        const { address } = tags[index] as S7Tag
        const value = decodeValue(bytes, at, address, textEncoding)
        // Read again with the others, because the controller may write a valid one there at any time.
        const refusal = `no valid ${formatName(address.format)} stands there`
        answers.push(value === null ? { index, refusal, retry: 'together' } : { index, value })
      },
      onRefused: ({ index }, { message }) => answers.push({ index, refusal: message, retry: 'later' }),
    })
    return answers
  }

  write(line: S7Line, index: number, raw: TagValue): Promise<void> {
    const { tags, textEncoding } = this.#connection
    return writeTag(line, tags[index] as S7Tag, raw, textEncoding)
  }

  #spans({ pduBytes }: S7Line, items: readonly ReadItem[]): ReadSpan[][] {
    return planReads(items, { pduBytes, gapBytesMax: this.#connection.gapBytesMax })
  }
}

/** The driver of one S7 controller. */
export function openS7Driver(
  connection: S7Connection,
  deps: Pick<DriverDeps, 'clock' | 'log'>,
): PolledDriver<S7Line, Messages> {
  return new PolledDriver({ ...deps, driver: 's7', connection, protocol: new S7Protocol(connection) })
}

function readItem({ address }: S7Tag, index: number): ReadItem {
  const { area, db, start, format } = address
  return { index, area, db, start, count: bytesOf(format) }
}
