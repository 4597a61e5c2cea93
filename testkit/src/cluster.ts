import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NatsCluster, type NatsClusterOptions } from '@busbar/platform/kernel/cluster/nats-cluster.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import { NodeAuthority, nodeExtensions } from '@busbar/platform/kernel/nodes/node-authority.ts'
import { NodeCertificate, type NodeCredentials } from '@busbar/platform/kernel/nodes/node-certificate.ts'
import { createSecretBox } from '@busbar/platform/kernel/secret-box.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { TestNats } from './nats-server.ts'
import { startTestPlatformOn, type TestPlatform } from './platform.ts'

export interface TestNodeOptions {
  readonly nodeId?: string
  /** As if it were of another version of Busbar. */
  readonly wireVersion?: number
}

/** Several whole platforms on one database, with a NATS server between them. */
export interface TestCluster {
  readonly database: TestDatabase
  readonly nats: TestNats
  readonly nodes: readonly TestPlatform[]
  /** Starts one more platform. */
  add(settings: Record<string, string>, as?: TestNodeOptions): Promise<TestPlatform>
  /** One more line of the platform, without a platform behind it. */
  openLine(name: string, options?: Partial<NatsClusterOptions>): NatsCluster
  stop(): Promise<void>
}

/** Starts a platform for each set of settings, one after the other. */
export async function startTestCluster(settings: readonly Record<string, string>[]): Promise<TestCluster> {
  const [database, nats, authority] = await Promise.all([
    createTestDatabase({ poolMax: 12 }),
    TestNats.start(),
    createTestAuthority(),
  ])
  const filesDir = await mkdtemp(join(tmpdir(), 'busbar-files-'))
  const nodes: TestPlatform[] = []
  const secrets = createSecretBox()
  const openLine = (name: string, options: Partial<NatsClusterOptions> = {}) =>
    new NatsCluster({
      servers: [nats.url],
      prefix: 'busbar',
      name,
      key: secrets.derive('messages between nodes'),
      logger: silentLogger,
      ...options,
    })
  const add = async (
    env: Record<string, string>,
    { nodeId = `node-${nodes.length}`, ...version }: TestNodeOptions = {},
  ) => {
    const cluster = openLine(nodeId, version)
    const shared = { NATS_URL: nats.url, DATABASE_URL: database.url }
    const credentials = await authority.sign(nodeId)
    const certificate = new NodeCertificate(() => credentials, silentLogger)
    const options = { nodeId, cluster, certificate, secrets, filesDir }
    const node = await startTestPlatformOn(database, { ...shared, ...env }, options)
    nodes.push(node)
    return node
  }
  for (const env of settings) await add(env)
  return {
    database,
    nats,
    nodes,
    add,
    openLine,
    async stop() {
      for (const node of nodes.toReversed()) await node.stop()
      await nats.stop()
      await database.drop()
      await authority.remove()
      await rm(filesDir, { recursive: true, force: true })
    },
  }
}

const openssl = process.env.BUSBAR_OPENSSL ?? 'openssl'

/** An authority whose certificates are read as texts. */
export interface TestAuthority {
  /** A certificate of a node at 127.0.0.1; `extensions` in place of the usual ones. */
  sign(id: string, extensions?: string): Promise<NodeCredentials>
  remove(): Promise<void>
}

export async function createTestAuthority(): Promise<TestAuthority> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-nodes-'))
  const authority = await NodeAuthority.open(dir, openssl)
  const read = (name: string) => readFile(join(dir, name), 'utf8')
  return {
    async sign(id, extensions = nodeExtensions({ id, hosts: ['127.0.0.1'] })) {
      await authority.sign(id, extensions)
      const [ca, cert, key] = await Promise.all([read('nodes-ca.pem'), read(`${id}.pem`), read(`${id}.key`)])
      return { ca, cert, key }
    },
    remove: () => rm(dir, { recursive: true }),
  }
}
