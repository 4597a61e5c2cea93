const notThere =
  'there is no such data block or area, or the block has optimized access, which S7 cannot read'

/** Words for the answers to single items. */
const itemTexts: Record<number, string> = {
  1: 'hardware error in the controller',
  3: 'the controller does not allow access to it',
  5: 'the address is beyond the end of its data block or area',
  6: 'the controller does not support the type',
  7: 'the type does not fit the controller’s',
  10: notThere,
}

const protectedText = 'the protection level of the controller does not allow it: a password is set there'
const noPutGetText =
  'the controller does not offer the service; S7-1200 and S7-1500 need "Permit access with PUT/GET communication"'

/** Words for the refusals of whole messages, by error class and code. */
const messageTexts: Record<number, string> = {
  33028: noPutGetText,
  33540: 'the controller has no resources left for it',
  34048: 'the message is longer than the controller takes',
  34562: 'the address is wrong',
  53825: protectedText,
  54273: notThere,
  54786: 'the password is wrong',
}

/** The words of whole classes, where the code has none. */
const classTexts: Record<number, string> = {
  129: noPutGetText,
  131: 'the controller has no resources left for it',
  132: 'the controller could not do it',
  133: 'the controller did not understand the message',
  135: 'the controller does not allow access to it',
}

/** The answer of an item that is well. */
export const itemGood = 0xff
/** The one refusal that says something about other addresses: those behind this one are refused as well. */
export const itemOutOfRange = 0x05

/** The controller answered, and the answer is no: the code of an item (one byte), or of a message (two). */
export class S7Refusal extends Error {
  readonly code: number

  constructor(code: number) {
    const hex = `0x${code.toString(16).toUpperCase().padStart(2, '0')}`
    const text = code > 0xff ? (messageTexts[code] ?? classTexts[code >> 8]) : itemTexts[code]
    super(`${text ?? 'refused'} (S7 error ${hex})`)
    this.name = 'S7Refusal'
    this.code = code
  }
}
