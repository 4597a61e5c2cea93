import { Quality } from '@busbar/link'
import { Backoff } from '../../backoff.ts'
import { errorReason } from '../../log.ts'
import type { Reading, TagValue } from '../../tag.ts'
import { scaleValue, unscaleValue } from '../../tag.ts'
import type { Driver } from '../driver.ts'
import { allBad, badReading, ControllerAway } from '../driver.ts'
import type { DriverDeps } from '../driver-kind.ts'
import { ValueMisfit } from '../value-misfit.ts'
import { bytesOf, formatName } from './formats.ts'
import type { ReadItem, ReadSpan } from './plan-reads.ts'
import { readItems } from './read-items.ts'
import { ReadMemory } from './read-memory.ts'
import { S7Refusal } from './reasons.ts'
import type { S7Connection, S7Tag } from './s7-connection.ts'
import type { S7Line } from './s7-line.ts'
import { openS7Line } from './s7-line.ts'
import { decodeValue } from './values.ts'
import { writeTag } from './write-tag.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000
/** The most tags refused for one reason that are named. */
const namedTagsMax = 10

/** The driver of one S7 controller. */
export function createS7Driver(
  connection: S7Connection,
  { clock, log }: Pick<DriverDeps, 'clock' | 'log'>,
  open: () => Promise<S7Line> = () => openS7Line(connection),
): Driver {
  const { tags, textEncoding } = connection
  const items = tags.map(readItem)
  const memory = new ReadMemory(items, connection.gapBytesMax)
  const backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  const about = { connection: connection.name }
  /** The reasons why tags lack a value. */
  const refused = new Map<number, string>()
  let line: S7Line | null = null
  let retryAtMs = 0
  let awayReason = ''

  async function poll(): Promise<Reading[]> {
    const open = await ensureOpen()
    const readings = allBad(tags.length)
    if (open === null) return readings
    try {
      await readInto(open, memory.requestsAt(clock.monotonic(), open.pduBytes), (reading) => {
        readings[reading.index] = reading
      })
      return readings
    } catch (error) {
      drop(error)
      return allBad(tags.length)
    }
  }

  async function read(index: number): Promise<Reading> {
    const open = await ensureOpen()
    let answer = badReading(index)
    if (open === null) return answer
    try {
      await readInto(open, memory.requestsOf([items[index] as ReadItem], open.pduBytes), (reading) => {
        answer = reading
      })
      return answer
    } catch (error) {
      drop(error)
      return badReading(index)
    }
  }

  async function write(index: number, value: TagValue): Promise<void> {
    const open = await ensureOpen()
    if (open === null) throw new ControllerAway()
    const tag = tags[index] as S7Tag
    try {
      await writeTag(open, tag, unscaleValue(tag, value), textEncoding)
      answered()
    } catch (error) {
      if (error instanceof S7Refusal || error instanceof ValueMisfit) throw error
      drop(error)
      throw new Error(`the controller did not answer (${errorReason(error)})`)
    }
  }

  async function ensureOpen(): Promise<S7Line | null> {
    if (line?.isOpen()) return line
    // Closed between two polls, as controllers do when they restart: try again immediately, once.
    line = null
    if (clock.monotonic() < retryAtMs) return null
    try {
      const opened = await open()
      // Closed in the meantime.
      if (retryAtMs === Infinity) opened.close()
      else line = opened
    } catch (error) {
      drop(error)
    }
    return line
  }

  async function readInto(
    open: S7Line,
    requests: readonly ReadSpan[][],
    take: (reading: Reading) => void,
  ): Promise<void> {
    const changed = new Map<string, string[]>()
    let backCount = 0

    function refuse({ index }: ReadItem, reason: string): void {
      memory.refused(index, clock.monotonic())
      if (refused.get(index) === reason) return
      refused.set(index, reason)
      const names = changed.get(reason) ?? []
      changed.set(reason, names)
      names.push((tags[index] as S7Tag).name)
    }

    await readItems(open, requests, (some) => memory.requestsOf(some, open.pduBytes), {
      onBytes(item, bytes, at) {
        const { index } = item
        const tag = tags[index] as S7Tag
        const value = decodeValue(bytes, at, tag.address, textEncoding)
        memory.answered(index)
        if (value === null) {
          // Read again with the others, because the controller may write a valid one there at any time.
          const reason = `no valid ${formatName(tag.address.format)} stands there`
          refuse(item, reason)
          memory.answered(index)
          return
        }
        if (refused.delete(index)) backCount++
        take({ index, value: scaleValue(tag, value), quality: Quality.good })
      },
      onRefused: (item, refusal) => refuse(item, refusal.message),
    })
    answered()
    for (const [reason, names] of changed) {
      const named = names.slice(0, namedTagsMax).join(', ')
      log('warn', 's7.tagsRefused', { ...about, reason, count: names.length, tags: named })
    }
    if (backCount > 0) log('info', 's7.tagsReadable', { ...about, count: backCount })
  }

  function answered(): void {
    if (awayReason !== '') log('info', 's7.back', about)
    awayReason = ''
    backoff.reset()
  }

  function drop(error: unknown): void {
    line?.close()
    line = null
    if (retryAtMs === Infinity) return
    retryAtMs = clock.monotonic() + backoff.nextMs()
    const reason = errorReason(error)
    // Another reason is news: the cable is in again, and now the slot is wrong.
    if (reason !== awayReason) log('warn', 's7.away', { ...about, reason })
    awayReason = reason
  }

  return {
    poll,
    read,
    write,
    async close() {
      retryAtMs = Infinity
      line?.close()
      line = null
    },
  }
}

function readItem({ address }: S7Tag, index: number): ReadItem {
  const { area, db, start, format } = address
  return { index, area, db, start, count: bytesOf(format) }
}
