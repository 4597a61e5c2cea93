import type { z } from 'zod'

const answerMsMax = 5_000
const answerBytesMax = 256 * 1024

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

  constructor(reason: ProviderFault, words: string, options?: ErrorOptions) {
    super(`${reason}: ${words}`, options)
    this.reason = reason
  }
}

/** Failures that anybody can bring about by a text, or a machine by its signals: the provider may be well. */
const ofQuestion: ReadonlySet<ProviderFault> = new Set(['questionRefused', 'noRadius', 'farAway'])
export const isOfQuestion = ({ reason }: ProviderFailed): boolean => ofQuestion.has(reason)

/** The provider answered in its own format that it does not want to. */
export const refuse = (words: string, reason: 'refused' | 'questionRefused' = 'refused'): never => {
  throw new ProviderFailed(reason, words.slice(0, 200))
}

/**
 * Asks a provider for JSON of a shape, within 5 s and 256 kB; with a body by POST. The request has the key in it, and
 * answers may repeat the request: errors tell neither.
 * @throws ProviderFailed
 */
export async function askJson<Shape extends z.ZodType>(
  url: URL,
  shape: Shape,
  body?: object,
): Promise<z.output<Shape>> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const text = await fetchText(url, body ? post : {})
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw new ProviderFailed('wrongAnswer', `${text.length} characters of another form`)
  }
}

async function fetchText(url: URL, init: RequestInit): Promise<string> {
  let status: number
  let text: string
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    })
    status = response.status
    text = await readText(response)
  } catch (error) {
    if (error instanceof ProviderFailed) throw error
    const { name } = error as Error
    throw new ProviderFailed(name === 'TimeoutError' ? 'timeout' : 'unreachable', url.host)
  }
  if (status === 429) throw new ProviderFailed('busy', 'status 429')
  if (status !== 200) refuse(`status ${status}`)
  return text
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > answerBytesMax) throw new ProviderFailed('wrongAnswer', `more than ${answerBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
