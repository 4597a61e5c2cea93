import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UAVariable } from 'node-opcua-address-space'
import { OPCUACertificateManager } from 'node-opcua-certificate-manager'
import type { DataType, StatusCode } from 'node-opcua-client'
import { MessageSecurityMode, SecurityPolicy, StatusCodes, VariantArrayType } from 'node-opcua-client'
import { nodesets } from 'node-opcua-nodesets'
import { OPCUAServer } from 'node-opcua-server'
import { findFreePort } from '../../../testkit/src/free-port.ts'

export const testNamespace = 'urn:busbar:test:plant'

export interface OpcUaServerOptions {
  port?: number
  /** False: clients are refused until their certificate is trusted. */
  trustsClients?: boolean
  /** It offers no security. */
  onlyPlain?: boolean
  /** Users by their password; without it every user is anonymous. */
  users?: Record<string, string>
  /** The folder of its certificate, for a second start. */
  folder?: string
  /** Namespaces in front of the plant's own, which then has another number. */
  firstNamespaces?: string[]
  /** Variables: their type and first value. */
  variables?: Record<string, [type: keyof typeof DataType, value: unknown]>
}

/** node-opcua's server, in this process. */
export interface TestOpcUaServer {
  readonly url: string
  readonly port: number
  readonly server: OPCUAServer
  add(name: string, type: keyof typeof DataType, value: unknown, more?: Record<string, unknown>): UAVariable
  set(name: string, value: unknown, status?: StatusCode, at?: Date): void
  get(name: string): unknown
  /** Takes the value away: it is null from then on. */
  empty(name: string): void
  remove(name: string): void
  close(): Promise<void>
}

/** Starts a server with a new certificate at a free port. */
export async function startOpcUaServer(options: OpcUaServerOptions = {}): Promise<TestOpcUaServer> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'busbar-opcua-')))
  const port = options.port ?? (await findFreePort())
  const trusts = options.trustsClients ?? true
  const managerOf = (name: string): OPCUACertificateManager =>
    new OPCUACertificateManager({
      rootFolder: join(folder, name),
      automaticallyAcceptUnknownCertificate: trusts,
    })
  const { users } = options
  const server = new OPCUAServer({
    port,
    hostname: '127.0.0.1',
    nodeset_filename: [nodesets.standard],
    serverCertificateManager: managerOf('server'),
    userCertificateManager: managerOf('users'),
    securityModes: options.onlyPlain
      ? [MessageSecurityMode.None]
      : [MessageSecurityMode.None, MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt],
    securityPolicies: options.onlyPlain
      ? [SecurityPolicy.None]
      : [
          SecurityPolicy.None,
          SecurityPolicy.Basic256Sha256,
          SecurityPolicy.Aes128_Sha256_RsaOaep,
          SecurityPolicy.Aes256_Sha256_RsaPss,
        ],
    allowAnonymous: users === undefined,
    ...(users === undefined
      ? {}
      : { userManager: { isValidUser: (name: string, password: string) => users[name] === password } }),
    serverInfo: { applicationUri: 'urn:busbar:test:server' },
    disableDiscovery: true,
  })
  await server.initialize()
  const { addressSpace } = server.engine
  if (addressSpace === null) throw new Error('the server has no address space')
  for (const uri of options.firstNamespaces ?? []) addressSpace.registerNamespace(uri)
  const namespace = addressSpace.registerNamespace(testNamespace)
  const plant = namespace.addObject({
    organizedBy: addressSpace.rootFolder.objects,
    browseName: 'Plant',
    nodeId: 's=Plant',
  })
  const nodes = new Map<string, UAVariable>()
  const types = new Map<string, keyof typeof DataType>()
  const nodeOf = (name: string): UAVariable => {
    const node = nodes.get(name)
    if (node === undefined) throw new Error(`no variable ${name}`)
    return node
  }
  const test: TestOpcUaServer = {
    url: `opc.tcp://127.0.0.1:${port}`,
    port,
    server,
    add(name, type, value, more = {}) {
      const node = namespace.addVariable({
        componentOf: plant,
        browseName: name,
        nodeId: `s=${name}`,
        dataType: type,
        minimumSamplingInterval: 10,
        ...more,
      })
      nodes.set(name, node)
      types.set(name, type)
      test.set(name, value)
      return node
    },
    set(name, value, status = StatusCodes.Good, at) {
      const dataType = types.get(name) ?? 'Null'
      const isArray = Array.isArray(value) && !dataType.endsWith('Int64')
      const arrayType = isArray ? VariantArrayType.Array : VariantArrayType.Scalar
      nodeOf(name).setValueFromSource({ dataType, arrayType, value } as never, status, at)
    },
    empty(name) {
      nodeOf(name).setValueFromSource({ dataType: 'Null' } as never)
    },
    get: (name) => nodeOf(name).readValue().value.value,
    remove(name) {
      addressSpace.deleteNode(nodeOf(name))
      nodes.delete(name)
    },
    async close() {
      await server.shutdown(0)
      // node-opcua puts a variable back that was not there, as the word "undefined": openssl of later tests would read it.
      if (process.env.OPENSSL_CONF === 'undefined') delete process.env.OPENSSL_CONF
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
  for (const [name, [type, value]] of Object.entries(options.variables ?? {})) test.add(name, type, value)
  await server.start()
  return test
}

/** A line to a server that can be cut and that can swallow bytes. */
export interface FaultyWay {
  readonly port: number
  /** Holds all bytes back without closing; later they all pass. */
  setSilent(silent: boolean): void
  /** Each piece takes so long. */
  delayMs: number
  /** Ends all connections, and accepts no new ones while `closed`. */
  cut(closed?: boolean): void
  open(): void
  /** Connections that are open, on both sides. */
  connections(): number
  close(): Promise<void>
}

/** Opens a line to the server at `port`. */
export async function openFaultyWay(port: number): Promise<FaultyWay> {
  const sockets = new Set<Socket>()
  let silent = false
  let closed = false
  const way: FaultyWay = {
    port: await findFreePort(),
    delayMs: 0,
    setSilent(now) {
      silent = now
    },
    cut(stay = false) {
      closed = stay
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    open() {
      closed = false
    },
    connections: () => [...sockets].filter((socket) => !socket.destroyed).length,
    async close() {
      way.cut(true)
      await new Promise((resolve) => listener.close(resolve))
    },
  }
  const pipe = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      if (silent) return
      if (way.delayMs === 0) to.write(bytes)
      else setTimeout(() => to.destroyed || to.write(bytes), way.delayMs)
    })
    from.on('error', () => undefined)
    from.once('close', () => to.destroy())
  }
  const listener: Server = createServer((near) => {
    if (closed) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    pipe(near, far)
    pipe(far, near)
  })
  await new Promise<void>((resolve) => listener.listen(way.port, '127.0.0.1', resolve))
  return way
}
