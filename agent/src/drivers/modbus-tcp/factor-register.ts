import type { TagValue } from '../../tag.ts'
import { scaleValue, unscaleValue } from '../../tag.ts'
import { ValueMisfit } from '../value-misfit.ts'
import { decodeRegisters, encodeRegisters, type RegisterFormat } from './registers.ts'

/**
 * A register holds the factor of another as its exponent to base 10 (`exponent`, as SunSpec has it), as the decimal
 * places of the other (`decimals`), or as it is (`multiplier`).
 */
export const factorForms = ['exponent', 'decimals', 'multiplier'] as const
export type FactorForm = (typeof factorForms)[number]

/** Where the factor of a value stands: a register of the same area. */
export interface FactorPlace {
  address: number
  form: FactorForm
}

/** Beyond it a register holds something else; SunSpec's marker for "not implemented" too. */
const placesMost = 10
/** The most registers between a value and its factor: both are read in one request, so that they belong together. */
export const factorDistanceMax = 100

/** Null if the register holds no factor. */
export function factorOf(register: number, form: FactorForm): number | null {
  if (form === 'multiplier') return register === 0 ? null : register
  const places = form === 'exponent' ? (register << 16) >> 16 : -register
  return Math.abs(places) <= placesMost ? Number(`1e${places}`) : null
}

/** A raw value with its factor. */
export function multiply(raw: TagValue, factor: number): number {
  return Number(scaleValue({ factor, offset: 0 }, raw))
}

/** The registers of `value` without the factor. Throws `ValueMisfit` if they would hold another value. */
export function divide(value: TagValue, factor: number, format: RegisterFormat): TagValue {
  const raw = unscaleValue({ factor, offset: 0 }, value)
  const registers = encodeRegisters(raw, format)
  const kept = registers && decodeRegisters(registers, 0, format)
  if (kept === null || multiply(kept, factor) !== Number(value))
    throw new ValueMisfit(
      `the value does not fit ${format.registerType ?? format.type} with the device’s factor of ${factor}`,
    )
  return raw
}
