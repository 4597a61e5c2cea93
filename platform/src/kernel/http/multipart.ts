import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from './failure.ts'

const partsMax = 10

/** A form as it came: it is taken apart only after its sender was let in. */
export class SentForm {
  readonly #body: Buffer
  readonly #contentType: string

  constructor(body: Buffer, contentType: string) {
    this.#body = body
    this.#contentType = contentType
  }

  /**
   * Its fields; a file is a `File`.
   * @throws Failure 400 for an invalid form, or one with too many parts
   */
  async read(): Promise<Record<string, unknown>> {
    if (countParts(this.#body, this.#contentType) > partsMax) throw new Failure('400', { field: 'body' })
    try {
      const response = new Response(new Uint8Array(this.#body), {
        headers: { 'content-type': this.#contentType },
      })
      return Object.fromEntries(await response.formData())
    } catch {
      throw new Failure('400', { field: 'body' })
    }
  }
}

/** Lets the routes of a scope take `multipart/form-data`, whole and in memory. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      new SentForm(body, request.headers['content-type'] ?? ''),
  )
}

function countParts(body: Buffer, contentType: string): number {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (!name) return Number.POSITIVE_INFINITY
  const mark = `--${name}`
  let count = 0
  for (let at = body.indexOf(mark); at !== -1 && count <= partsMax + 1; at = body.indexOf(mark, at + 1))
    count++
  // The last one closes the form.
  return count - 1
}
