import { Agent, type ClientRequestArgs } from 'node:http'
import { connect as connectSocket, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { TargetConfig } from '../config/config.ts'

const connectMsMax = 5_000
/** Avoids sending the next request to a device that closes idle connections silently. */
const idleMsMax = 10_000
/** As many as a browser opens to one host. */
const idleSocketsMax = 6

/** Why a target could not be reached: `timeout` if it never answered. */
export class TargetUnreachable extends Error {
  readonly status: 502 | 504

  constructor(status: 502 | 504, message: string) {
    super(message)
    this.name = 'TargetUnreachable'
    this.status = status
  }
}

/** A page in the machine's own network. */
export interface Target {
  readonly name: string
  /** `http://192.168.0.5`, as its own pages name it. */
  readonly origin: string
  /** The names of all targets by their origins. */
  readonly names: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
  /** Connections that are kept for the next request. */
  readonly kept: Agent
  /** One connection each request: with a body, or to become a WebSocket. */
  readonly single: Agent
  close(): void
}

export function createTargets(configs: readonly TargetConfig[]): Target[] {
  const names = new Map(configs.map(({ name, url }) => [new URL(url).origin, name]))
  return configs.map((config) => createTarget(config, names))
}

function createTarget(config: TargetConfig, names: Target['names']): Target {
  const { origin, hostname, port, protocol } = new URL(config.url)
  const address = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  }
  const open = protocol === 'https:' ? () => openTlsSocket(address, config) : () => openSocket(address)
  const kept = new TargetAgent(open, true)
  const single = new TargetAgent(open, false)
  return {
    name: config.name,
    origin,
    names,
    isReadOnly: config.readOnly === 'enforced',
    kept,
    single,
    close() {
      kept.destroy()
      single.destroy()
    },
  }
}

/** Opens connections by `open`, and hands one over only after its certificate was checked. */
class TargetAgent extends Agent {
  readonly #open: () => Promise<Socket>

  constructor(open: () => Promise<Socket>, isKept: boolean) {
    super({ keepAlive: isKept, maxFreeSockets: idleSocketsMax, timeout: idleMsMax })
    this.#open = open
  }

  override createConnection(
    _options: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#open().then(
      (socket) => done?.(null, socket),
      // Node's type wants a socket beside the error; it is not used.
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    )
  }
}

/** A TCP connection. Rejects with `TargetUnreachable`. */
export function openSocket(address: {
  host: string
  port: number
  allowHalfOpen?: boolean
}): Promise<Socket> {
  return whenReady(connectSocket({ ...address, noDelay: true, keepAlive: true }), 'connect')
}

async function openTlsSocket(
  address: { host: string; port: number },
  { insecure, fingerprint }: TargetConfig,
): Promise<Socket> {
  const isTrustedByConfig = insecure || fingerprint !== undefined
  const socket = connectTls({
    ...address,
    servername: isIP(address.host) === 0 ? address.host : '',
    rejectUnauthorized: !isTrustedByConfig,
    // Old devices support neither TLS 1.2 nor long keys; the configuration accepts that by trusting them.
    ...(isTrustedByConfig ? { minVersion: 'TLSv1' as const, ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
  })
  await whenReady(socket, 'secureConnect')
  if (fingerprint !== undefined && fingerprintOf(socket) !== fingerprint) {
    socket.destroy()
    throw new TargetUnreachable(502, 'the certificate is not the one in the configuration')
  }
  return socket
}

/** SHA-256 of the peer's certificate, 64 lower-case hex digits. */
function fingerprintOf(socket: TLSSocket): string | undefined {
  return socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase()
}

function whenReady<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => socket.destroy(new TargetUnreachable(504, `no answer within ${connectMsMax} ms`)),
      connectMsMax,
    )
    const failed = (error: Error): void => {
      clearTimeout(timer)
      reject(error instanceof TargetUnreachable ? error : new TargetUnreachable(502, reasonOf(error)))
    }
    socket.once('error', failed)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('error', failed)
      // From here on each user adds a listener; between two users this one prevents a crash.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

/** The error's code, because messages contain the address, which must not leave the site. */
function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'the connection failed'
}
