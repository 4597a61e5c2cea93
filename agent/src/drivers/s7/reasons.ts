import { Refused } from '../driver.ts'

const notThere =
  'there is no such data block or area, or the block has optimized access, which S7 cannot read'
const noPutGet =
  'the controller does not offer the service; S7-1200 and S7-1500 need "Permit access with PUT/GET communication"'

/** Words for the answers to single items. */
const itemTexts = new Map([
  [0x01, 'hardware error in the controller'],
  [0x03, 'the controller does not allow access to it'],
  [0x05, 'the address is beyond the end of its data block or area'],
  [0x06, 'the controller does not support the type'],
  [0x07, 'the type does not fit the controller’s'],
  [0x0a, notThere],
])

/** Words for the refusals of whole messages, by error class and code. */
const messageTexts = new Map([
  [0x8104, noPutGet],
  [0x8500, 'the message is longer than the controller takes'],
  [0xd209, notThere],
  [0xd241, 'the protection level of the controller does not allow it: a password is set there'],
  [0xd602, 'the password is wrong'],
])

/** Texts of whole classes, for codes without one. */
const classTexts = new Map([
  [0x81, 'the controller does not offer the service'],
  [0x83, 'the controller has no resources left for it'],
  [0x84, 'the controller could not do it'],
  [0x85, 'the controller did not understand the message'],
  [0x87, 'the controller does not allow access to it'],
])

/** The return code of an item without an error. */
export const itemGood = 0xff
/** The only refusal that concerns other addresses: those behind this one are refused as well. */
export const itemOutOfRange = 0x05

/** The controller answered with a refusal: the code of an item (one byte), or of a message (two). */
export class S7Refusal extends Refused {
  readonly code: number

  constructor(code: number) {
    const hex = `0x${code.toString(16).toUpperCase().padStart(2, '0')}`
    const text = code > 0xff ? (messageTexts.get(code) ?? classTexts.get(code >> 8)) : itemTexts.get(code)
    super(`${text ?? 'refused'} (S7 error ${hex})`)
    this.name = 'S7Refusal'
    this.code = code
  }
}
