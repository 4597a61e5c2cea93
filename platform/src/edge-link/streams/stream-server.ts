import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { resetStream } from '@busbar/link'
import type { Tunnels } from '../../edge/tunnels/tunnel.ts'
import type { NodeCredentials } from '../../kernel/cluster/node-credentials.ts'
import type { Logger } from '../../kernel/logger.ts'
import { sessionWindowBytes, streamHeaders, streamWindowBytes } from './node-streams.ts'

/** Limit of one node: several tunnels of 128 streams each. */
const streamsOfNodeMax = 100_000

export interface StreamServerOptions {
  readonly credentials: NodeCredentials
  readonly tunnels: Pick<Tunnels, 'find'>
  readonly logger: Logger
}

/** Lets other nodes open streams in the tunnels that end here. */
export class StreamServer {
  readonly #tunnels: Pick<Tunnels, 'find'>
  readonly #server: Http2SecureServer
  readonly #sessions = new Set<ServerHttp2Session>()
  #streams = 0

  constructor({ credentials, tunnels, logger }: StreamServerOptions) {
    this.#tunnels = tunnels
    this.#server = createSecureServer({
      ...credentials,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.3',
      settings: {
        initialWindowSize: streamWindowBytes,
        maxConcurrentStreams: streamsOfNodeMax,
        enableConnectProtocol: true,
      },
    })
    this.#server.on('session', (session) => {
      this.#sessions.add(session)
      session.setLocalWindowSize(sessionWindowBytes)
      session.once('close', () => this.#sessions.delete(session))
    })
    this.#server.on('stream', (stream, headers, flags) => {
      try {
        this.#accept(stream as ServerHttp2Stream, headers, flags)
      } catch (error) {
        // Headers that HTTP/2 does not allow: only this stream ends.
        logger.debug({ err: error }, 'node.streamRefused')
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
      }
    })
    this.#server.on('tlsClientError', (error) => logger.warn({ err: error }, 'node.refused'))
    this.#server.on('sessionError', (error) => logger.debug({ err: error }, 'node.lineBroke'))
  }

  /** Streams of other nodes that are open now. */
  get streams(): number {
    return this.#streams
  }

  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        const address = this.#server.address()
        resolve(typeof address === 'object' && address ? address.port : port)
      })
    })
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #accept(stream: ServerHttp2Stream, given: IncomingHttpHeaders, flags: number): void {
    stream.on('error', () => undefined)
    const { [streamHeaders.machine]: machine, [streamHeaders.tunnel]: openedAt, ...rest } = given
    const tunnel = this.#tunnels.find(Number(machine))
    if (!tunnel || String(tunnel.openedAt) !== openedAt) {
      stream.close(constants.NGHTTP2_CANCEL)
      return
    }
    const headers: OutgoingHttpHeaders = { ...rest }
    if (':scheme' in headers) headers[':scheme'] = 'http'
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    const inner = tunnel.request(headers, { endStream })
    if (!inner) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM)
      return
    }
    this.#streams++
    inner.once('response', (answer) => {
      if (stream.destroyed || stream.closed) return
      try {
        stream.respond({ ...answer } as OutgoingHttpHeaders)
      } catch {
        // Headers of the agent that HTTP/2 does not allow.
        resetStream(inner, 'its answer cannot be passed on')
        return
      }
      // Not by `pipeline`: a stream that it ends looks complete to the other side.
      inner.pipe(stream)
    })
    if (!endStream) stream.pipe(inner)
    inner.once('close', () => {
      this.#streams--
      if (!stream.destroyed && (inner.rstCode !== constants.NGHTTP2_NO_ERROR || !stream.headersSent))
        resetStream(stream, 'the tunnel broke it off')
    })
    stream.once('close', () => {
      if (!inner.destroyed && (stream.rstCode !== constants.NGHTTP2_NO_ERROR || !stream.writableFinished))
        resetStream(inner, 'the other node broke it off')
    })
  }
}
