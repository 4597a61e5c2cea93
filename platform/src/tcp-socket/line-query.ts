import { isStreamId } from '@busbar/link'

const nameLettersMax = 300

/** The wishes of a program for a line, in the query of its address. */
export interface LineQuery {
  readonly port: string
  readonly stream: string
  /** Position from which it wants bytes. */
  readonly from: number
  /** It goes on with a stream that was open. */
  readonly resume: boolean
}

/** Undefined where a part is missing or wrong. */
export function parseLineQuery(query: URLSearchParams): LineQuery | undefined {
  const port = query.get('port') ?? ''
  const stream = query.get('stream') ?? ''
  const from = query.get('from') ?? ''
  const resume = query.get('resume')
  const position = /^\d{1,16}$/.test(from) ? Number(from) : Number.NaN
  const isWhole = port !== '' && port.length <= nameLettersMax && isStreamId(stream)
  if (!isWhole || !Number.isSafeInteger(position) || (resume !== null && resume !== '1')) return undefined
  return { port, stream, from: position, resume: resume === '1' }
}
