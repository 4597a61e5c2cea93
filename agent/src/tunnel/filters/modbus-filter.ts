import type { PortOverReason } from '@busbar/link'
import { FrameHeads } from './frame-heads.ts'
import {
  answerFormat,
  exceptionFlag,
  headerBytes,
  isReadingRequest,
  prefixBytes,
  requestFormat,
} from './modbus-requests.ts'
import type { FilterStep, PortFilter } from './port-filter.ts'

const illegalFunction = 1

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
