import { type ModbusDevice, startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'

/** One answer of the device: each number is given to exactly one request for the counter. */
export interface Read {
  readonly number: number
  /** By the monotonic clock, in milliseconds. */
  readonly at: number
  /** By the wall clock of the reader. */
  readonly readerAt: number
}

/**
 * A Modbus device whose counter (`holding:0`, uint32, ABCD) increases with every read, so that each read is
 * known.
 */
export interface CountingDevice {
  readonly port: number
  readonly reads: readonly Read[]
  close(): Promise<void>
}

const requestsKeptMax = 1_000

/** `readerOffsetMs`: how far the wall clock of who reads is off. */
export async function startCountingDevice(readerOffsetMs: () => number): Promise<CountingDevice> {
  const reads: Read[] = []
  const device: ModbusDevice = await startModbusDevice()
  device.memory.holding = new (class extends Map<number, number> {
    override get(address: number): number | undefined {
      if (address === 1) return reads.length % 0x10000
      if (address !== 0) return undefined
      reads.push({
        number: reads.length + 1,
        at: performance.now(),
        readerAt: Date.now() + readerOffsetMs(),
      })
      if (device.requests.length > requestsKeptMax) device.requests.length = 0
      return Math.floor(reads.length / 0x10000)
    }
  })()
  return {
    port: device.port,
    reads,
    async close() {
      device.dropConnections()
      await device.close()
    },
  }
}
