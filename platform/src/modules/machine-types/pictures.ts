import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { operator as contract } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import type { CallLimits } from '../../kernel/http/call-limits.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { builtInIcons } from './built-in-icons.ts'

const prefix = '/machine-types/'
const folder = path.join(import.meta.dirname, 'pictures')
const hashDigits = 16

interface BuiltIn {
  readonly url: string
  readonly content: Buffer
}

/** Drawings of 64 × 48 in one colour. A changed drawing gets a new address, so browsers may cache each permanently. */
const builtIns = new Map<string, BuiltIn>(
  contract.builtInPictures.map((name) => {
    const content = readFileSync(path.join(folder, `${name}.svg`))
    const hash = createHash('sha256').update(content).digest('hex').slice(0, hashDigits)
    return [name, { url: `${prefix}${name}.${hash}.svg`, content }]
  }),
)
const byUrl = new Map([...builtIns.values()].map(({ url, content }) => [url, content]))

const isBuiltIn = (picture: string): picture is contract.BuiltInPicture => builtIns.has(picture)

/** The address of a picture and its icon for a small box. An uploaded picture gets the icon of a machine. */
export function presentPicture(picture: string): { image: string; icon: string } {
  if (picture.startsWith('/uploads/')) return { image: picture, icon: '' }
  const name = isBuiltIn(picture) ? picture : 'machine'
  return { image: builtIns.get(name)?.url ?? '', icon: builtInIcons[name] }
}

/** Every picture that the platform includes. */
export function listBuiltIn() {
  return contract.builtInPictures.map((picture) => ({ picture, ...presentPicture(picture) }))
}

/** `GET /machine-types/{name}.{hash}.svg`: public and immutable. */
export function registerMachinePictures(app: FastifyInstance, limits: CallLimits): void {
  const onRequest = limits.hookOf({ limits: ['publicCalls'] })
  app.get(`${prefix}:file`, { onRequest, exposeHeadRoute: true }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const content = byUrl.get(`${prefix}${file}`)
    if (!content) throw new Failure('404')
    return reply
      .headers({
        'content-type': 'image/svg+xml',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(content)
  })
}
