import type { Machine, WriteSource } from '../machine.ts'
import type { Tag, TagValue } from '../tag.ts'
import type { PageRequest } from '../tunnel/page-handler.ts'
import type { PageErrorCode, WriteView } from './page-api.ts'
import { pageLimits } from './page-limits.ts'
import { isWide, wireValue } from './page-views.ts'

/** Why a request was refused, with its HTTP status. */
export class PageRefusal extends Error {
  readonly status: number
  readonly code: PageErrorCode

  constructor(status: number, code: PageErrorCode) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Performs a write from the page; throws `PageRefusal` if the machine does not try it. */
export async function writeTag(
  machine: Machine,
  asked: { tag: number; value: TagValue },
  source: WriteSource,
): Promise<WriteView> {
  const result = await machine.write(asked.tag, asked.value, source)
  if ('refused' in result) throw new PageRefusal(409, result.refused)
  return { tag: asked.tag, state: result.state, kept: wireValue(result.kept), reason: result.error }
}

/** The body of a write, checked against what the tag can hold at all; the machine checks its range. */
export function parseWrite(text: string, tags: readonly Tag[]): { tag: number; value: TagValue } {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new PageRefusal(400, 'badRequest')
  }
  if (typeof body !== 'object' || body === null || !('tag' in body) || !('value' in body)) {
    throw new PageRefusal(400, 'badRequest')
  }
  const { tag: index, value } = body
  const tag = typeof index === 'number' ? tags[index] : undefined
  if (tag === undefined || typeof index !== 'number') throw new PageRefusal(409, 'unknownTag')
  const parsed = parseValue(tag, value)
  if (parsed === null) throw new PageRefusal(409, 'type')
  return { tag: index, value: parsed }
}

function parseValue(tag: Tag, value: unknown): TagValue | null {
  if (tag.type === 'bool') return typeof value === 'boolean' ? value : null
  if (tag.type === 'string') {
    return typeof value === 'string' && Buffer.byteLength(value) <= pageLimits.textBytesMax ? value : null
  }
  if (isWide(tag)) {
    if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
    return Number.isSafeInteger(value) ? BigInt(value as number) : null
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Reads a JSON body of at most 4 kB. Throws `PageRefusal`. */
export async function readBody({ headers, body }: PageRequest): Promise<string> {
  // Another site's form can send texts and forms without a preflight, but never this type.
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new PageRefusal(415, 'notJson')
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const part = Buffer.from(chunk as Buffer)
    bytes += part.length
    if (bytes > pageLimits.bodyBytesMax) throw new PageRefusal(413, 'tooLarge')
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}
