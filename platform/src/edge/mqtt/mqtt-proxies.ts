import type { Socket } from 'node:net'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import { ProxyHeaderFault, takeProxyHeader } from './proxy-header.ts'

/** Connections of proxies whose header has not come. */
const waitingMax = 2_000

/** The proxies before the MQTT ports: the first bytes of their connections name the client (rules/wire.md: proxies before MQTT). */
export class MqttProxies {
  readonly isProxy: (address: string) => boolean
  readonly #log: LogOnce
  readonly #waiting = new Set<Socket>()

  constructor(isProxy: (address: string) => boolean, logger: Logger) {
    this.isProxy = isProxy
    this.#log = createLogOnce(logger)
  }

  /** The client's address of a proxy's connection, or the proxy's own; undefined when the connection is over. */
  async addressOf(socket: Socket): Promise<string | undefined> {
    const proxy = socket.remoteAddress ?? ''
    socket.on('error', () => {})
    this.#waiting.add(socket)
    try {
      if (this.#waiting.size > waitingMax) throw new ProxyHeaderFault('too many wait for their header')
      const header = await takeProxyHeader(socket)
      if (header) return header.address ?? proxy
    } catch (error) {
      if (error instanceof ProxyHeaderFault)
        this.#log.warn({ address: proxy, reason: error.message }, 'proxyHeader.refused', error.message)
    } finally {
      this.#waiting.delete(socket)
    }
    socket.destroy()
    return undefined
  }

  stop(): void {
    for (const socket of this.#waiting) socket.destroy()
    this.#log.stop()
  }
}
