import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { machines as contract, createClient, productVersion } from '@busbar/contract'
import { plainTopic } from '@busbar/link'
import { createMachine, createUser, grantMachine } from '@busbar/testkit/builders.ts'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { startTestPlatform } from '@busbar/testkit/platform.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { readConfig } from '../../config.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import { createPlatform } from '../../platform.ts'
import { wireVersion } from '../cluster/wire.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { closePools, connectionsMin, openPools, splitConnections } from '../database/pools.ts'
import { silentLogger } from '../logger.ts'
import { NodeCertificate } from './node-certificate.ts'
import { NodeDirectory } from './node-directory.ts'
import { openNodeId } from './node-id.ts'
import { Node, type NodeOptions, NodeTaken } from './nodes.ts'
import { createNodesModule } from './nodes-module.ts'
import { declareDead, revokeNode, silentS } from './nodes-store.ts'
import { Permits } from './permits.ts'

it('a second platform on the database leaves the first’s machines online, and logs it', async () => {
  const site = await startTestPlatform()
  const machine = await createMachine(site.db)
  const { machineId } = machine
  const client = await RawClient.login(site.mqttPort, machine)
  client.publish(plainTopic.telemetry, '{"n":1}')
  await client.next('puback')
  const open = async () =>
    await site.db
      .selectFrom('machine_connections')
      .select('node_id')
      .where('machine_id', '=', machineId)
      .where('ended_at', 'is', null)
      .execute()
  await expect.poll(open).toEqual([{ node_id: 'main' }])

  const pools = openPools(site.connection, splitConnections(connectionsMin))
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const second = await createPlatform({ pools, config, logger: silentLogger, nodeId: 'second' })
  try {
    const { webPort } = await second.start({ web: 0, mqtt: 0 })
    expect(await open()).toEqual([{ node_id: 'main' }])
    const seen = (await second.link.presence([machineId])).get(machineId)
    expect(seen).toMatchObject({ online: true, connection: { protocol: 'tcp/mqtt' } })
    // Held by a process that cannot be asked yet: this is not the machine's being away.
    const write = { group: '', tag: 'n', value: 1 }
    await expect(second.link.prepareWrite(machineId, write, 1)).rejects.toBeInstanceOf(NotReachable)
    expect(await site.platform.link.prepareWrite(machineId, write, 1)).toBe('unsupported')
    const owner = await createUser(site.db)
    await grantMachine(site.db, owner.userId, machineId, { role: 'bkey' })
    for (const url of [site.url, `http://127.0.0.1:${webPort}`]) {
      const client = createClient({ baseUrl: url, lang: () => 'en', token: () => owner.token })
      const states = await client.call(contract.listMachineStates, { machineIDs: [machineId] })
      expect(states).toMatchObject([{ online: true }])
    }
  } finally {
    await second.stop()
    await closePools(pools)
  }
  expect(await open()).toEqual([{ node_id: 'main' }])
  client.destroy()
  await expect.poll(open).toEqual([])
  await site.stop()
})

async function openNodes() {
  const database = await createTestDatabase()
  const opened: { node: Node; db: Database }[] = []
  const open = (more: Partial<Pick<NodeOptions, 'id' | 'file' | 'roles' | 'onReplaced'>> = {}) => {
    const db = openDatabase(database.connection, { poolMax: 1, queryMsMax: 3_000 })
    const node = new Node({ id: 'copied', db, logger: silentLogger, takeMsMax: 300, ...more })
    opened.push({ node, db })
    return node
  }
  onTestFinished(async () => {
    for (const { node, db } of opened) {
      await node.stop()
      await db.destroy()
    }
    await database.drop()
  })
  /** As when the network or the process is gone. */
  const cutSessions = async () => {
    await sql`select pg_terminate_backend(pid, 5000) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
      database.db,
    )
  }
  const listNodes = () => database.db.selectFrom('nodes').selectAll().execute()
  return { db: database.db, open, cutSessions, listNodes }
}

it('a second process with the id of a living one does not start, and names the file to remove', async () => {
  const { open, listNodes } = await openNodes()
  const first = open()
  await first.start()
  const [row] = await listNodes()
  const second = open({ file: '/data/node-id' })
  await expect(second.start()).rejects.toThrow('remove /data/node-id')
  await second.stop()
  expect(await listNodes()).toEqual([row])
  await first.stop()
  expect(await listNodes()).toEqual([])
  // The id is free at once.
  await open().start()
})

it('a node that crashed starts again at once, though its heartbeat is fresh', async () => {
  const { open, cutSessions, listNodes } = await openNodes()
  const crashed = open()
  await crashed.start()
  await cutSessions()
  expect(await calmMsOf(() => open().start())).toBeLessThan(1_000)
  expect(await listNodes()).toHaveLength(1)
})

it('a process whose id another one took while it lived notices at its next heartbeat, and stops writing', async () => {
  const { open, cutSessions, listNodes } = await openNodes()
  let replaced = 0
  const first = open({ onReplaced: () => replaced++ })
  await first.start()
  await cutSessions()
  await open().start()
  const rows = await listNodes()
  await first.beat()
  expect(replaced).toBe(1)
  await first.beat()
  await first.stop()
  expect(replaced).toBe(1)
  expect(await listNodes()).toEqual(rows)
})

it('a node that loses its connection takes another, and holds its id again', async () => {
  const { open, cutSessions } = await openNodes()
  let replaced = 0
  const node = open({ onReplaced: () => replaced++ })
  let revived = 0
  node.onRevived(() => revived++)
  await node.start()
  await cutSessions()
  await node.beat()
  // The beat with that result may have been lost with the connection.
  expect(revived).toBe(1)
  await expect(open().start()).rejects.toBeInstanceOf(NodeTaken)
  expect(replaced).toBe(0)
})

it('a node that leaves says so, and knows for which work another node is there that does not leave', async () => {
  const { db, open } = await openNodes()
  const leaving = open({ id: 'leaving', roles: ['edge', 'jobs'] })
  await leaving.start()
  expect(await leaving.leave()).toEqual(new Set())
  const other = open({ id: 'other', roles: ['api', 'edge'] })
  await other.start()
  // It does not listen yet: a machine could not come to it.
  expect(await leaving.leave()).toEqual(new Set())
  await other.open()
  expect(await leaving.leave()).toEqual(new Set(['api', 'edge']))
  // Of the version before: it tells no roles.
  await sql`update nodes set roles = null, wire_version = null where id = 'other'`.execute(db)
  expect((await leaving.leave()).size).toBe(5)
  await leaving.beat()
  expect(leaving.counts).toEqual({
    living: 2,
    leaving: 1,
    lost: 0,
    unread: [{ id: 'other', version: productVersion }],
  })
  expect(await other.leave()).toEqual(new Set())
  const rows = await db.selectFrom('nodes').select(['id', 'leaving_at']).orderBy('id').execute()
  expect(rows.map(({ leaving_at }) => leaving_at !== null)).toEqual([true, true])
  await leaving.stop()
  await open({ id: 'leaving' }).start()
  const again = await db.selectFrom('nodes').selectAll().where('id', '=', 'leaving').executeTakeFirstOrThrow()
  expect(again).toMatchObject({ leaving_at: null, wire_version: wireVersion })
})

it('a node learns that others may have given it up, and a node that was away itself gives up no other', async () => {
  const { db, open } = await openNodes()
  const node = open()
  let revived = 0
  node.onRevived(() => revived++)
  await node.start()
  await node.beat()
  expect(revived).toBe(0)
  const isDead = async () => {
    const row = await db
      .selectFrom('nodes')
      .select('declared_dead_at')
      .where('id', '=', 'copied')
      .executeTakeFirstOrThrow()
    return row.declared_dead_at !== null
  }
  await sql`update nodes set heartbeat_at = now() - make_interval(secs => ${silentS + 1})`.execute(db)
  await sql`insert into nodes (id) values ('judge')`.execute(db)
  await declareDead(db, 'judge')
  expect(await isDead()).toBe(false)
  await sql`update nodes set steady_since = now() - make_interval(secs => ${silentS + 1}) where id = 'judge'`.execute(
    db,
  )
  await declareDead(db, 'judge')
  expect(await isDead()).toBe(true)
  await node.beat()
  expect({ revived, isDead: await isDead() }).toEqual({ revived: 1, isDead: false })
})

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'node-id-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

it('a node keeps its name with its data', async () => {
  const dir = await makeFolder()
  const file = path.join(dir, 'node-id')
  const id = await openNodeId(file)
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await openNodeId(file)).toBe(id)
  expect(await readdir(dir)).toEqual(['node-id'])
})

it.each(['', '\n', 'not an id\0'])(
  'a file of the node id with %j in it does not stop the start',
  async (text) => {
    const dir = await makeFolder()
    const file = path.join(dir, 'node-id')
    await writeFile(file, text)
    const id = await openNodeId(file)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await openNodeId(file)).toBe(id)
    expect(await readdir(dir)).toEqual(['node-id'])
  },
)

it('two starts at the same moment agree on the id of their folder', async () => {
  const file = path.join(await makeFolder(), 'node-id')
  const ids = await Promise.all(Array.from({ length: 8 }, () => openNodeId(file)))
  expect(new Set(ids).size).toBe(1)
})

it('a node whose certificate was revoked ends, and starts again with one that was made afterwards', async () => {
  const { db, open } = await openNodes()
  const authority = await createTestAuthority()
  onTestFinished(() => authority.remove())
  let ended = 0
  const openModule = async () => {
    const credentials = await authority.sign('node1')
    const certificate = new NodeCertificate(() => credentials, silentLogger)
    const node = open({ id: certificate.nodeId })
    const directory = new NodeDirectory({ db, logger: silentLogger })
    const permits = new Permits({
      self: node,
      directory,
      key: Buffer.alloc(32),
      logger: silentLogger,
      now: Date.now,
    })
    const module = createNodesModule({
      ...{ db, node, certificate, logger: silentLogger },
      peers: { directory, permits },
      onReplaced: () => ended++,
    })
    onTestFinished(async () => module.stop?.())
    return module
  }
  const [first, second] = [await openModule(), await openModule()]
  await first.start?.()
  await revokeNode(db, 'node1')
  await expect.poll(() => ended, { timeout: 10_000 }).toBe(1)
  await first.stop?.()
  await expect(second.start?.()).rejects.toThrow('was revoked')
  // Certificates begin at whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await (await openModule()).start?.()
  expect(ended).toBe(1)
})
