import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const chunkBytes = 64 * 1024
const recordingChunkMs = 50
const pieceBytes = 1024 * 1024

/** Paths of the file server. */
export const filePaths = {
  /** A recording that is sent as it grows, and so never ends. */
  recording: '/recording.bin',
  /** As long as `?bytes=` says: the first MiB, and the rest when the test lets it go. */
  large: '/large.bin',
  /** Takes a part of an upload, and the rest when the test releases it; returns what it received. */
  upload: '/upload',
} as const

/** The bytes that a device received of an upload, or a page of a download. */
export interface Received {
  readonly bytes: number
  readonly sha256: string
}

/** A device beside the agent that keeps files, for downloads and uploads through the tunnel. */
export interface FileServer {
  readonly url: string
  /** The headers of each request it got. */
  readonly seen: readonly IncomingHttpHeaders[]
  /** Recordings that are on their way. */
  readonly openRecordings: number
  /** Bytes of the upload under way, or of the last one. */
  readonly uploadedBytes: number
  /** Releases the held data. */
  letGo(): void
  close(): Promise<void>
}

/** Starts it on this machine. */
export async function startFileServer(): Promise<FileServer> {
  const seen: IncomingHttpHeaders[] = []
  const recordings = new Set<ServerResponse>()
  let uploadedBytes = 0
  let gate = Promise.withResolvers<void>()

  async function sendRecording(response: ServerResponse): Promise<void> {
    recordings.add(response)
    response.once('close', () => recordings.delete(response))
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=recording.bin',
    })
    while (!response.destroyed) {
      response.write(Buffer.alloc(chunkBytes, 'r'))
      await sleep(recordingChunkMs)
    }
  }

  async function sendLarge(response: ServerResponse, bytes: number): Promise<void> {
    const { promise: allowed } = gate
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes })
    for (const [place, piece] of largePieces(bytes).entries()) {
      if (place === 1) await allowed
      if (!response.write(piece)) await once(response, 'drain')
    }
    response.end()
  }

  async function takeUpload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { promise: allowed } = gate
    const hash = createHash('sha256')
    uploadedBytes = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const isFirst = uploadedBytes === 0
      uploadedBytes += chunk.length
      hash.update(chunk)
      if (isFirst) await allowed
    }
    const received: Received = { bytes: uploadedBytes, sha256: hash.digest('hex') }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.push(request.headers)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://files.invalid')
    switch (pathname) {
      case filePaths.recording:
        return sendRecording(response)
      case filePaths.large:
        return sendLarge(response, Number(searchParams.get('bytes')))
      case filePaths.upload:
        return takeUpload(request, response)
      default:
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(
          `<link rel=icon href="data:,"><h1>Files</h1><a href="${filePaths.recording}">recording.bin</a>`,
        )
    }
  }

  function letGo(): void {
    gate.resolve()
    gate = Promise.withResolvers()
  }

  const server = createServer((request, response) => {
    // Some tests break the connection on purpose.
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    get openRecordings() {
      return recordings.size
    },
    get uploadedBytes() {
      return uploadedBytes
    },
    letGo,
    async close() {
      letGo()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The large file, MiB by MiB: no two alike, so that a piece in the wrong place shows. */
function largePieces(bytes: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, place) =>
    Buffer.alloc(Math.min(pieceBytes, bytes - place * pieceBytes), `piece ${place} `),
  )
}

/** The length and hash of the whole large file. */
export function describeLarge(bytes: number): Received {
  const hash = createHash('sha256')
  for (const piece of largePieces(bytes)) hash.update(piece)
  return { bytes, sha256: hash.digest('hex') }
}
