import { isJsonTooLarge } from '@busbar/contract'
import { resetStream, tunnelTarget } from '@busbar/link'
import type { z } from 'zod'
import type { TunnelLine } from '../../edge-link/edge-link.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import { startDeadline } from '../../kernel/deadline.ts'
import { Failure } from '../../kernel/http/failure.ts'

/** Values of one answer: a document of 5,000 tags has less. */
const jsonNodesMax = 100_000

export interface AgentQuestion {
  readonly path: string
  /** Without one it is a GET. */
  readonly body?: unknown
  readonly answerMsMax: number
  readonly answerBytesMax: number
}

export interface AgentAnswer {
  readonly status: number
  /** Checked against this form; throws `NotReachable` where it is of another. */
  read<Answer>(form: z.ZodType<Answer>): Answer
}

/** Asks an agent through its tunnel. Throws `NotReachable` where it does not answer in time, or nonsense. */
export async function askAgent(line: TunnelLine, question: AgentQuestion): Promise<AgentAnswer> {
  const hasBody = question.body !== undefined
  const stream = await line.openStream(
    {
      ':method': hasBody ? 'POST' : 'GET',
      ':path': question.path,
      ':authority': tunnelTarget.agent,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    { endStream: !hasBody, purpose: 'agent' },
  )
  if (typeof stream === 'string') throw stream === 'gone' ? new Failure('AGENT_AWAY') : new NotReachable()
  const callOff = startDeadline(question.answerMsMax, () => stream.destroy(new Error('no answer in time')))
  try {
    let status = 0
    stream.once('response', (headers) => {
      status = headers[':status'] ?? 0
    })
    if (hasBody) stream.end(JSON.stringify(question.body))
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > question.answerBytesMax) throw new NotReachable()
      chunks.push(chunk)
    }
    const text = Buffer.concat(chunks).toString('utf8')
    return { status, read: (form) => readAnswer(text, form) }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new NotReachable()
  } finally {
    callOff()
    if (!stream.destroyed) resetStream(stream, 'enough')
  }
}

function readAnswer<Answer>(text: string, form: z.ZodType<Answer>): Answer {
  if (isJsonTooLarge(text, jsonNodesMax)) throw new NotReachable()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new NotReachable()
  }
  const parsed = form.safeParse(value)
  if (!parsed.success) throw new NotReachable()
  return parsed.data
}
