import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NatsCluster } from '@busbar/platform/kernel/cluster/nats-cluster.ts'
import type { NodeCredentials } from '@busbar/platform/kernel/cluster/node-credentials.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { TestNats } from './nats-server.ts'
import { startTestPlatformOn, type TestPlatform } from './platform.ts'

const run = promisify(execFile)

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
  stop(): Promise<void>
}

/** Starts a platform for each set of settings, one after the other. */
export async function startTestCluster(settings: readonly Record<string, string>[]): Promise<TestCluster> {
  const [database, nats, nodeCredentials] = await Promise.all([
    createTestDatabase({ poolMax: 12 }),
    TestNats.start(),
    createNodeCredentials(),
  ])
  const filesDir = await mkdtemp(join(tmpdir(), 'busbar-files-'))
  const nodes: TestPlatform[] = []
  const add = async (
    env: Record<string, string>,
    { nodeId = `node-${nodes.length}`, ...version }: TestNodeOptions = {},
  ) => {
    const cluster = new NatsCluster({
      servers: nats.url,
      prefix: 'busbar',
      name: nodeId,
      logger: silentLogger,
      ...version,
    })
    const shared = { NATS_URL: nats.url, DATABASE_URL: database.url }
    const options = { nodeId, cluster, nodeCredentials, filesDir }
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
    async stop() {
      for (const node of nodes.toReversed()) await node.stop()
      await nats.stop()
      await database.drop()
      await rm(filesDir, { recursive: true, force: true })
    },
  }
}

/** A certificate for 127.0.0.1, signed by a new authority. */
export async function createNodeCredentials(): Promise<NodeCredentials> {
  const openssl = process.env.BUSBAR_OPENSSL ?? 'openssl'
  const dir = await mkdtemp(join(tmpdir(), 'busbar-nodes-'))
  const file = (name: string) => join(dir, name)
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  try {
    await run(openssl, [
      ...['req', '-x509', ...key, '-days', '2', '-subj', '/CN=Busbar test nodes'],
      ...['-keyout', file('ca.key'), '-out', file('ca.pem')],
    ])
    await run(openssl, [
      ...['req', ...key, '-subj', '/CN=node', '-keyout', file('node.key'), '-out', file('node.csr')],
    ])
    await writeFile(file('names'), 'subjectAltName=IP:127.0.0.1')
    await run(openssl, [
      ...['x509', '-req', '-in', file('node.csr'), '-CA', file('ca.pem'), '-CAkey', file('ca.key')],
      ...['-CAcreateserial', '-days', '2', '-extfile', file('names'), '-out', file('node.pem')],
    ])
    const read = (name: string) => readFile(file(name), 'utf8')
    const [ca, cert, secret] = await Promise.all([read('ca.pem'), read('node.pem'), read('node.key')])
    return { ca, cert, key: secret }
  } finally {
    await rm(dir, { recursive: true })
  }
}
