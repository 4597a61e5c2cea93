import {
  decodeRegisters,
  encodeRegisters,
  type ModbusArea,
  type RegisterSpec,
  type RegisterValue,
  registerCount,
} from './modbus-registers.ts'

/** Exceptions of the Modbus application protocol (section 7) this device gives. */
export const modbusException = {
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  busy: 6,
  targetSilent: 11,
} as const

/** An answer with an exception code, in the form that `modbus-serial` takes from a thrown error. */
class ModbusException extends Error {
  readonly modbusErrorCode: number

  constructor(modbusErrorCode: number) {
    super(`Modbus exception ${modbusErrorCode}`)
    this.name = 'ModbusException'
    this.modbusErrorCode = modbusErrorCode
  }
}

/** Addresses from 0 up to here exist in every area; unused ones read as 0, as in many controllers. */
const areaSize = 200

/** The memory of a device: words and bits by area, with what a test holds or breaks. */
export interface RegisterBank {
  /** Raw words; throws `ModbusException` beyond the area or at a broken address. */
  read(area: ModbusArea, address: number, count: number): number[]
  /** A master's write: refused unless every word belongs to a writable register and the value is in its range. */
  write(area: ModbusArea, address: number, words: readonly number[]): void
  /** The process's own value; held registers keep what they have. */
  publish(spec: RegisterSpec, value: RegisterValue): void
  /** The current value of a register. */
  valueOf(spec: RegisterSpec): RegisterValue
  /** Puts a value in and keeps the process from changing it until `release`. */
  hold(spec: RegisterSpec, value: RegisterValue): void
  release(): void
  /** Every request that touches the address is answered with `code`; 0 ends that. */
  break(area: ModbusArea, address: number, code: number): void
}

/** A writable register and what it accepts, process units. */
export interface SetPoint {
  spec: RegisterSpec
  min: number
  max: number
}

export function createRegisterBank(setPoints: readonly SetPoint[]): RegisterBank {
  const words: Record<ModbusArea, Uint16Array> = {
    holding: new Uint16Array(areaSize),
    input: new Uint16Array(areaSize),
    coil: new Uint16Array(areaSize),
    discrete: new Uint16Array(areaSize),
  }
  const broken = new Map<string, number>()
  const held = new Set<string>()

  function check(area: ModbusArea, address: number, count: number): void {
    if (address < 0 || count < 1 || address + count > areaSize) {
      throw new ModbusException(modbusException.illegalAddress)
    }
    for (let at = address; at < address + count; at += 1) {
      const code = broken.get(`${area}:${at}`)
      if (code !== undefined) throw new ModbusException(code)
    }
  }

  function read(area: ModbusArea, address: number, count: number): number[] {
    check(area, address, count)
    return [...words[area].subarray(address, address + count)]
  }

  function put(spec: RegisterSpec, value: RegisterValue): void {
    words[spec.area].set(encodeRegisters(spec, value), spec.address)
  }

  return {
    read,
    write(area, address, newWords) {
      check(area, address, newWords.length)
      const touched = setPoints.filter(({ spec }) => overlaps(spec, area, address, newWords.length))
      const covered = touched.reduce((sum, { spec }) => sum + overlap(spec, address, newWords.length), 0)
      if (covered < newWords.length) throw new ModbusException(modbusException.illegalAddress)
      const draft = words[area].slice()
      draft.set(newWords, address)
      for (const { spec, min, max } of touched) {
        const value = decodeRegisters(spec, [...draft.subarray(spec.address, spec.address + width(spec))])
        if (!(Number(value) >= min && Number(value) <= max)) {
          throw new ModbusException(modbusException.illegalValue)
        }
      }
      words[area].set(draft)
    },
    publish(spec, value) {
      if (!held.has(keyOf(spec))) put(spec, value)
    },
    valueOf: (spec) =>
      decodeRegisters(spec, [...words[spec.area].subarray(spec.address, spec.address + width(spec))]),
    hold(spec, value) {
      held.add(keyOf(spec))
      put(spec, value)
    },
    release: () => held.clear(),
    break(area, address, code) {
      if (code === 0) broken.delete(`${area}:${address}`)
      else broken.set(`${area}:${address}`, code)
    },
  }
}

function keyOf(spec: RegisterSpec): string {
  return `${spec.area}:${spec.address}`
}

function width(spec: RegisterSpec): number {
  return registerCount(spec)
}

function overlaps(spec: RegisterSpec, area: ModbusArea, address: number, count: number): boolean {
  return spec.area === area && overlap(spec, address, count) > 0
}

function overlap(spec: RegisterSpec, address: number, count: number): number {
  const from = Math.max(spec.address, address)
  const until = Math.min(spec.address + width(spec), address + count)
  return Math.max(0, until - from)
}
