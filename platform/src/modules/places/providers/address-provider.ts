import type { Lang } from '@busbar/contract'
import type { Point } from '../coordinates.ts'
import type { NamedPlace } from '../gazetteer/gazetteer.ts'

/** Finds places by their address, and the address of a place. All places are WGS-84. */
export interface AddressProvider {
  readonly name: string
  /** The likeliest first; none where it knows none. Throws ProviderFailed. */
  search(text: string, lang: Lang): Promise<readonly NamedPlace[]>
  /** Undefined where it knows none. Throws ProviderFailed. */
  nameOf(point: Point, lang: Lang): Promise<string | undefined>
}
