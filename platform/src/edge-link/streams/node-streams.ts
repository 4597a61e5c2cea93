import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { NodeCredentials } from '../../kernel/cluster/node-credentials.ts'
import type { Logger } from '../../kernel/logger.ts'
import { NotReachable } from '../not-reachable.ts'

/** Names the machine and the tunnel of a stream between nodes; the agent never sees them. */
export const streamHeaders = { machine: 'busbar-machine', tunnel: 'busbar-tunnel' } as const

/** Bytes that each stream may have on their way: half of it is needed for 100 MB/s at 10 ms. */
export const streamWindowBytes = 2 * 1024 * 1024
/** All streams of a session together. */
export const sessionWindowBytes = 32 * 1024 * 1024
const connectMsMax = 5_000
/** A session without a stream is closed after this. */
const idleMsMax = 60_000
/** A dead line is detected after two of these. */
const pingMs = 5_000

/** The tunnel that a stream is for; `openedAt` names it among those of its machine. */
export interface StreamTunnel {
  readonly machineId: number
  readonly openedAt: number
}

/** Opens streams in tunnels that end at other nodes: one HTTP/2 session to each node, with certificates of both sides. */
export class NodeStreams {
  readonly #credentials: NodeCredentials | undefined
  readonly #logger: Logger
  readonly #sessions = new Map<string, Promise<ClientHttp2Session>>()

  /** Without credentials no stream leaves this process. */
  constructor(options: { readonly credentials: NodeCredentials | undefined; readonly logger: Logger }) {
    this.#credentials = options.credentials
    this.#logger = options.logger
  }

  get sessions(): number {
    return this.#sessions.size
  }

  /**
   * Opens a stream. The node resets it with REFUSED_STREAM where the tunnel is full, and with CANCEL where it is gone.
   * @throws NotReachable where the node cannot be reached
   */
  async open(
    address: string,
    { machineId, openedAt }: StreamTunnel,
    headers: OutgoingHttpHeaders,
    options: { readonly endStream: boolean },
  ): Promise<ClientHttp2Stream> {
    const session = await this.#session(address)
    // It may have ended since it was opened, and would throw.
    if (session.closed || session.destroyed) throw new NotReachable()
    const stream = session.request(
      { ...headers, [streamHeaders.machine]: String(machineId), [streamHeaders.tunnel]: String(openedAt) },
      options,
    )
    // Without a listener an error of a stream would end the process.
    stream.on('error', () => undefined)
    return stream
  }

  async stop(): Promise<void> {
    for (const opening of this.#sessions.values())
      void opening.then(
        (session) => session.destroy(),
        () => {},
      )
    this.#sessions.clear()
  }

  #session(address: string): Promise<ClientHttp2Session> {
    const known = this.#sessions.get(address)
    if (known) return known
    const forget = () => {
      if (this.#sessions.get(address) === opening) this.#sessions.delete(address)
    }
    const opening = this.#connect(address, forget).catch((error: unknown) => {
      forget()
      this.#logger.warn({ err: error, address }, 'node.unreachable')
      throw new NotReachable()
    })
    this.#sessions.set(address, opening)
    return opening
  }

  /** `forget` is called once no further stream may begin on the session. */
  #connect(address: string, forget: () => void): Promise<ClientHttp2Session> {
    const credentials = this.#credentials
    if (!credentials) return Promise.reject(new Error('this node has no certificate for other nodes'))
    return new Promise((resolve, reject) => {
      const session = connect(`https://${address}`, {
        ...credentials,
        minVersion: 'TLSv1.3',
        settings: { initialWindowSize: streamWindowBytes, enablePush: false },
      })
      // Of a frozen peer no `close` comes: the line is given up without waiting for it.
      const end = (failure: unknown) => {
        clearTimeout(late)
        clearInterval(ping)
        forget()
        reject(failure)
      }
      const giveUp = (reason: string) => {
        const failure = new Error(reason)
        end(failure)
        session.destroy(failure)
      }
      const late = setTimeout(() => giveUp('the node does not answer'), connectMsMax)
      let isHeard = true
      const ping = setInterval(() => {
        if (!isHeard || session.destroyed) return giveUp('no sign of life')
        isHeard = false
        session.ping((error) => {
          isHeard = !error
        })
      }, pingMs)
      session.once('remoteSettings', () => {
        clearTimeout(late)
        session.setLocalWindowSize(sessionWindowBytes)
        resolve(session)
      })
      session.setTimeout(idleMsMax, () => session.close())
      let failure: unknown = new Error('the node closed the line')
      session.on('error', (error) => {
        failure = error
      })
      session.once('goaway', () => {
        forget()
        session.close()
      })
      session.once('close', () => end(failure))
    })
  }
}
