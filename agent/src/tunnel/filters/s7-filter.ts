import type { PortOverReason } from '@busbar/link'
import { FrameHeads } from './frame-heads.ts'
import type { FilterStep, PortFilter } from './port-filter.ts'
import {
  cutFormat,
  dataHeadBytes,
  dataHeadLength,
  ends,
  functions,
  isDataPiece,
  isEncrypted,
  isReadingUserData,
  kinds,
  messageHeadBytes,
  pieces,
  protocolId,
} from './s7-messages.ts'

/** "This service is not there": a tool goes on after it, and does not ask for a password. */
const refused = 0x8104

const userDataHead = Buffer.of(0x00, 0x01, 0x12)
/** Bytes and method of a first request, and of one that fetches what did not fit into an answer. */
const [first, next] = [
  { length: 4, method: 0x11 },
  { length: 8, method: 0x12 },
]
/** Return code, kind, and length of data that there is none of. */
const noData = Buffer.of(0x0a, 0, 0, 0)

function isUserDataRequest(params: Buffer, data: Buffer): boolean {
  const form = params[3] === first.length ? first : next
  const isForm =
    params.subarray(0, 3).equals(userDataHead) &&
    params.length === 4 + form.length &&
    params[3] === form.length &&
    params[4] === form.method
  if (!isForm || !isReadingUserData(params)) return false
  // Place of the piece, whether it is the last, and an error: none.
  if (form === next) return params.readUInt32BE(8) === 0 && data.equals(noData)
  const [group, ask] = [(params[5] ?? 0) & 0x0f, params[6]]
  if (group === 4) return isData(data, 4)
  if (group === 3 && ask === 2) return isData(data, 2)
  return data.equals(noData)
}

/** Good data of a number of bytes. */
function isData(data: Buffer, bytes: number): boolean {
  return data.length === 4 + bytes && data[0] === 0xff && data[1] === 0x09 && data.readUInt16BE(2) === bytes
}

const itemBytes = 12
const areas = new Set([0x03, 0x05, 0x06, 0x07, 0x1c, 0x1d, 0x1e, 0x1f, ...range(0x80, 0x87)])
const elements = new Set([...range(0x01, 0x0c), 0x0f, 0x1c, 0x1d, 0x1e, 0x1f, 0x20])

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** Items, each by area and address. */
function isReadRequest(params: Buffer, data: Buffer): boolean {
  const items = params[1] ?? 0
  if (items === 0 || data.length > 0 || params.length !== 2 + items * itemBytes) return false
  for (let at = 2; at < params.length; at += itemBytes) {
    const isByAddress = params[at] === 0x12 && params[at + 1] === itemBytes - 2 && params[at + 2] === 0x10
    if (!isByAddress || !elements.has(params[at + 3] ?? 0) || !areas.has(params[at + 8] ?? 0)) return false
  }
  return true
}

/** Whether a message may go to the controller: it reads, or agrees on lengths, and nothing in it is unknown. */
function judge(message: Buffer): 'reads' | 'sets up' | 'refused' {
  const [paramsBytes, dataBytes] = [message.readUInt16BE(6), message.readUInt16BE(8)]
  const isWhole = message.length === messageHeadBytes + paramsBytes + dataBytes
  if (!isWhole || message.readUInt16BE(2) !== 0 || paramsBytes === 0) return 'refused'
  const params = message.subarray(messageHeadBytes, messageHeadBytes + paramsBytes)
  const data = message.subarray(messageHeadBytes + paramsBytes)
  if (message[1] === kinds.userData) return isUserDataRequest(params, data) ? 'reads' : 'refused'
  if (params[0] === functions.setUp)
    return params.length === 8 && params[1] === 0 && data.length === 0 ? 'sets up' : 'refused'
  return params[0] === functions.read && isReadRequest(params, data) ? 'reads' : 'refused'
}

/** The controller's error to a message; null where there is none to such a message. */
function refusalOf(message: Buffer): Buffer | null {
  const answer = Buffer.alloc(message[1] === kinds.userData ? 26 : 14)
  answer.writeUInt8(protocolId, 0)
  message.copy(answer, 4, 4, 6)
  const params = message.subarray(messageHeadBytes)
  if (message[1] === kinds.userData) {
    answer.writeUInt8(kinds.userData, 1)
    answer.writeUInt16BE(12, 6)
    answer.writeUInt16BE(noData.length, 8)
    userDataHead.copy(answer, 10)
    // An answer to this group, with the same ask and the same place in a row.
    answer.set(
      [next.length, next.method, 0x80 | ((params[5] ?? 0) & 0x0f), params[6] ?? 0, params[7] ?? 0],
      13,
    )
    answer.writeUInt16BE(refused, 20)
    noData.copy(answer, 22)
  } else if (message[1] === kinds.request) {
    answer.writeUInt8(kinds.answer, 1)
    answer.writeUInt16BE(2, 6)
    answer.writeUInt16BE(refused, 10)
    answer[12] = params[0] ?? 0
  } else {
    return null
  }
  const head = Buffer.of(3, 0, 0, 0, dataHeadLength, pieces.data, ends.last)
  head.writeUInt16BE(head.length + answer.length, 2)
  return Buffer.concat([head, answer])
}

/** Class 0 without options; of its parameters only the size of a piece and the names of both ends (ISO 8073, 13.3). */
function isConnectionRequest(packet: Buffer): boolean {
  const isClass0 = packet[4] === packet.length - 5 && packet.length >= 11 && packet[10] === 0
  if (!isClass0 || packet[5] !== pieces.connectionRequest || packet.readUInt16BE(6) !== 0) return false
  const seen = new Set<number>()
  let at = 11
  while (at + 2 <= packet.length) {
    const [code, length] = [packet[at] ?? 0, packet[at + 1] ?? 0]
    const isKnown = code === 0xc0 ? length === 1 : (code === 0xc1 || code === 0xc2) && length > 0
    if (!isKnown || seen.has(code)) return false
    seen.add(code)
    at += 2 + length
  }
  return at === packet.length
}

export class S7Filter implements PortFilter {
  readonly counts = { reads: 0, writes: 0, refused: 0 }
  readonly #requests = new FrameHeads(cutFormat)
  readonly #answers = new FrameHeads({ ...cutFormat, headBytes: dataHeadBytes })
  #isConnected = false
  /** The first piece of a message that comes in several: none that reads is so long. */
  #cut: Buffer | null = null
  #hasAnswered = false
  /** The controller has sent some pieces of a message. */
  #isAnswerCut = false

  request(bytes: Buffer): FilterStep {
    const pass: Buffer[] = []
    const answers: Buffer[] = []
    for (const { head, length } of this.#requests.read(bytes)) {
      const over = this.#take(head, length, pass, answers)
      if (over === null) continue
      this.counts.refused++
      return { pass, answers, over }
    }
    const { lost } = this.#requests
    if (lost !== null) this.counts.refused++
    return { pass, answers, over: lost === null ? null : isEncrypted(lost) ? 'encrypted' : 'unclear' }
  }

  #take(packet: Buffer, length: number, pass: Buffer[], answers: Buffer[]): PortOverReason | null {
    if (!this.#isConnected) {
      if (!isConnectionRequest(packet)) return 'unclear'
      this.#isConnected = true
      pass.push(packet)
      return null
    }
    if (!isDataPiece(packet)) return 'unclear'
    const isLast = packet[6] === ends.last
    const message = this.#cut ?? packet.subarray(dataHeadBytes)
    if (isEncrypted(message)) return 'encrypted'
    // There is no answer to such a thing, and a tool would wait for one.
    if (message[0] !== protocolId || message.length < messageHeadBytes) return 'unclear'
    const isWhole = isLast && this.#cut === null && packet.length === length
    this.#cut = isLast ? null : message
    if (!isLast) return null
    const verdict = isWhole && isRequest(message) ? judge(message) : 'refused'
    if (verdict === 'refused') {
      this.counts.refused++
      const answer = refusalOf(message)
      if (answer !== null) answers.push(answer)
      return null
    }
    if (verdict === 'reads') this.counts.reads++
    pass.push(packet)
    return null
  }

  endRequests(): void {
    const isMid = !this.#requests.isBetween && this.#requests.lost === null
    if (isMid || this.#cut !== null) this.counts.refused++
  }

  answerEnd(bytes: Buffer): number {
    let end = -1
    for (const answer of this.#answers.read(bytes)) {
      this.#hasAnswered = true
      this.#isAnswerCut = isDataPiece(answer.head) && answer.head[6] === ends.more
      if (!this.#isAnswerCut) end = answer.end
    }
    return end
  }

  /**
   * The first answer is the one to the connection: before it no message can come. A controller that does not speak S7 is
   * never between two.
   */
  get isBetweenAnswers(): boolean {
    if (this.#answers.lost !== null) return true
    return this.#hasAnswered && this.#answers.isBetween && !this.#isAnswerCut
  }
}

const isRequest = (message: Buffer): boolean => message[1] === kinds.request || message[1] === kinds.userData
