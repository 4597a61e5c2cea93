import { setTimeout as wait } from 'node:timers/promises'
import type { LineOptions } from '../polled/line-options.ts'
import type { OpenLine } from '../polled/protocol.ts'
import { NoAnswer } from '../polled/protocol.ts'
import type { IsoOptions } from './iso-line.ts'
import { openIsoLine } from './iso-line.ts'
import type { ReadSpan } from './plan-reads.ts'
import type { S7Refusal } from './reasons.ts'
import type { Answer, S7Write } from './s7-pdu.ts'
import {
  checkWritten,
  parseAnswer,
  parseRead,
  parseSetUp,
  readRequest,
  setUpRequest,
  writeBytesMax,
  writeRequest,
} from './s7-pdu.ts'

/** An open connection to one controller, which agreed to S7 communication. */
export interface S7Line extends OpenLine {
  /** The longest message that the controller accepts and sends. */
  readonly pduBytes: number
  /** The most concurrent requests. */
  readonly jobs: number
  /**
   * The bytes of each span, in order, or why the controller refuses it. Rejects if the connection can no
   * longer be trusted.
   */
  read(spans: readonly ReadSpan[]): Promise<(Buffer | S7Refusal)[]>
  /**
   * Writes a bit or bytes; those of more than one message from the last to the first. Rejects with
   * `S7Refusal` if the controller refuses, and as `read` does.
   */
  write(change: S7Write): Promise<void>
}

interface Waiting {
  resolve(answer: Answer): void
  reject(reason: Error): void
  timer: ReturnType<typeof setTimeout>
}

/** Connects and agrees on the length of messages; rejects in words for a person. */
export async function openS7Line(options: IsoOptions & Pick<LineOptions, 'pauseMs'>): Promise<S7Line> {
  const { timeoutMs, pauseMs } = options
  const waiting = new Map<number, Waiting>()
  let reference = 0

  function end(reason: Error): void {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(reason)
    }
    waiting.clear()
  }

  function take(message: Buffer): void {
    const answer = parseAnswer(message)
    const asked = answer === null ? undefined : waiting.get(answer.reference)
    // It answers no open request.
    if (answer === null || asked === undefined) return
    waiting.delete(answer.reference)
    clearTimeout(asked.timer)
    asked.resolve(answer)
  }

  const iso = await openIsoLine(options, { onMessage: take, onClose: end })

  async function ask(encode: (reference: number) => Buffer): Promise<Answer> {
    if (reference > 0 && pauseMs > 0) await wait(pauseMs)
    if (!iso.isOpen()) throw new Error('the connection is closed')
    reference = (reference + 1) & 0xffff
    const own = reference
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        iso.close()
        end(new NoAnswer(timeoutMs))
      }, timeoutMs)
      waiting.set(own, { resolve, reject, timer })
      iso.send(encode(own))
    })
  }

  try {
    const { pduBytes, jobs } = parseSetUp(await ask(setUpRequest))
    return {
      isOpen: () => iso.isOpen(),
      pduBytes,
      // A pause is between two requests.
      jobs: pauseMs > 0 ? 1 : jobs,
      read: async (spans) => parseRead(await ask((own) => readRequest(own, spans)), spans),
      async write(change) {
        for (const part of partsOf(change, writeBytesMax(pduBytes)))
          checkWritten(await ask((own) => writeRequest(own, part)))
      },
      close() {
        iso.close()
        end(new Error('the connection is closed'))
      },
    }
  } catch (error) {
    iso.close()
    throw error
  }
}

/** The last first, so that the length in front of a text is written after its characters. */
function partsOf(change: S7Write, bytesMax: number): S7Write[] {
  const { start, data } = change
  if (data.length <= bytesMax) return [change]
  const count = Math.ceil(data.length / bytesMax)
  return Array.from({ length: count }, (_, part) => ({
    ...change,
    start: start + part * bytesMax,
    data: data.subarray(part * bytesMax, (part + 1) * bytesMax),
  })).reverse()
}
