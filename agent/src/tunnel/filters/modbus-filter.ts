import type { PortOverReason } from '@busbar/link'
import { type FrameFormat, FrameHeads } from './frame-heads.ts'
import type { FilterStep, PortFilter, RequestCounter } from './port-filter.ts'

// Modbus Messaging on TCP/IP 1.0b, 3.1.3: transaction (2), protocol 0 (2), bytes that follow (2), unit (1), then the
// function and its data (Modbus Application Protocol 1.1b3, 6).

const prefixBytes = 6
const headerBytes = 7
/** Unit, function and its data. */
const bodyBytes = { min: 2, max: 254 } as const
const adu = prefixBytes + bodyBytes.max
const illegalFunction = 1
const exceptionFlag = 0x80
const functions = { diagnostics: 8, readFileRecord: 20, encapsulated: 43 } as const
const returnQueryData = 0
const readDeviceIdentification = 14
const fileReference = { bytes: 7, type: 6 } as const

const bodyOf = (head: Buffer): number => head.readUInt16BE(4)

/** With unit and function, so that a request of a wrong length can be answered. */
const requestFormat: FrameFormat = {
  headBytes: adu,
  lengthBytes: prefixBytes + bodyBytes.min,
  lengthOf(head) {
    const body = bodyOf(head)
    return body < bodyBytes.min || body > bodyBytes.max ? null : prefixBytes + body
  },
}

/** An answer is passed as it is; only its end is looked for. */
const answerFormat: FrameFormat = {
  headBytes: prefixBytes,
  lengthBytes: prefixBytes,
  lengthOf: (head) => prefixBytes + bodyOf(head),
}

/**
 * The length of each function that reads (function and data), or whether a request has it. A diagnosis has two bytes of
 * data here, though more are allowed: a device that took it for shorter would read its data as the next request.
 */
const lengths: Readonly<Record<number, number | ((pdu: Buffer) => boolean)>> = {
  1: 5,
  2: 5,
  3: 5,
  4: 5,
  7: 1,
  [functions.diagnostics]: 5,
  17: 1,
  [functions.readFileRecord]: isFileRequest,
  24: 3,
  [functions.encapsulated]: 4,
}

function isFileRequest(pdu: Buffer): boolean {
  const bytes = pdu.length - 2
  if (bytes <= 0 || bytes % fileReference.bytes !== 0 || pdu[1] !== bytes) return false
  for (let at = 2; at < pdu.length; at += fileReference.bytes)
    if (pdu[at] !== fileReference.type) return false
  return true
}

/** By its first bytes. */
function isReading(pdu: Buffer): boolean {
  const code = pdu[0] ?? 0
  if (code === functions.diagnostics) return pdu.length >= 3 && pdu.readUInt16BE(1) === returnQueryData
  if (code === functions.encapsulated) return pdu[1] === readDeviceIdentification
  return lengths[code] !== undefined
}

/** Understood to its last byte, and reading. */
function isReadingRequest(adu: Buffer): boolean {
  const pdu = adu.subarray(headerBytes)
  const length = lengths[pdu[0] ?? 0]
  const isWhole = typeof length === 'function' ? length(pdu) : length === pdu.length
  return isWhole && isReading(pdu) && adu.readUInt16BE(2) === 0
}

/** The answer with exception 1 to a request of which unit and function are known. */
function refusalOf(request: Buffer): Buffer {
  const answer = Buffer.alloc(headerBytes + 2)
  request.copy(answer, 0, 0, 2)
  answer.writeUInt16BE(3, 4)
  request.copy(answer, prefixBytes, prefixBytes, headerBytes + 1)
  answer[headerBytes] = (answer[headerBytes] ?? 0) | exceptionFlag
  answer[headerBytes + 1] = illegalFunction
  return answer
}

export class ModbusCounter implements RequestCounter {
  readonly counts = { reads: 0, writes: 0, refused: 0 }
  /** The function, and one below it. */
  readonly #requests = new FrameHeads({ ...requestFormat, headBytes: headerBytes + 3 })

  count(bytes: Buffer): void {
    for (const { head } of this.#requests.read(bytes)) {
      if (isReading(head.subarray(headerBytes))) this.counts.reads++
      else this.counts.writes++
    }
  }
}

export class ModbusFilter implements PortFilter {
  readonly counts = { reads: 0, writes: 0, refused: 0 }
  readonly #requests = new FrameHeads(requestFormat)
  readonly #answers = new FrameHeads(answerFormat)

  request(bytes: Buffer): FilterStep {
    const pass: Buffer[] = []
    const answers: Buffer[] = []
    const refuse = (request: Buffer): void => {
      this.counts.refused++
      answers.push(refusalOf(request))
    }
    for (const { head } of this.#requests.read(bytes)) {
      if (isReadingRequest(head)) {
        this.counts.reads++
        pass.push(head)
      } else {
        refuse(head)
      }
    }
    // Where the next request begins is not known.
    const { lost } = this.#requests
    if (lost !== null) refuse(lost)
    const over: PortOverReason | null = lost === null ? null : 'unclear'
    return { pass, answers, over }
  }

  endRequests(): void {
    if (!this.#requests.isBetween && this.#requests.lost === null) this.counts.refused++
  }

  answerEnd(bytes: Buffer): number {
    return this.#answers.read(bytes).at(-1)?.end ?? -1
  }

  get isBetweenAnswers(): boolean {
    return this.#answers.isBetween
  }
}
