import {
  formatRequestHead,
  type OutgoingAnswer,
  type OutgoingCalls,
  OutgoingError,
  type OutgoingRequest,
  parseTypedAddress,
} from '../../kernel/outgoing-http/index.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { spaceOf } from '../spaces/index.ts'
import type { LaneSettings } from './lanes-store.ts'
import { meaningOf, type TryEnd } from './retry-rules.ts'
import { formatBody } from './row-forms.ts'
import { signatureHeaders } from './signature.ts'
import { type Attempt, type Sending, showBytes, type Transport } from './transport.ts'

/** The owner of a sealed secret: it opens for this destination only. */
export const secretOwner = (destinationId: number): string => `destination ${destinationId}`

/**
 * Posts rows as one request. Success is an answer of 2xx that is over within 15 s; the rest of a long one is not waited
 * for. Connections are kept by `OutgoingCalls`.
 */
export class Webhook implements Transport {
  readonly #outgoing: Pick<OutgoingCalls, 'request'>
  readonly #secrets: SecretBox

  constructor(outgoing: Pick<OutgoingCalls, 'request'>, secrets: SecretBox) {
    this.#outgoing = outgoing
    this.#secrets = secrets
  }

  async send(settings: LaneSettings, { id, rows, now, signal, isAlone }: Sending): Promise<Attempt> {
    const body = formatBody(
      rows.map(({ sent }) => sent),
      settings,
    )
    const request: OutgoingRequest = {
      method: 'POST',
      to: parseTypedAddress(settings.url, { protocols: ['https', 'http'] }),
      headers: {
        'user-agent': 'Busbar',
        ...body.headers,
        ...signatureHeaders({ id, body: body.bytes, secrets: this.#open(settings), now }),
      },
      body: body.bytes,
      space: spaceOf(settings),
      signal,
      isAlone,
    }
    const begunAt = performance.now()
    const attempt = (end: TryEnd, answer?: OutgoingAnswer, error?: OutgoingError): Attempt => ({
      end,
      ms: Math.round(performance.now() - begunAt),
      bytes: body.bytes.length,
      cut: answer?.cut,
      connection: answer?.connection ?? error?.connection,
      answerMs: answer?.answerMs,
      error,
      detail: error?.detail ?? error?.problem ?? '',
      showRequest: () => showBytes(formatRequestHead(request), body.bytes),
      showAnswer: () => (answer ? showBytes(answer.head, answer.body) : ''),
    })
    try {
      const answer = await this.#outgoing.request(request)
      return attempt(endOf(answer), answer)
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      const answered = /^3\d\d/.exec(error.detail ?? '')
      const status = error.code === 'redirect' && answered ? Number(answered[0]) : null
      return attempt({ status, fault: error.code }, undefined, error)
    }
  }

  close(): void {
    // The signal of a request takes it back.
  }

  #open({ destinationId, sealed }: LaneSettings): string[] {
    const owner = secretOwner(destinationId)
    return sealed.flatMap((each) => this.#secrets.open(each, owner)?.toString() ?? [])
  }
}

function endOf({ status, cut, headers }: OutgoingAnswer): TryEnd {
  const retryAfter = headers['retry-after']
  if (status < 200 || status > 299) return { status, fault: 'status', means: meaningOf(status), retryAfter }
  return { status, fault: cut === undefined || cut === 'answerTooLarge' ? null : cut }
}
