import type { z } from 'zod'

const answerMsMax = 5_000
const usualBytesMax = 256 * 1024

export type ProviderFault =
  | 'unreachable'
  | 'timeout'
  /** Asked too often: status 429. */
  | 'busy'
  | 'refused'
  /** It takes questions, and not this one: another text or other signals might be answered. */
  | 'questionRefused'
  | 'wrongAnswer'
  /** A position that says nothing about how exact it is. */
  | 'noRadius'
  /** A position far from all that is known of the machine. */
  | 'farAway'

/** Why a provider gave no answer, for an operator. */
export class ProviderFailed extends Error {
  readonly reason: ProviderFault
  /** Of HTTP, where the answer had one other than 200. */
  readonly status: number | undefined

  constructor(
    reason: ProviderFault,
    words: string,
    options: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(`${reason}: ${words}`, options)
    this.reason = reason
    this.status = options.status
  }
}

/** Failures that anybody can bring about by a text, or a machine by its signals: the provider may be well. */
const ofQuestion: ReadonlySet<ProviderFault> = new Set(['questionRefused', 'noRadius', 'farAway'])
export const isOfQuestion = ({ reason }: ProviderFailed): boolean => ofQuestion.has(reason)

/** The provider answered in its own format that it does not want to. */
export const refuse = (words: string, reason: 'refused' | 'questionRefused' = 'refused'): never => {
  throw new ProviderFailed(reason, words.slice(0, 200))
}

interface Question {
  /** Sent by POST. */
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Of the answer; 256 kB. */
  readonly answerBytesMax?: number | undefined
}

/**
 * Asks a service of the operator’s settings for JSON of a shape, within 5 s. The request has a key or a password in it,
 * and answers may repeat the request: errors tell neither.
 * @throws ProviderFailed
 */
export async function askJson<Shape extends z.ZodType>(
  url: URL,
  shape: Shape,
  { body, headers, answerBytesMax = usualBytesMax }: Question = {},
): Promise<z.output<Shape>> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const text = await fetchText(url, body ? post : { headers: { ...headers } }, answerBytesMax)
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw new ProviderFailed('wrongAnswer', `${text.length} characters of another form`)
  }
}

/** The header by which a person, or a program, signs in with a name and a secret (RFC 7617). */
export const basicOf = (user: string, secret: string): string =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`

async function fetchText(url: URL, init: RequestInit, bytesMax: number): Promise<string> {
  let status: number
  let text: string
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    })
    status = response.status
    text = await readText(response, bytesMax)
  } catch (error) {
    if (error instanceof ProviderFailed) throw error
    const { name } = error as Error
    throw new ProviderFailed(name === 'TimeoutError' ? 'timeout' : 'unreachable', url.host)
  }
  if (status === 200) return text
  throw new ProviderFailed(status === 429 ? 'busy' : 'refused', `status ${status}`, { status })
}

async function readText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new ProviderFailed('wrongAnswer', `more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
