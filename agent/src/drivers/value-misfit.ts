import type { TextEncoding } from '@busbar/link'
import { encodeText } from '@busbar/link'
import { errorReason } from '../log.ts'
import { Refused } from './driver.ts'

/** A write that was not tried: the value does not fit the tag in the controller. */
export class ValueMisfit extends Refused {
  constructor(message: string) {
    super(message)
    this.name = 'ValueMisfit'
  }
}

/** The bytes of a text; null if they are more than `bytesMax`. Throws `ValueMisfit` for a character that the encoding lacks. */
export function fitText(text: string, encoding: TextEncoding, bytesMax: number): Buffer | null {
  try {
    const bytes = Buffer.from(encodeText(text, encoding))
    return bytes.length > bytesMax ? null : bytes
  } catch (error) {
    throw new ValueMisfit(errorReason(error))
  }
}
