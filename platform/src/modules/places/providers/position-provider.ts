import type { ToldCell, ToldWifi } from '@busbar/link'
import type { Point } from '../coordinates.ts'

/** By which a provider can say where a machine is. */
export interface Signals {
  /** A number of the machine for services that want one; it tells nothing else about the machine. */
  readonly device: string
  readonly cells?: readonly ToldCell[] | undefined
  readonly wifi?: readonly ToldWifi[] | undefined
  /** The address from which the machine is connected. */
  readonly ip?: string | undefined
}

/** Where a machine is, WGS-84. */
export interface Position extends Point {
  /** The radius that the provider gave, as it gave it. */
  readonly accuracyM: number
  readonly source: 'wifi' | 'cells' | 'ip'
}

/** Finds where a machine is by what it hears. */
export interface PositionProvider {
  readonly name: string
  /** Whether it takes these signals at all: each question counts. */
  canLocate(signals: Signals): boolean
  /** Undefined where it does not know. Throws ProviderFailed. */
  locate(signals: Signals): Promise<Position | undefined>
}
