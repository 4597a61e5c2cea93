import { downloads as contract } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../kernel/http/bind.ts'
import type { CallLimits } from '../../kernel/http/call-limits.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { sendFile } from '../../kernel/http/send-file.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { Downloads, manifestName, signatureName } from './downloads.ts'

export interface DownloadsModule extends Module {
  readonly downloads: Downloads
}

/** The command that makes them. */
const makingCommand = 'npm run build'

/** Programs that people download: the list, and the files. `dir`: the folder where no setting names one. */
export function createDownloadsModule(
  { config, logger }: Kernel,
  { dir }: { readonly dir: string },
): DownloadsModule {
  const downloads = new Downloads({
    dir: config.DOWNLOADS_DIR ?? dir,
    keyFile: config.DOWNLOADS_KEY_FILE,
    logger,
  })
  return {
    name: 'downloads',
    roles: ['api'],
    downloads,
    routes: [
      bind(contract.listDownloads, async () => {
        const { state, files, manifest, signature } = await downloads.list()
        return {
          state,
          missing: state === 'missing' ? makingCommand : null,
          manifestUrl: manifest ? `${contract.downloadPath}${manifestName}` : null,
          signatureUrl: signature ? `${contract.downloadPath}${signatureName}` : null,
          files: [...files],
        }
      }),
    ],
    serve: (app, limits) => serveDownloads(app, downloads, limits),
  }
}

/** `GET /download/{file}`: public, the names of the manifest alone. */
function serveDownloads(app: FastifyInstance, downloads: Downloads, limits: CallLimits): void {
  const onRequest = limits.hookOf({ limits: ['publicCalls'] })
  // With a name: the address of the folder itself is a page of the console.
  app.get(
    `${contract.downloadPath}:file(^.+$)`,
    { onRequest, exposeHeadRoute: true },
    async (request, reply) => {
      const { file: name } = request.params as { file: string }
      const { files, manifest, signature } = await downloads.list()
      const text = name === manifestName ? manifest : name === signatureName ? signature : undefined
      if (text) {
        const type = name === manifestName ? 'application/json' : 'text/plain'
        return reply.headers({ 'content-type': type, 'cache-control': 'no-cache' }).send(text)
      }
      const file = files.find((one) => one.file === name)
      if (!file) throw new Failure('404')
      return sendFile(request, reply, {
        name: file.file,
        mediaType: 'application/octet-stream',
        bytes: file.bytes,
        tag: file.sha256,
        // A version in development is built again under its name.
        isPublic: !file.version.includes('-dev'),
        open: (from, to) => downloads.open(file, from, to),
      })
    },
  )
}
