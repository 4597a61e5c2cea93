import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { machines as contract, createClient } from '@busbar/contract'
import { plainTopic } from '@busbar/link'
import { createMachine, createUser, grantMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { startTestPlatform } from '@busbar/testkit/platform.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { readConfig } from '../../config.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import { createPlatform } from '../../platform.ts'
import { closePools, connectionsMin, openPools, splitConnections } from '../database/pools.ts'
import { silentLogger } from '../logger.ts'
import { openNodeId } from './nodes.ts'
import { silentS, writeHeartbeat } from './nodes-store.ts'

it('a second platform on the database leaves the first’s machines online, and tells so', async () => {
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
    await expect(second.link.prepareWrite(machineId, write)).rejects.toBeInstanceOf(NotReachable)
    expect(await site.platform.link.prepareWrite(machineId, write)).toBe('unsupported')
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

it('a node whose beat came as late as others wait for takes it that they gave it up', async () => {
  const { db, drop } = await createTestDatabase()
  expect(await writeHeartbeat(db, 'slow')).toBe(true)
  expect(await writeHeartbeat(db, 'slow')).toBe(false)
  await sql`update nodes set heartbeat_at = now() - make_interval(secs => ${silentS - 1})`.execute(db)
  expect(await writeHeartbeat(db, 'slow')).toBe(true)
  await drop()
})

it('a node keeps its name with its data', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'node-id-'))
  const file = path.join(dir, 'node-id')
  const id = await openNodeId(file)
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await openNodeId(file)).toBe(id)
  await rm(dir, { recursive: true })
})
