import { health } from '@busbar/contract'
import type { Config } from '../../config.ts'
import type { Logger } from '../logger.ts'
import { Certificates } from './certificates.ts'
import { createSecureCheck } from './client-address.ts'
import { WebPort } from './web-port.ts'

/** Answers on the web port of a process that cannot start yet: it lives, and lacks its database. */
export class WaitingRoom {
  readonly #config: Config
  readonly #port: number
  readonly #logger: Logger
  #web: WebPort | undefined
  #certificates: Certificates | undefined

  constructor(config: Config, port: number, logger: Logger) {
    this.#config = config
    this.#port = port
    this.#logger = logger
  }

  /** Opens it, once. */
  open(): void {
    if (this.#web) return
    const { HOST: host, TRUSTED_PROXIES: proxies } = this.#config
    this.#certificates = Certificates.open(this.#config, this.#logger, () => false)
    this.#web = new WebPort(createSecureCheck(proxies), this.#certificates)
    const server = this.#web.serverFactory((request, response) => {
      const path = request.url?.split('?')[0]
      const [status, body] =
        path === health.getHealth.path
          ? [200, { status: 'ok' }]
          : [503, { status: 'missing', missing: ['database'] }]
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(JSON.stringify(body))
    })
    // The platform itself tells why its port cannot be listened on.
    server.on('error', (error) => this.#logger.debug({ err: error }, 'waitingRoom.closed'))
    server.listen(this.#port, host)
  }

  /** Leaves the port to the platform. */
  async close(): Promise<void> {
    const server = this.#web?.server
    this.#certificates?.close()
    if (!server?.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
}
