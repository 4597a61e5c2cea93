import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { Refusal } from './cluster.ts'
import { ReplayWindow } from './replay-window.ts'

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
/** A message: its sender and number, the time, the tag of AES-GCM, and the encrypted text. */
const at = { number: 16, time: 24, tag: 32, text: 48 } as const
/** Clocks of nodes agree within some hundred milliseconds; a message of another age was kept by somebody. */
export const ageMsMax = 10_000
/** Senders are forgotten in turn beyond this number: a message that was recorded of them is too old by then. */
const sendersMax = 1_000

export class RefusedMessage extends Error {
  override name = 'RefusedMessage'
  readonly reason: Refusal

  constructor(reason: Refusal) {
    super(`the message was refused: ${reason}`)
    this.reason = reason
  }
}

interface Sender {
  readonly key: KeyObject
  readonly window: ReplayWindow
}

/**
 * The seal of messages between processes of one platform (AES-256-GCM): it binds a text to its subject, its sender, its
 * time and, for an answer, to its question. Each process has a key of its own, derived from that of the platform and a
 * number drawn at its start, so that the counter alone makes a nonce that never comes twice.
 */
export class SealedMessages {
  readonly #platformKey: Uint8Array
  readonly #now: () => number
  readonly #own = randomBytes(at.number)
  readonly #ownKey: KeyObject
  readonly #senders = new Map<string, Sender>()
  #counter = 0

  constructor(platformKey: Uint8Array, now: () => number = Date.now) {
    this.#platformKey = platformKey
    this.#now = now
    this.#ownKey = this.#keyOf(this.#own)
  }

  /** `question`: the sealed question that this answers, in place of a subject. */
  seal(subject: string, text: string, question?: Uint8Array): Uint8Array {
    const head = Buffer.alloc(at.text)
    this.#own.copy(head)
    head.writeBigUInt64BE(BigInt(++this.#counter), at.number)
    head.writeBigUInt64BE(BigInt(this.#now()), at.time)
    const sealing = createCipheriv(cipher, this.#ownKey, nonceOf(head))
    sealing.setAAD(boundTo(head, subject, question))
    const hidden = Buffer.concat([head, sealing.update(text, 'utf8'), sealing.final()])
    sealing.getAuthTag().copy(hidden, at.tag)
    return hidden
  }

  /** @throws RefusedMessage */
  open(subject: string, message: Uint8Array, question?: Uint8Array): string {
    if (message.length < at.text) throw new RefusedMessage('forged')
    const sealed = Buffer.from(message.buffer, message.byteOffset, message.length)
    const id = sealed.toString('latin1', 0, at.number)
    const known = this.#senders.get(id)
    const key = known?.key ?? this.#keyOf(sealed.subarray(0, at.number))
    const text = decrypt(key, sealed, boundTo(sealed, subject, question))
    if (text === undefined) throw new RefusedMessage('forged')
    if (Math.abs(this.#now() - Number(sealed.readBigUInt64BE(at.time))) > ageMsMax)
      throw new RefusedMessage('old')
    const number = Number(sealed.readBigUInt64BE(at.number))
    // One's own, which comes back.
    if (sealed.subarray(0, at.number).equals(this.#own)) throw new RefusedMessage('replayed')
    const sender = known ?? this.#add(id, key, number)
    if (!sender.window.take(number)) throw new RefusedMessage('replayed')
    return text
  }

  #add(id: string, key: KeyObject, number: number): Sender {
    const [oldest] = this.#senders.keys()
    if (this.#senders.size >= sendersMax && oldest !== undefined) this.#senders.delete(oldest)
    const sender = { key, window: new ReplayWindow(number) }
    this.#senders.set(id, sender)
    return sender
  }

  #keyOf(sender: Uint8Array): KeyObject {
    const key = hkdfSync('sha256', this.#platformKey, sender, 'messages', keyBytes)
    return createSecretKey(Buffer.from(key))
  }
}

/** The last bytes of the number, after zeros. */
function nonceOf(head: Buffer): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  head.copy(nonce, nonceBytes - (at.time - at.number), at.number, at.time)
  return nonce
}

/** A question is named by its sender and number. */
const boundTo = (head: Buffer, subject: string, question: Uint8Array | undefined): Buffer =>
  Buffer.concat([
    head.subarray(0, at.tag),
    question ? Buffer.from('answer') : Buffer.from(`subject ${subject}`),
    question?.subarray(0, at.time) ?? Buffer.alloc(0),
  ])

function decrypt(key: KeyObject, sealed: Buffer, bound: Buffer): string | undefined {
  const opening = createDecipheriv(cipher, key, nonceOf(sealed), { authTagLength: at.text - at.tag })
  opening.setAAD(bound).setAuthTag(sealed.subarray(at.tag, at.text))
  try {
    return Buffer.concat([opening.update(sealed.subarray(at.text)), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
