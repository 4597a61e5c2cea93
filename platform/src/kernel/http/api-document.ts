import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { health as contract, type Lang, productVersion, type Route, routes } from '@busbar/contract'
import { openApiDocument } from '@busbar/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { chooseEncoding, type Encoding } from './accepted-encoding.ts'
import { langOf } from './api.ts'
import type { CallLimits } from './call-limits.ts'

/** Compressed once at the best level: a second of one thread saves each reader some kilobytes. */
const brotliQuality = 9

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** The document in one language, ready to be sent. */
interface Edition {
  readonly etag: string
  readonly bytes: Readonly<Record<Encoding | 'identity', Buffer>>
}

/**
 * `GET /api/openapi.json`, public and without the envelope. It is long, so it is made and compressed once for each
 * language: repeated requests of a stranger cost only the sending.
 */
export function registerApiDocument(
  app: FastifyInstance,
  limits: Pick<CallLimits, 'hookOf'>,
  make: (lang: Lang) => object = makeDocument,
): void {
  const editions = new Map<Lang, Promise<Edition>>()

  function editionOf(lang: Lang): Promise<Edition> {
    const known = editions.get(lang)
    if (known) return known
    const edition = makeEdition(make, lang)
    editions.set(lang, edition)
    // The next reader tries again.
    edition.catch(() => editions.delete(lang))
    return edition
  }

  app.get(
    contract.getOpenApi.path,
    { onRequest: limits.hookOf(contract.getOpenApi), exposeHeadRoute: true },
    async (request, reply) => {
      const { etag, bytes } = await editionOf(langOf(request))
      reply.headers({
        etag,
        'cache-control': 'public, max-age=300',
        vary: 'accept-encoding, accept-language',
      })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const encoding = chooseEncoding(request.headers['accept-encoding'])
      if (encoding) reply.header('content-encoding', encoding)
      return reply.type('application/json; charset=utf-8').send(bytes[encoding ?? 'identity'])
    },
  )
}

async function makeEdition(make: (lang: Lang) => object, lang: Lang): Promise<Edition> {
  const identity = Buffer.from(JSON.stringify(make(lang)))
  const [br, gzipped] = await Promise.all([
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    deflate(identity),
  ])
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  // A weak validator, because the document is the same in each encoding.
  return { etag: `W/"${hash}"`, bytes: { identity, br, gzip: gzipped } }
}

function makeDocument(lang: Lang): object {
  const documented: readonly Route[] = routes.filter((route) => /^\/e?api\//.test(route.path))
  return openApiDocument(documented, { title: 'Busbar', version: productVersion, lang })
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
