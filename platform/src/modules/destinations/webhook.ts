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
import type { TryEnd } from './retry-rules.ts'
import type { Body } from './row-forms.ts'
import { signatureHeaders } from './signature.ts'

/** A part of a request or of an answer that is kept to be read. */
export const shownBytesMax = 65_536

/** A request to a destination, and how it ended. */
export interface Attempt {
  readonly end: TryEnd
  readonly ms: number
  readonly request: OutgoingRequest
  readonly answer: OutgoingAnswer | undefined
  readonly error: OutgoingError | undefined
}

/** The owner of a sealed secret: it opens for this destination only. */
export const secretOwner = (destinationId: number): string => `destination ${destinationId}`

export function openSecrets(secrets: SecretBox, settings: Pick<LaneSettings, 'destinationId' | 'sealed'>) {
  const owner = secretOwner(settings.destinationId)
  return settings.sealed.flatMap((sealed) => secrets.open(sealed, owner)?.toString() ?? [])
}

/**
 * Posts a body to a destination. Success is an answer of 2xx that is over within 15 s; the rest of a long one is not
 * waited for.
 * @throws the reason of the signal where it took the request back
 */
export async function post(
  outgoing: Pick<OutgoingCalls, 'request'>,
  settings: Pick<LaneSettings, 'url' | 'userId' | 'enterpriseId'>,
  options: {
    /** The same in every try. */
    readonly id: string
    readonly body: Body
    readonly secrets: readonly string[]
    readonly now: number
    readonly signal?: AbortSignal
    readonly isAlone?: boolean
  },
): Promise<Attempt> {
  const { id, body, secrets, now, signal, isAlone } = options
  const request: OutgoingRequest = {
    method: 'POST',
    to: parseTypedAddress(settings.url, { protocols: ['https', 'http'] }),
    headers: {
      'user-agent': 'Busbar',
      ...body.headers,
      ...signatureHeaders({ id, body: body.bytes, secrets, now }),
    },
    body: body.bytes,
    space: spaceOf(settings),
    signal,
    isAlone,
  }
  const begunAt = performance.now()
  const took = () => Math.round(performance.now() - begunAt)
  try {
    const answer = await outgoing.request(request)
    return { end: endOf(answer), ms: took(), request, answer, error: undefined }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const answered = /^3\d\d/.exec(error.detail ?? '')
    const status = error.code === 'redirect' && answered ? Number(answered[0]) : null
    return { end: { status, fault: error.code }, ms: took(), request, answer: undefined, error }
  }
}

function endOf({ status, cut, headers }: OutgoingAnswer): TryEnd {
  const retryAfter = headers['retry-after']
  if (status < 200 || status > 299) return { status, fault: 'status', retryAfter }
  return { status, fault: cut === undefined || cut === 'answerTooLarge' ? null : cut }
}

/** A request as it was sent, up to a length. */
export const showRequest = ({ request }: Attempt): string =>
  cut(Buffer.concat([Buffer.from(formatRequestHead(request)), Buffer.from(request.body ?? '')]))

/** An answer as it came; empty where none did. */
export const showAnswer = ({ answer }: Attempt): string =>
  answer ? cut(Buffer.concat([Buffer.from(answer.head), answer.body])) : ''

/** As text: other bytes are shown as U+FFFD, and PostgreSQL keeps no NUL. */
const cut = (bytes: Buffer): string =>
  bytes.subarray(0, shownBytesMax).toString().toWellFormed().replaceAll('\0', '\uFFFD')
