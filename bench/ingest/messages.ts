import { generate } from 'mqtt-packet'

/** The default message of a machine in the measurement: three values and a time, always of the same length. */
export const valuesPerMessage = 3
const template = '{"ts":0000000000000,"values":{"temp":21.53,"rpm":1450.5,"running":true}}'
const oneValue = '{"ts":0000000000000,"values":{"temp":21.53}}'
const timeOffset = template.indexOf('0000000000000')
const timeDigits = 13

/** One message's JSON. */
export function formatPayload(at: number): string {
  return template.replace('0000000000000', String(at))
}

/** The code of the machine of this number. */
export const codeOf = (number: number): string => `9${String(number).padStart(18, '0')}`
export const machineSecret = 'the secret of all machines of the measurement'

/** A PUBLISH at QoS 1 as bytes; packet id and time are written over for each message. */
export class PublishTemplate {
  readonly bytes: Buffer
  readonly #idAt: number
  readonly #timeAt: number

  constructor(topic: string, values: 1 | 3 = 3) {
    const payload = values === 1 ? oneValue : template
    this.bytes = generate({
      cmd: 'publish',
      topic,
      payload,
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    })
    this.#timeAt = this.bytes.length - payload.length + timeOffset
    this.#idAt = this.bytes.length - payload.length - 2
  }

  /** Writes one message into `target` at `offset`. */
  write(target: Buffer, offset: number, packetId: number, at: number): void {
    this.bytes.copy(target, offset)
    target.writeUInt16BE(packetId, offset + this.#idAt)
    let rest = at
    for (let digit = timeDigits - 1; digit >= 0; digit--) {
      target[offset + this.#timeAt + digit] = 48 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
}
