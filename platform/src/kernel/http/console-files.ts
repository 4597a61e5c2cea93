import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type AnswerOf, alarmContacts, type brands, type Lang } from '@busbar/contract'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { langOf } from './api.ts'
import { failure } from './envelope.ts'
import { Failure } from './failure.ts'

/** Styles may be in attributes, which charts and long lists need; scripts only in files of ours. */
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

/** The fields of a brand that the page shows. */
export type BrandFace = AnswerOf<typeof brands.getBrand>

/** Headers of every answer of the console's host. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(self), microphone=()',
}

/**
 * Serves the built console: hashed assets for a year and precompressed, the page itself never cached, with the face of
 * the brand of its host.
 */
export async function registerConsole(
  app: FastifyInstance,
  dist: string,
  findFace: (host: string) => BrandFace,
): Promise<void> {
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
      /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*') && !fileEnding.test(pathOf(request.url))
    const isApi = /^\/(api|eapi)\//.test(request.url)
    if (request.method !== 'GET' || isApi || !wantsPage) {
      const { status, body } = failure(new Failure('404'), langOf(request), request.url)
      return reply.code(status).send(body)
    }
    const dressed = page && dressPage(page, findFace(request.host), langOf(request))
    if (isLinkPage(request.url)) reply.header('referrer-policy', 'no-referrer')
    return sendPage(request.host, request.url, dressed, reply)
  })
}

/** The ending of a missing file's name. A token with a dot in it, such as in the address of a QR code, is longer. */
const fileEnding = /\.\w{1,11}$/

/** A page whose address contains a token: its address must not appear in a referrer. */
const isLinkPage = (url: string): boolean =>
  Object.values(alarmContacts.linkPages).some((begin) => url.startsWith(begin))

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/** Name, picture and colour are there at the first paint; the console reads the rest from the page as well. */
export function dressPage(page: string, face: BrandFace, lang: Lang): string {
  const colour = face.theme.accent ? ` data-brand style="--brand:${face.theme.accent}"` : ''
  // Functions, because a replacement text with `$&` would insert the match.
  return page
    .replace(/<html[^>]*/, (html) => `${html}${colour}`)
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(face.platformName[lang])}`)
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escapeHtml(face.faviconUrl)}" />`)
    .replace('</head>', () => `<meta name="brand" content="${escapeHtml(JSON.stringify(face))}" /></head>`)
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function sendPage(host: string, url: string, page: string | undefined, reply: FastifyReply): FastifyReply {
  // Cookies and visits hang on names: a console opened by its loopback address moves to localhost.
  const loopback = /^127\.0\.0\.1(:\d+)?$/.exec(host)
  if (loopback) return reply.redirect(`http://localhost${loopback[1] ?? ''}${url}`)
  if (page === undefined) return reply.code(503).type('text/plain').send('The console is not built')
  return reply.header('cache-control', 'no-cache').type('text/html').send(page)
}
