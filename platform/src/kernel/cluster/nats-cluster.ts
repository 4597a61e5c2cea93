import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import {
  connect,
  type Msg,
  type NatsConnection,
  NoRespondersError,
  type Subscription,
} from '@nats-io/transport-node'
import { createLogOnce, type LogOnce } from '../log-once.ts'
import type { Logger } from '../logger.ts'
import { type Cluster, type ClusterTraffic, NoAnswer, type Unsubscribe } from './cluster.ts'
import { ageMsMax, RefusedMessage, SealedMessages } from './sealed-messages.ts'
import { decodeWire, encodeWire, wireVersion } from './wire.ts'

const reconnectMs = 500
const reconnectJitterMs = 500
const connectMsMax = 5_000
/** A server that is silent for two of these counts as gone. */
const pingMs = 5_000

export interface NatsClusterOptions {
  /** Addresses of NATS servers, nats://host:4222. */
  readonly servers: readonly string[]
  /** The first word of all subjects, for platforms that share a server. */
  readonly prefix: string
  /** The same 32 bytes for all nodes: they seal the messages. */
  readonly key: Uint8Array
  /** Which messages this node writes and reads; that of this code where missing. */
  readonly wireVersion?: number
  /** The node, as NATS lists this connection, and as the subjects of answers to it name it. */
  readonly name: string
  /** Wanted of every server where it is given. */
  readonly tls?:
    | { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string }
    | undefined
  readonly credentials?:
    | { readonly user?: string; readonly pass?: string; readonly token?: string }
    | undefined
  readonly logger: Logger
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined
}

interface Heard {
  readonly subject: string
  readonly hear: (message: Msg) => void
  open: Subscription | undefined
}

/** The line between processes over NATS (core NATS, without JetStream: nothing is kept there). */
export class NatsCluster implements Cluster {
  readonly #options: NatsClusterOptions
  readonly #prefix: string
  readonly #messages: SealedMessages
  readonly #log: LogOnce
  readonly #refused = { forged: 0, old: 0, replayed: 0 }
  #missedAt = Number.NEGATIVE_INFINITY
  readonly #asked = { answered: 0, nobody: 0, unreachable: 0 }
  readonly #heard = new Set<Heard>()
  readonly #listeners = new Set<() => void>()
  #connection: NatsConnection | undefined
  #isStarted = false
  #retry: NodeJS.Timeout | undefined
  #isUp = false
  #isStopped = false

  constructor(options: NatsClusterOptions) {
    this.#options = options
    this.#messages = new SealedMessages(options.key, options.now)
    this.#log = createLogOnce(options.logger)
    // Nodes that could not read each other's messages never get one: to each other they cannot be reached.
    this.#prefix = `${options.prefix}.v${options.wireVersion ?? wireVersion}`
  }

  get isUp(): boolean {
    return this.#isUp
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    void this.#connect()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#isUp = false
    clearTimeout(this.#retry)
    this.#log.stop()
    await this.#connection?.close()
  }

  publish(subject: string, message: unknown): void {
    // While the line is down the client would keep the message, and others would receive it when it is outdated.
    const named = this.#named(subject)
    if (this.#isUp) this.#connection?.publish(named, this.#messages.seal(named, encodeWire(message)))
  }

  subscribe(subject: string, listener: (message: unknown) => void): Unsubscribe {
    const heard = this.#hear(subject, (message) => {
      const text = this.#read(message)
      if (text === undefined) return
      try {
        listener(decodeWire(text))
      } catch (error) {
        this.#options.logger.error({ err: error, subject }, 'cluster.listenerFailed')
      }
    })
    return () => this.#endHeard(heard, (open) => open.unsubscribe())
  }

  get traffic(): ClusterTraffic {
    const stats = this.#connection?.stats()
    return {
      asked: this.#asked,
      refused: this.#refused,
      received: { messages: stats?.inMsgs ?? 0, bytes: stats?.inBytes ?? 0 },
      sent: { messages: stats?.outMsgs ?? 0, bytes: stats?.outBytes ?? 0 },
    }
  }

  async ask(subject: string, question: unknown, deadlineMs: number): Promise<unknown> {
    try {
      const answer = await this.#ask(subject, question, deadlineMs)
      this.#asked.answered++
      return answer
    } catch (error) {
      this.#asked[error instanceof NoAnswer ? error.why : 'unreachable']++
      throw error
    }
  }

  async #ask(subject: string, question: unknown, deadlineMs: number): Promise<unknown> {
    const connection = this.#connection
    if (!connection || !this.#isUp) throw new NoAnswer('unreachable')
    const named = this.#named(subject)
    const sealed = this.#messages.seal(named, encodeWire(question))
    let answer: unknown
    try {
      const message = await connection.request(named, sealed, { timeout: deadlineMs, noMux: false })
      const text = this.#read(message, sealed)
      if (text !== undefined) answer = decodeWire(text)
    } catch (error) {
      throw new NoAnswer(isNobody(error) ? 'nobody' : 'unreachable', error)
    }
    if (typeof answer !== 'object' || answer === null || !('is' in answer)) throw new NoAnswer('unreachable')
    return answer.is
  }

  answer(subject: string, answer: (question: unknown) => Promise<unknown>): Unsubscribe {
    const { logger } = this.#options
    const heard = this.#hear(subject, async (message) => {
      const text = this.#read(message)
      if (text === undefined) return
      let said: object
      try {
        said = { is: await answer(decodeWire(text)) }
      } catch (error) {
        logger.warn({ err: error, subject }, 'cluster.replyFailed')
        said = { failed: true }
      }
      if (!this.#isStopped) message.respond(this.#messages.seal('', encodeWire(said), message.data))
    })
    // Questions that the server has already sent are answered: their askers would wait until their deadline.
    return () => this.#endHeard(heard, (open) => void open.drain().catch(() => undefined))
  }

  onUp(listener: () => void): Unsubscribe {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The platform works without the others, so its start does not wait for the line. */
  async #connect(): Promise<void> {
    const { logger } = this.#options
    try {
      const connection = await this.#open()
      if (this.#isStopped) return await connection.close()
      this.#connection = connection
      void this.#follow(connection)
      for (const heard of this.#heard) this.#openHeard(connection, heard)
      logger.info({ server: connection.getServer() }, 'cluster.connected')
      this.#up()
    } catch (error) {
      logger.warn({ err: error }, 'cluster.unreachable')
      if (!this.#isStopped) this.#retry = setTimeout(() => void this.#connect(), reconnectMs)
    }
  }

  #open(): Promise<NatsConnection> {
    const { servers, name, tls, credentials } = this.#options
    return connect({
      servers: [...servers],
      name,
      inboxPrefix: `${this.#options.prefix}.inbox.${subjectWord(name)}`,
      // Listeners of this process already ran.
      noEcho: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
      reconnectJitter: reconnectJitterMs,
      timeout: connectMsMax,
      pingInterval: pingMs,
      maxPingOut: 2,
      ignoreAuthErrorAbort: true,
      ...(tls ? { tls: { ...tls, ...identityCheck(servers) } } : {}),
      ...credentials,
    })
  }

  async #follow(connection: NatsConnection): Promise<void> {
    const { logger } = this.#options
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        if (this.#isUp) logger.warn({}, 'cluster.lost')
        this.#isUp = false
      } else if (status.type === 'reconnect') {
        logger.info({ server: connection.getServer() }, 'cluster.connected')
        this.#up()
      } else if (status.type === 'error') {
        logger.warn({ err: status.error }, 'cluster.error')
      }
    }
    this.#isUp = false
  }

  /** The text of a message; undefined, with a line in the log, for one that was refused. */
  #read({ subject, data }: Msg, question?: Uint8Array): string | undefined {
    try {
      return this.#messages.open(subject, data, question)
    } catch (error) {
      if (!(error instanceof RefusedMessage)) throw error
      const { reason } = error
      this.#refused[reason]++
      this.#log.warn({ subject, reason }, 'cluster.refused', reason)
      // Others were on the way as well, as after a stall of this process.
      if (reason === 'old' && performance.now() - this.#missedAt > ageMsMax) {
        this.#missedAt = performance.now()
        this.#tellUp()
      }
      return undefined
    }
  }

  #up(): void {
    this.#isUp = true
    this.#tellUp()
  }

  #tellUp(): void {
    for (const listener of this.#listeners) listener()
  }

  #hear(subject: string, hear: (message: Msg) => void): Heard {
    const heard: Heard = { subject: this.#named(subject), hear, open: undefined }
    this.#heard.add(heard)
    if (this.#connection) this.#openHeard(this.#connection, heard)
    return heard
  }

  #endHeard(heard: Heard, end: (open: Subscription) => void): void {
    this.#heard.delete(heard)
    if (heard.open && !heard.open.isClosed()) end(heard.open)
  }

  #openHeard(connection: NatsConnection, heard: Heard): void {
    if (connection.isClosed()) return
    heard.open = connection.subscribe(heard.subject, {
      callback: (error, message) => {
        if (error) this.#options.logger.warn({ err: error, subject: heard.subject }, 'cluster.error')
        else heard.hear(message)
      },
    })
  }

  #named(subject: string): string {
    return `${this.#prefix}.${subject}`
  }
}

/** The client has no name to check where a server is named by its address. */
function identityCheck(servers: readonly string[]): Pick<ConnectionOptions, 'checkServerIdentity'> {
  const addresses = servers.map((server) => new URL(server).hostname.replace(/^\[|\]$/g, '')).filter(isIP)
  return {
    checkServerIdentity(name, certificate) {
      const faults = [name, ...addresses].map((host) => checkServerIdentity(host, certificate))
      return faults.includes(undefined) ? undefined : faults[0]
    },
  }
}

/** A name as one word of a subject. */
export const subjectWord = (name: string): string => name.replaceAll('.', '_')

const isNobody = (error: unknown): boolean =>
  error instanceof NoRespondersError || (error as { cause?: unknown }).cause instanceof NoRespondersError
