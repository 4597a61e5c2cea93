import type { TextEncoding } from '@busbar/link'
import type { Tag } from '../../tag.ts'
import type { LineOptions } from '../polled/line-options.ts'
import type { S7Address } from './address.ts'
import type { IsoOptions } from './iso-line.ts'

export interface S7Tag extends Tag {
  address: S7Address
}

export interface S7Options extends IsoOptions, LineOptions {
  /** The most bytes between two tags that are read along. */
  gapBytesMax: number
  textEncoding: TextEncoding
}

export interface S7Connection extends S7Options {
  name: string
  tags: readonly S7Tag[]
}
