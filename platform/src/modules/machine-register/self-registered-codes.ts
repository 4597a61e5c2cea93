import { randomBytes } from 'node:crypto'
import { limits } from '@busbar/contract'

/**
 * The codes of machines that people register themselves, the first and the last one; nothing else registers a code of
 * them (rules/machines.md: self-registration).
 */
export interface CodeRange {
  readonly from: string
  readonly to: string
}

/** Codes have all the same length: their order is that of their texts. */
export const isInRange = ({ from, to }: CodeRange, code: string): boolean => from <= code && code <= to

/** Some codes of the range, each as likely as any other. */
export function drawCodes({ from, to }: CodeRange, count: number): string[] {
  const first = BigInt(from)
  const size = BigInt(to) - first + 1n
  return Array.from({ length: count }, () => {
    // 64 bits more than a code has: no code is seen to be drawn more often.
    const drawn = BigInt(`0x${randomBytes(16).toString('hex')}`) % size
    return String(first + drawn).padStart(limits.machineCodeDigits, '0')
  })
}
