import type { Point } from '../coordinates.ts'

/** A city of the tables, WGS-84. */
export interface City extends Point {
  readonly name: string
  /** Two letters of ISO 3166-1. */
  readonly country: string
  /** Of China’s cities alone, in Chinese; empty for a city that is one itself. */
  readonly province?: string
  readonly population: number
  /** The name as `plainName` makes it. */
  readonly plain: string
}

/** Without case, accents and spaces: how people type a name. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\s'’`.-]/gu, '')
    .toLowerCase()
}
