import type { X509Certificate } from 'node:crypto'
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { resetStream } from '@busbar/link'
import type { Tunnels } from '../../edge/tunnels/tunnel.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { NodeCertificate } from '../../kernel/nodes/node-certificate.ts'
import type { NodeDirectory } from '../../kernel/nodes/node-directory.ts'
import { judgeNode } from '../../kernel/nodes/node-identity.ts'
import type { Permits } from '../../kernel/nodes/permits.ts'
import { sessionWindowBytes, streamHeaders, streamWindowBytes } from './node-streams.ts'
import { purposeOf, roleOf, streamAct } from './stream-permit.ts'

/** Limit of one node: several tunnels of 128 streams each. */
const streamsOfNodeMax = 100_000
/** A line of which this many streams were not permitted is ended. */
const refusalsMax = 20

export interface StreamServerOptions {
  readonly certificate: NodeCertificate
  readonly directory: Pick<NodeDirectory, 'peek' | 'isRevoked' | 'refresh' | 'onRead'>
  readonly permits: Pick<Permits, 'take'>
  readonly tunnels: Pick<Tunnels, 'find'>
  readonly logger: Logger
}

/** A line of another node. */
interface Line {
  readonly session: ServerHttp2Session
  readonly certificate: X509Certificate | undefined
  /** The node at the other end; undefined where it was refused. */
  readonly nodeId: Promise<string | undefined>
  refusals: number
}

/** Lets other nodes open streams in the tunnels that end here. */
export class StreamServer {
  readonly #options: StreamServerOptions
  readonly #log: LogOnce
  readonly #server: Http2SecureServer
  readonly #lines = new Map<ServerHttp2Session, Line>()
  readonly #subscriptions: readonly (() => void)[]
  #streams = 0

  constructor(options: StreamServerOptions) {
    const { certificate, directory, logger } = options
    this.#options = options
    this.#log = createLogOnce(logger)
    this.#server = createSecureServer({
      ...certificate.credentials,
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
      this.#lines.set(session, this.#meet(session))
      session.setLocalWindowSize(sessionWindowBytes)
      session.once('close', () => this.#lines.delete(session))
    })
    this.#server.on('stream', (stream, headers, flags) => {
      this.#accept(stream as ServerHttp2Stream, headers, flags).catch((error: unknown) => {
        // Headers that HTTP/2 does not allow: only this stream ends.
        logger.debug({ err: error }, 'node.streamRefused')
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
      })
    })
    this.#server.on('tlsClientError', (error) => this.#log.warn({ err: error }, 'node.refused'))
    this.#server.on('sessionError', (error) => logger.debug({ err: error }, 'node.lineBroke'))
    this.#subscriptions = [
      certificate.onRenewed(() => this.#server.setSecureContext(certificate.credentials)),
      directory.onRead(() => this.#endRevoked()),
    ]
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
    for (const end of this.#subscriptions) end()
    this.#log.stop()
    for (const session of this.#lines.keys()) session.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #meet(session: ServerHttp2Session): Line {
    const certificate = (session.socket as TLSSocket).getPeerX509Certificate()
    const nodeId = this.#judge(certificate).then((judged) => {
      if ('id' in judged) return judged.id
      this.#log.warn({ subject: certificate?.subject, reason: judged.fault }, 'node.refused', judged.fault)
      session.destroy()
      return undefined
    })
    return { session, certificate, nodeId, refusals: 0 }
  }

  async #judge(certificate: X509Certificate | undefined): Promise<ReturnType<typeof judgeNode>> {
    const { directory } = this.#options
    if (!certificate) return { fault: 'unnamed' }
    const judged = judgeNode(certificate, 'client', directory)
    if (!('fault' in judged) || judged.fault !== 'unknown') return judged
    // One that has just started.
    await directory.refresh()
    return judgeNode(certificate, 'client', directory)
  }

  #endRevoked(): void {
    for (const { session, certificate } of this.#lines.values()) {
      const judged = certificate && judgeNode(certificate, 'client', this.#options.directory)
      // A node that is away for a moment keeps its line.
      if (judged && 'fault' in judged && judged.fault === 'revoked') session.destroy()
    }
  }

  /** Whether the node at the other end permitted this stream, in a permit that was not used before. */
  async #mayPass(line: Line | undefined, given: IncomingHttpHeaders): Promise<boolean> {
    const nodeId = await line?.nodeId
    if (!line || nodeId === undefined) return false
    const [machineId, openedAt] = [Number(given[streamHeaders.machine]), Number(given[streamHeaders.tunnel])]
    const act = streamAct({ machineId, openedAt }, given)
    const { permits } = this.#options
    const refusal = await permits.take(given[streamHeaders.permit], act, roleOf[purposeOf(given)], nodeId)
    if (!refusal) return true
    line.refusals++
    if (line.refusals >= refusalsMax) {
      this.#log.warn({ nodeId, reason: 'permits' }, 'node.refused', nodeId)
      line.session.destroy()
    }
    return false
  }

  async #accept(stream: ServerHttp2Stream, given: IncomingHttpHeaders, flags: number): Promise<void> {
    stream.on('error', () => undefined)
    const line = stream.session && this.#lines.get(stream.session as ServerHttp2Session)
    const mayPass = await this.#mayPass(line, given)
    if (stream.destroyed || stream.closed) return
    if (!mayPass) return stream.close(constants.NGHTTP2_CANCEL)
    const { [streamHeaders.machine]: machine, [streamHeaders.tunnel]: openedAt, ...passed } = given
    const { [streamHeaders.permit]: _, ...rest } = passed
    const tunnel = this.#options.tunnels.find(Number(machine))
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
