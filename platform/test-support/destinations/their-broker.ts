import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveTool } from '@busbar/testkit/browser.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { connectAsync, type MqttClient } from 'mqtt'

/** Certificates of a broker of theirs, and of those that it lets in, as PEM. */
export interface Certificates {
  readonly ca: string
  readonly certificate: string
  readonly privateKey: string
}

/** An authority with a certificate for 127.0.0.1 that it signed. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-broker-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) =>
    execFileSync(process.env.BUSBAR_OPENSSL ?? 'openssl', args, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-addext', 'subjectAltName=IP:127.0.0.1']
  const self = [
    '-days',
    '2',
    '-subj',
    '/CN=Their authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
  ]
  openssl('req', '-x509', ...key, ...self)
  const own = ['-days', '2', '-subj', '/CN=mes', '-keyout', file('own.key'), '-out', file('own.crt')]
  openssl('req', '-x509', ...key, ...own, ...signed, '-addext', 'basicConstraints=critical,CA:FALSE')
  const read = (name: string) => readFileSync(file(name), 'utf8')
  return { ca: read('ca.crt'), certificate: read('own.crt'), privateKey: read('own.key') }
}

export interface BrokerOptions {
  /** For the platform; the test's own client has another one. */
  readonly port?: number | undefined
  readonly tls?: Certificates | undefined
  /** Also asks for a certificate of the same authority. */
  readonly asksForCertificate?: boolean
  readonly user?: { readonly name: string; readonly password: string; readonly topics: string } | undefined
}

export interface Heard {
  readonly topic: string
  readonly payload: string
  readonly bytes: Buffer
}

/** A mosquitto of theirs, with a client that keeps what is published, also while the broker is away. */
export class TheirBroker {
  readonly heard: Heard[] = []
  readonly #configPath: string
  readonly #ownPort: number
  #child: ChildProcess | undefined
  #client: MqttClient | undefined
  readonly url: string

  private constructor(configPath: string, ownPort: number, url: string) {
    this.#configPath = configPath
    this.#ownPort = ownPort
    this.url = url
  }

  static async start(options: BrokerOptions = {}): Promise<TheirBroker> {
    const { tls, user, asksForCertificate = false } = options
    const [port, ownPort] = [options.port ?? (await findFreePort()), await findFreePort()]
    const folder = mkdtempSync(join(tmpdir(), 'busbar-broker-'))
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const config = [
      ...['per_listener_settings true', 'persistence true', `persistence_location ${folder}/`],
      ...['max_queued_messages 0', ...(process.getuid?.() === 0 ? ['user root'] : [])],
      ...[`listener ${ownPort} 127.0.0.1`, 'allow_anonymous true', `listener ${port} 127.0.0.1`],
      `allow_anonymous ${user === undefined}`,
    ]
    if (user)
      config.push(
        `password_file ${write('passwords', `${user.name}:${hash(user.password)}\n`)}`,
        `acl_file ${write('acl', `user ${user.name}\ntopic write ${user.topics}\n`)}`,
      )
    if (tls)
      config.push(
        ...[`certfile ${write('own.crt', tls.certificate)}`, `keyfile ${write('own.key', tls.privateKey)}`],
        ...[`cafile ${write('ca.crt', tls.ca)}`, `require_certificate ${asksForCertificate}`],
      )
    const url = `${tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${port}`
    const broker = new TheirBroker(write('mosquitto.conf', `${config.join('\n')}\n`), ownPort, url)
    await broker.begin()
    return broker
  }

  async begin(): Promise<void> {
    this.#child = spawn(resolveTool('mosquitto'), ['-c', this.#configPath], { stdio: 'ignore' })
    await untilListening(this.#ownPort, this.#child)
    if (this.#client) return
    this.#client = await connectAsync(`mqtt://127.0.0.1:${this.#ownPort}`, {
      ...{ clientId: 'their-system', clean: false, reconnectPeriod: 100 },
    })
    this.#client.on('error', () => undefined)
    this.#client.on('message', (topic, bytes) => this.heard.push({ topic, payload: bytes.toString(), bytes }))
    await this.#client.subscribeAsync('#', { qos: 1 })
  }

  /** Publishes a message as their system does. */
  async publish(topic: string, payload: Uint8Array): Promise<void> {
    await this.#client?.publishAsync(topic, Buffer.from(payload), { qos: 1 })
  }

  /** Ends it; what it has acknowledged is kept for their system. */
  async away(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }

  async stop(): Promise<void> {
    await this.#client?.endAsync(true)
    await this.away()
  }
}

/** As mosquitto_passwd writes it. */
function hash(password: string): string {
  const salt = randomBytes(12)
  const key = pbkdf2Sync(password, salt, 101, 64, 'sha512')
  return ['', '7', '101', salt.toString('base64'), key.toString('base64')].join('$')
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connectTcp(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    } finally {
      socket.destroy()
    }
  }
  throw new Error('mosquitto ended at its start')
}
