import { setTimeout as wait } from 'node:timers/promises'
import type { TagValue } from '../../tag.ts'
import type { DriverDeps } from '../driver-kind.ts'
import { PolledDriver } from '../polled/polled-driver.ts'
import type { Protocol, TagAnswer } from '../polled/protocol.ts'
import { ValueMisfit } from '../value-misfit.ts'
import { isBitArea } from './address.ts'
import { divide, factorOf, multiply } from './factor-register.ts'
import type { ModbusConnection, ModbusTag } from './modbus-connection.ts'
import { ModbusWriter } from './modbus-writer.ts'
import type { ReadBlock, ReadItem, ReadLimits } from './plan-reads.ts'
import { blockOf, hasGap, planReads } from './plan-reads.ts'
import { decodeRegisters, isTextGuessed, registerCount } from './registers.ts'
import type { ModbusTransport } from './transport.ts'
import { ModbusException } from './transport.ts'

/** Illegal function, address or value: the answer will be the same next time. */
const lastingExceptions = new Set([1, 2, 3])
/** Acknowledge and busy: the device asks for time (Modbus Application Protocol 1.1b3, 7). */
const busyExceptions = new Set([5, 6])
/** A gateway says that the unit behind it is away: path unavailable, no response. */
const gatewayExceptions = new Set([10, 11])
const busyPauseMs = 100

/** Modbus over the transport that `open` opens; learns which blocks and functions the device takes. */
class ModbusProtocol implements Protocol<ModbusTransport, ReadBlock> {
  readonly open: () => Promise<ModbusTransport>
  readonly #tags: readonly ModbusTag[]
  readonly #items: ReadItem[]
  readonly #limits: ReadLimits
  readonly #writer = new ModbusWriter()

  constructor(connection: ModbusConnection, open: () => Promise<ModbusTransport>) {
    this.open = open
    this.#tags = connection.tags
    this.#items = connection.tags.map(readItem)
    this.#limits = { ...connection }
  }

  plan(_device: ModbusTransport, indexes: readonly number[]): ReadBlock[] {
    return planReads(
      indexes.map((index) => this.#items[index] as ReadItem),
      this.#limits,
    )
  }

  async read(device: ModbusTransport, block: ReadBlock, replan: () => void): Promise<TagAnswer[]> {
    const values = await readOrException(device, block)
    if (!(values instanceof ModbusException)) return this.#decode(block, values)
    if (busyExceptions.has(values.exceptionCode)) return []
    const [only, ...others] = block.items
    if (only !== undefined && others.length === 0) return [refusalOf(only, values)]
    const answers: TagAnswer[] = []
    for (const item of block.items) answers.push(...(await this.read(device, blockOf(item), replan)))
    if (answers.every((answer) => 'value' in answer) && this.#learn(block, values.exceptionCode)) replan()
    return answers
  }

  async write(device: ModbusTransport, index: number, raw: TagValue): Promise<void> {
    const tag = this.#tags[index] as ModbusTag
    const { address, factorFrom } = tag
    if (factorFrom === undefined) return this.#writer.write(device, tag, raw)
    const [register = 0] = Array.from(await device.read(address.area, factorFrom.address, 1))
    const factor = factorOf(register, factorFrom.form)
    if (factor === null) throw new ValueMisfit(noFactor(register))
    await this.#writer.write(device, tag, divide(raw, factor, { ...tag, bit: null }))
  }

  #decode({ items, start }: ReadBlock, values: ArrayLike<number>): TagAnswer[] {
    return items.map(({ index, area }): TagAnswer => {
      const tag = this.#tags[index] as ModbusTag
      const { address, factorFrom } = tag
      const offset = address.address - start
      if (isBitArea(area)) return { index, value: values[offset] === 1 }
      const format = { ...tag, bit: address.bit }
      const value = decodeRegisters(values, offset, format)
      if (value === null)
        return { index, refusal: `no valid ${tag.registerType ?? tag.type} stands there`, retry: 'together' }
      if (factorFrom === undefined)
        return { index, value, ...(isTextGuessed(values, offset, format) ? { isDoubtful: true } : {}) }
      const register = values[factorFrom.address - start] ?? 0
      const factor = factorOf(register, factorFrom.form)
      if (factor === null) return { index, refusal: noFactor(register), retry: 'together' }
      return { index, value: multiply(value, factor) }
    })
  }

  /**
   * A block was refused although each of its tags is readable: the fault was the gap in it, or, without a gap, its
   * length (many devices answer fewer registers than the protocol allows). True if that was learnt.
   */
  #learn(block: ReadBlock, exceptionCode: number): boolean {
    if (hasGap(block)) {
      for (const item of block.items) item.gapless = true
    } else {
      if (!lastingExceptions.has(exceptionCode)) return false
      const half = Math.max(1, Math.floor(block.count / 2))
      if (isBitArea(block.area)) this.#limits.blockBitsMax = half
      else this.#limits.blockRegistersMax = half
    }
    return true
  }
}

function refusalOf({ index }: ReadItem, { message, exceptionCode }: ModbusException): TagAnswer {
  return { index, refusal: message, retry: lastingExceptions.has(exceptionCode) ? 'later' : 'alone' }
}

/** One that is busy is asked twice. Rejects where a gateway does not reach the device. */
async function readOrException(
  device: ModbusTransport,
  block: ReadBlock,
  isAgain = false,
): Promise<ArrayLike<number> | ModbusException> {
  try {
    return await device.read(block.area, block.start, block.count)
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error
    if (gatewayExceptions.has(error.exceptionCode)) throw new Error(error.message)
    if (!busyExceptions.has(error.exceptionCode) || isAgain) return error
    await wait(busyPauseMs)
    return readOrException(device, block, true)
  }
}

const noFactor = (register: number): string => `the register of the factor holds ${register}, which is none`

/** The registers of a tag, from the first to the last: those of its value, and that of its factor. */
function readItem(tag: ModbusTag, index: number): ReadItem {
  const { area, address } = tag.address
  const end = address + (isBitArea(area) ? 1 : registerCount(tag))
  const factorAt = tag.factorFrom?.address ?? address
  const start = Math.min(address, factorAt)
  return { index, area, start, count: Math.max(end, factorAt + 1) - start, gapless: false }
}

export type ModbusDriver = PolledDriver<ModbusTransport, ReadBlock>

/** The driver of one Modbus device, connected by `open`. */
export function openModbusDriver(
  connection: ModbusConnection,
  open: () => Promise<ModbusTransport>,
  deps: Pick<DriverDeps, 'clock' | 'log'> & { onClose?: () => void },
): ModbusDriver {
  return new PolledDriver({
    ...deps,
    driver: 'modbus',
    connection,
    protocol: new ModbusProtocol(connection, open),
  })
}
