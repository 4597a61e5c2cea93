import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { langOf } from './api.ts'
import { failure } from './envelope.ts'
import { Failure } from './failure.ts'

/** Styles may stand in attributes, which charts and long lists need; scripts only in files of ours. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every answer of the console's host. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(self), microphone=()',
}

/** Serves the built console: hashed assets for a year and precompressed, the page itself never cached. */
export async function registerConsole(app: FastifyInstance, dist: string): Promise<void> {
  const indexFile = path.join(dist, 'index.html')
  const built = existsSync(indexFile)
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      index: false,
      preCompressed: true,
      wildcard: false,
      cacheControl: false,
      setHeaders(reply, file) {
        const hashed = file.includes(`${path.sep}assets${path.sep}`)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  const page = built ? await readFile(indexFile, 'utf8') : undefined
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*') && !/\.\w+$/.test(pathOf(request.url))
    const isApi = /^\/(api|eapi)\//.test(request.url)
    if (request.method !== 'GET' || isApi || !wantsPage) {
      const { status, body } = failure(new Failure('404'), langOf(request))
      return reply.code(status).send(body)
    }
    return sendPage(request.host, request.url, page, reply)
  })
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

function sendPage(host: string, url: string, page: string | undefined, reply: FastifyReply): FastifyReply {
  // Cookies and visits hang on names: a console opened by its loopback address moves to localhost (decision 41).
  const loopback = /^127\.0\.0\.1(:\d+)?$/.exec(host)
  if (loopback) return reply.redirect(`http://localhost${loopback[1] ?? ''}${url}`)
  if (page === undefined) return reply.code(503).type('text/plain').send('The console is not built')
  return reply.header('cache-control', 'no-cache').type('text/html').send(page)
}
