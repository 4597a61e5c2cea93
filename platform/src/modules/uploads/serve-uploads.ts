import type { FastifyInstance } from 'fastify'
import type { CallLimits } from '../../kernel/http/call-limits.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type PictureKind, pictureTypes } from './read-picture.ts'
import { type Db, findUpload } from './uploads-store.ts'

/** A picture opened by itself, on the console's own host, can do nothing. */
const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** `GET /uploads/{key}.{kind}`: public and immutable. */
export function registerUploads(app: FastifyInstance, db: Db, limits: CallLimits): void {
  const onRequest = limits.hookOf({ limits: ['publicCalls'] })
  app.get('/uploads/:file', { onRequest, exposeHeadRoute: true }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const [, key, kind] = /^([0-9a-f]{32})\.(svg|png|jpg|webp)$/.exec(file) ?? []
    const upload = key === undefined ? undefined : await findUpload(db, key)
    if (!upload || upload.kind !== kind) throw new Failure('404')
    return reply
      .headers({
        'content-type': pictureTypes[upload.kind as PictureKind],
        'content-security-policy': sandboxPolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(upload.content)
  })
}
