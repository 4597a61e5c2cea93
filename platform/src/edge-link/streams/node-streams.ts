import { X509Certificate } from 'node:crypto'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
  sensitiveHeaders,
} from 'node:http2'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { NodeCertificate } from '../../kernel/nodes/node-certificate.ts'
import type { NodeDirectory } from '../../kernel/nodes/node-directory.ts'
import { judgeNode } from '../../kernel/nodes/node-identity.ts'
import type { Permits } from '../../kernel/nodes/permits.ts'
import { NotReachable } from '../not-reachable.ts'
import { streamAct } from './stream-permit.ts'

/** Name the machine and the tunnel of a stream between nodes, and permit it; the agent never sees them. */
export const streamHeaders = {
  machine: 'busbar-machine',
  tunnel: 'busbar-tunnel',
  permit: 'busbar-permit',
} as const

/** Bytes that each stream may have on their way: half of it is needed for 100 MB/s at 10 ms. */
export const streamWindowBytes = 2 * 1024 * 1024
/** All streams of a session together. */
export const sessionWindowBytes = 32 * 1024 * 1024
const connectMsMax = 5_000
/** A session without a stream is closed after this. */
const idleMsMax = 60_000
/** A dead line is detected after two of these. */
const pingMs = 5_000

/** The tunnel that a stream is for, and the node at which it ends; `openedAt` names it among those of its machine. */
export interface StreamTunnel {
  readonly machineId: number
  readonly openedAt: number
  readonly nodeId: string
  readonly address: string
}

export interface NodeStreamsOptions {
  /** Without one no stream leaves this process. */
  readonly certificate: NodeCertificate | undefined
  readonly directory: Pick<NodeDirectory, 'peek' | 'isRevoked' | 'onRead' | 'find'>
  readonly permits: Pick<Permits, 'issue'>
  readonly logger: Logger
}

/** A line to another node. */
interface Line {
  readonly nodeId: string
  readonly opening: Promise<ClientHttp2Session>
  /** That of the other side, once it is known. */
  readonly certificate: X509Certificate | undefined
  end(failure: Error): void
  /** Begins no further stream on it; those that are under way go on. */
  leave(): void
}

/** Opens streams in tunnels that end at other nodes: one HTTP/2 session to each node, with certificates of both sides. */
export class NodeStreams {
  readonly #options: NodeStreamsOptions
  readonly #lines = new Map<string, Line>()
  readonly #subscriptions: readonly (() => void)[]

  constructor(options: NodeStreamsOptions) {
    this.#options = options
    const { certificate, directory } = options
    this.#subscriptions = [
      directory.onRead(() => this.#endRevoked()),
      // Streams under way end on the line that they began on.
      certificate?.onRenewed(() => {
        for (const line of [...this.#lines.values()]) line.leave()
      }) ?? (() => undefined),
    ]
  }

  get sessions(): number {
    return this.#lines.size
  }

  /**
   * Opens a stream. The node resets it with REFUSED_STREAM where the tunnel is full, and with CANCEL where it is gone.
   * @throws NotReachable where the node cannot be reached, or does not live
   */
  async open(
    tunnel: StreamTunnel,
    headers: OutgoingHttpHeaders,
    options: { readonly endStream: boolean },
  ): Promise<ClientHttp2Stream> {
    const { machineId, openedAt, nodeId } = tunnel
    // One that has just started may not be known yet.
    if (!(await this.#options.directory.find(nodeId))) throw new NotReachable()
    const session = await this.#session(tunnel)
    const permit = await this.#options.permits.issue(nodeId, streamAct(tunnel, headers))
    // It may have ended since it was opened, and would throw.
    if (permit === undefined || session.closed || session.destroyed) throw new NotReachable()
    const stream = session.request(
      {
        ...headers,
        [streamHeaders.machine]: String(machineId),
        [streamHeaders.tunnel]: String(openedAt),
        [streamHeaders.permit]: permit,
        // Used once, so it has no place in the table of headers (RFC 7541, 7.1.3).
        [sensitiveHeaders]: [streamHeaders.permit],
      },
      options,
    )
    // Without a listener an error of a stream would end the process.
    stream.on('error', () => undefined)
    return stream
  }

  async stop(): Promise<void> {
    for (const end of this.#subscriptions) end()
    for (const line of [...this.#lines.values()]) line.end(new Error('this node stops'))
    this.#lines.clear()
  }

  #session({ nodeId, address }: StreamTunnel): Promise<ClientHttp2Session> {
    const name = `${nodeId} ${address}`
    const known = this.#lines.get(name)
    if (known) return known.opening
    const forget = () => {
      if (this.#lines.get(name) === line) this.#lines.delete(name)
    }
    const line = this.#connect(nodeId, address, forget)
    this.#lines.set(name, line)
    return line.opening
  }

  #endRevoked(): void {
    const { directory } = this.#options
    for (const line of [...this.#lines.values()]) {
      const { certificate } = line
      if (certificate && directory.isRevoked(line.nodeId, certificate.validFromDate))
        line.end(new Error('the node was revoked'))
    }
  }

  /** `forget` is called once no further stream may begin on the session. */
  #connect(nodeId: string, address: string, forget: () => void): Line {
    const { certificate: own, directory, logger } = this.#options
    const opening = Promise.withResolvers<ClientHttp2Session>()
    const fail = (error: unknown) => {
      logger.warn({ err: error, nodeId, address }, 'node.unreachable')
      opening.reject(new NotReachable())
    }
    if (!own) {
      queueMicrotask(() => {
        forget()
        fail(new Error('this node has no certificate for other nodes'))
      })
      const nothing = () => undefined
      return { nodeId, opening: opening.promise, certificate: undefined, end: nothing, leave: nothing }
    }
    let certificate: X509Certificate | undefined
    const session = connect(`https://${address}`, {
      ...own.credentials,
      minVersion: 'TLSv1.3',
      settings: { initialWindowSize: streamWindowBytes, enablePush: false },
      checkServerIdentity(host: string, peer: PeerCertificate) {
        certificate = new X509Certificate(peer.raw)
        const judged = judgeNode(certificate, 'server', directory)
        if ('fault' in judged) return new Error(`the certificate is refused: ${judged.fault}`)
        if (judged.id !== nodeId) return new Error(`the certificate is of ${judged.id}, not of ${nodeId}`)
        return checkServerIdentity(host, peer)
      },
    })
    // Of a frozen peer no `close` comes: the line is given up without waiting for it.
    let isOver = false
    const over = (failure: unknown) => {
      clearTimeout(late)
      clearInterval(ping)
      forget()
      if (isOver) return
      isOver = true
      fail(failure)
    }
    const end = (failure: Error) => {
      over(failure)
      session.destroy(failure)
    }
    const leave = () => {
      forget()
      session.close()
    }
    const late = setTimeout(() => end(new Error('the node does not answer')), connectMsMax)
    let isHeard = true
    const look = () => {
      if (!isHeard || session.destroyed) return end(new Error('no sign of life'))
      isHeard = false
      session.ping((error) => {
        isHeard = !error
      })
    }
    const ping = every(pingMs, look, this.#options.logger)
    session.once('remoteSettings', () => {
      clearTimeout(late)
      isOver = true
      session.setLocalWindowSize(sessionWindowBytes)
      opening.resolve(session)
    })
    session.setTimeout(idleMsMax, () => session.close())
    let failure: unknown = new Error('the node closed the line')
    session.on('error', (error) => {
      failure = error
    })
    session.once('goaway', leave)
    session.once('close', () => over(failure))
    return {
      nodeId,
      opening: opening.promise,
      get certificate() {
        return certificate
      },
      end,
      leave,
    }
  }
}
