import { Quality } from '@busbar/link'
import { Backoff } from '../../backoff.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { errorReason } from '../../log.ts'
import type { Reading, TagValue } from '../../tag.ts'
import { scaleValue, unscaleValue } from '../../tag.ts'
import type { Driver } from '../driver.ts'
import { allBad, badReading, ControllerAway } from '../driver.ts'
import { ValueMisfit } from '../value-misfit.ts'
import { isBitArea } from './address.ts'
import type { ModbusConnection, ModbusTag } from './modbus-connection.ts'
import { ModbusWriter } from './modbus-writer.ts'
import type { ReadBlock, ReadItem } from './plan-reads.ts'
import { blockOf, ReadMemory } from './read-memory.ts'
import { decodeRegisters, registerCount } from './registers.ts'
import type { ModbusTransport } from './transport.ts'
import { ModbusException } from './transport.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000

// A gateway says that the unit behind it is away (0x0A path unavailable, 0x0B no response): asking for each
// tag alone would wait for its timeout each time.
const gatewayExceptions = new Set([0x0a, 0x0b])

/** The driver of one Modbus device, connected by `open`. */
export function createModbusDriver(
  connection: ModbusConnection,
  open: () => Promise<ModbusTransport>,
  clock: Clock,
  log: Log,
): Driver {
  const { tags } = connection
  const memory = new ReadMemory(tags.map(readItem), connection)
  const writer = new ModbusWriter()
  const backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  const about = { connection: connection.name }
  let transport: ModbusTransport | null = null
  let retryAtMs = 0
  let away = false
  const refused = new Set<number>()

  async function poll(): Promise<Reading[]> {
    const device = await ensureOpen()
    if (device === null) return allBad(tags.length)
    const readings = allBad(tags.length)
    try {
      for (const block of memory.blocksAt(clock.monotonic())) await readBlock(device, block, readings)
    } catch (error) {
      drop(error)
      return allBad(tags.length)
    }
    return readings
  }

  async function read(index: number): Promise<Reading> {
    const device = await ensureOpen()
    if (device === null) return badReading(index)
    const item = readItem(tags[index] as ModbusTag, index)
    try {
      const values = await readOrException(device, blockOf(item))
      if (!(values instanceof ModbusException)) return decode(item, values, item.start)
      refuse(item, values.exceptionCode)
    } catch (error) {
      drop(error)
    }
    return badReading(index)
  }

  async function write(index: number, value: TagValue): Promise<void> {
    const device = await ensureOpen()
    if (device === null) throw new ControllerAway()
    const tag = tags[index] as ModbusTag
    try {
      await writer.write(device, tag, unscaleValue(tag, value))
      answered()
    } catch (error) {
      if (error instanceof ModbusException || error instanceof ValueMisfit) throw error
      drop(error)
      throw new Error(`the controller did not answer (${errorReason(error)})`)
    }
  }

  async function ensureOpen(): Promise<ModbusTransport | null> {
    if (transport?.isOpen()) return transport
    if (transport !== null) {
      // Closed between two polls, as devices close idle connections: try again immediately, once.
      transport.close()
      transport = null
    }
    if (clock.monotonic() < retryAtMs) return null
    try {
      transport = await open()
    } catch (error) {
      drop(error)
      return null
    }
    return transport
  }

  /** Reads a block into `readings`; rejects only if the connection has failed. */
  async function readBlock(device: ModbusTransport, block: ReadBlock, readings: Reading[]): Promise<void> {
    const values = await readOrException(device, block)
    if (!(values instanceof ModbusException)) {
      for (const item of block.items) readings[item.index] = decode(item, values, block.start)
      return
    }
    const [first] = block.items
    if (block.items.length === 1 && first !== undefined) {
      refuse(first, values.exceptionCode)
      return
    }
    let refusedCount = 0
    for (const item of block.items) {
      const alone = await readOrException(device, blockOf(item))
      if (alone instanceof ModbusException) {
        refusedCount++
        refuse(item, alone.exceptionCode)
      } else {
        readings[item.index] = decode(item, alone, item.start)
      }
    }
    if (refusedCount === 0) memory.blockRefused(block, values.exceptionCode)
  }

  async function readOrException(
    device: ModbusTransport,
    block: ReadBlock,
  ): Promise<ArrayLike<number> | ModbusException> {
    try {
      const values = await device.read(block.area, block.start, block.count)
      answered()
      return values
    } catch (error) {
      if (!(error instanceof ModbusException) || gatewayExceptions.has(error.exceptionCode)) throw error
      answered()
      return error
    }
  }

  function answered(): void {
    if (away) log('info', 'modbus.back', about)
    away = false
    backoff.reset()
  }

  function decode(item: ReadItem, values: ArrayLike<number>, start: number): Reading {
    const tag = tags[item.index] as ModbusTag
    memory.answered(item.index)
    if (refused.delete(item.index)) log('info', 'modbus.tagBack', { ...about, tag: tag.name })
    const offset = item.start - start
    if (isBitArea(item.area)) return { index: item.index, value: values[offset] === 1, quality: Quality.good }
    const value = decodeRegisters(values, offset, { ...tag, bit: tag.address.bit })
    if (value === null) return badReading(item.index)
    return { index: item.index, value: scaleValue(tag, value), quality: Quality.good }
  }

  function refuse(item: ReadItem, exceptionCode: number): void {
    memory.refused(item.index, exceptionCode, clock.monotonic())
    if (refused.has(item.index)) return
    refused.add(item.index)
    log('warn', 'modbus.tagRefused', { ...about, tag: (tags[item.index] as ModbusTag).name, exceptionCode })
  }

  function drop(error: unknown): void {
    transport?.close()
    transport = null
    retryAtMs = clock.monotonic() + backoff.nextMs()
    if (!away) log('warn', 'modbus.away', { ...about, reason: errorReason(error) })
    away = true
  }

  return {
    poll,
    read,
    write,
    async close() {
      transport?.close()
      transport = null
      retryAtMs = Infinity
    },
  }
}

function readItem(tag: ModbusTag, index: number): ReadItem {
  const { area, address } = tag.address
  return { index, area, start: address, count: isBitArea(area) ? 1 : registerCount(tag), gapless: false }
}
