import { Duplex, PassThrough } from 'node:stream'
import { type ModbusDevice, startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { type AnswerOf, ApiError, agentConfig as contract, type MemberRight } from '@busbar/contract'
import {
  createEnterprise,
  createEnterpriseMachine,
  createHolder,
  createMachine,
  createMember,
  createUser,
  grantMachine,
  proveSession,
  startRemoteAgent,
  startTestPlatform,
  type TestMachine,
  type TestPlatform,
  type TestRemoteAgent,
  type TestUser,
} from '@busbar/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type AgentConfigDeps, AgentConfigService } from './agent-config-service.ts'

let site: TestPlatform
let device: ModbusDevice
const agents: TestRemoteAgent[] = []

beforeAll(async () => {
  site = await startTestPlatform()
  device = await startModbusDevice()
  for (let address = 0; address < 4; address++) device.memory.holding.set(address, 100 + address)
})
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop()
})
afterAll(async () => {
  await site.stop()
  await device.close()
})

/** An Akey who just gave the password, with a machine whose agent is there. */
async function setUp(options: { remote?: boolean } = {}) {
  const akey = await createUser(site.db, { name: 'Akey' })
  await proveSession(site.db, akey.sessionId)
  const machine = await createMachine(site.db, { owner: akey.userId })
  return { akey, machine, agent: await startAgent(machine, options) }
}

async function startAgent(
  machine: TestMachine,
  options: { remote?: boolean } = {},
): Promise<TestRemoteAgent> {
  const tunnel = Promise.withResolvers<void>()
  const forget = site.platform.tunnels.onChange((machineId, opened) => {
    if (machineId === machine.machineId && opened) tunnel.resolve()
  })
  const agent = await startRemoteAgent(site, machine, options)
  agents.push(agent)
  await tunnel.promise
  forget()
  return agent
}

const press = (port = device.port, name = 'press'): contract.AgentConnection => ({
  name,
  driver: 'modbus-tcp',
  host: '127.0.0.1',
  port,
  pollIntervalMs: 50,
  timeoutMs: 3_000,
  tags: [{ name: `${name} temperature`, address: 'holding:0', deadband: 0.5 }],
})

const get = (user: TestUser, { machineId }: TestMachine) =>
  site.as(user).call(contract.getAgentConfig, { machineId })
const apply = (user: TestUser, { machineId }: TestMachine, base: number, connections = [press()]) =>
  site.as(user).call(contract.applyAgentConfig, { machineId, base, connections })

/** The error code of a refused call. */
async function refusalOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'done'
}

/** The configuration when the agent has decided. */
async function decided(
  user: TestUser,
  machine: TestMachine,
): Promise<AnswerOf<typeof contract.getAgentConfig>> {
  for (;;) {
    const config = await get(user, machine)
    if (config.trial === null) return config
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the configuration of an agent', () => {
  test('names the variables that the controller refuses, beside those that are read', async () => {
    const { akey, machine } = await setUp()
    const missing = { name: 'missing', address: 'holding:900' }
    await apply(akey, machine, 0, [
      { ...press(), tags: [{ name: 'temperature', address: 'holding:0' }, missing] },
    ])
    const { connections } = await decided(akey, machine)
    expect(connections).toMatchObject([
      {
        state: 'online',
        troubleCount: 1,
        troubles: [{ tag: 'missing', reason: 'illegal data address (Modbus exception 2)' }],
      },
    ])
  })

  test('is changed, listed with who did it, and an earlier version comes back', async () => {
    const { akey, machine } = await setUp()
    expect(await get(akey, machine)).toMatchObject({ isAllowed: true, revision: 0, changes: [] })
    expect(await apply(akey, machine, 0)).toEqual({ revision: 1 })
    expect(await decided(akey, machine)).toMatchObject({
      revision: 1,
      connections: [{ name: 'press', isRemote: true, tagCount: 1, state: 'online' }],
      changes: [{ revision: 1, by: 'Akey', state: 'applied', tagCount: 1, isKept: true }],
    })
    const tags = await site.platform.telemetry.listWireTags(machine.machineId, 'en')
    expect(tags.map(({ tag }) => tag)).toEqual(['press temperature'])
    const { connections } = await get(akey, machine)
    expect(connections).toMatchObject([{ troubleCount: 0, troubles: [] }])

    await apply(akey, machine, 1, [press(), press(device.port, 'boiler')])
    await decided(akey, machine)
    const { machineId } = machine
    expect(
      await site.as(akey).call(contract.restoreAgentConfig, { machineId, base: 2, revision: 1 }),
    ).toEqual({
      revision: 3,
    })
    const { changes } = await decided(akey, machine)
    expect(changes.map(({ revision, restoredFrom, state }) => [revision, restoredFrom, state])).toEqual([
      [3, 1, 'applied'],
      [2, null, 'applied'],
      [1, null, 'applied'],
    ])
    const document = await site.as(akey).call(contract.getAgentDocument, { machineId, revision: 1 })
    expect(document.connections).toEqual([press()])
    const acts = await site.db
      .selectFrom('audit_entries')
      .select(['result', 'actor_user_id'])
      .where('action', '=', 'machine.agentConfig')
      .where('target', '=', machine.code)
      .execute()
    expect(acts).toEqual([1, 2, 3].map(() => ({ result: 'ok', actor_user_id: akey.userId })))
  })

  test('that cuts the machine off is rolled back by the agent, and the list has the reason', async () => {
    const { akey, machine, agent } = await setUp()
    await apply(akey, machine, 0)
    await decided(akey, machine)
    await apply(akey, machine, 1, [press(1)])
    expect(await refusalOf(apply(akey, machine, 1))).toBe('AGENT_CONFIG_BUSY')
    agent.skipTrial()
    expect(await decided(akey, machine)).toMatchObject({
      revision: 1,
      changes: [
        { revision: 2, state: 'rolledBack', reason: 'no values any more from press' },
        { revision: 1 },
      ],
    })
  })

  test('is not changed from an older version, nor to an invalid one', async () => {
    const { akey, machine } = await setUp()
    await apply(akey, machine, 0)
    await decided(akey, machine)
    expect(await refusalOf(apply(akey, machine, 0))).toBe('AGENT_CONFIG_CHANGED')
    const outside = { ...press(), host: '192.0.2.1' }
    expect(await refusalOf(apply(akey, machine, 1, [outside]))).toBe('AGENT_CONFIG_WRONG')
    const { machineId } = machine
    const checked = await site.as(akey).call(contract.checkAgentConfig, { machineId, connections: [outside] })
    expect(checked.problems).toEqual([
      {
        path: 'connections[0].host',
        message: "192.0.2.1 is outside the networks that the agent's file allows: 127.0.0.0/8",
      },
    ])
  })

  test('was changed without an entry in the audit log where the agent did not answer in time', async () => {
    const { akey, machine, agent } = await setUp()
    await agent.stop()
    const { machineId } = machine
    const silent = {
      ports: async () => [],
      portsNow: async () => [],
      remote: async () => ['drivers'],
      openStream: async () => Duplex.from(new PassThrough().destroy(new Error('the line broke'))),
    }
    const service = new AgentConfigService({
      db: site.db,
      access: { list: async () => new Map([[machineId, { rights: new Set(['bkey+']), readOnly: false }]]) },
      control: { takeForWrite: async () => undefined, announce: () => undefined },
      link: { tunnel: async () => silent },
      now: Date.now,
    } as unknown as AgentConfigDeps)
    const actor = { user: akey, address: '127.0.0.1', now: Date.now() }
    const change = { base: 0, connections: [press()], restoredFrom: null }
    await expect(service.apply(actor, machineId, change)).rejects.toMatchObject({ code: 'NOT_REACHABLE' })
    const { detail } = await site.db
      .selectFrom('audit_entries')
      .select('detail')
      .where('action', '=', 'machine.agentConfig')
      .where('actor_user_id', '=', akey.userId)
      .executeTakeFirstOrThrow()
    expect(detail).toMatchObject({ machineId, base: 0, connections: 1, tags: 1, isAnswered: false })
  })

  test('is missing for an agent that does not allow it, and not reached without an agent', async () => {
    const { akey, machine } = await setUp({ remote: false })
    expect(await get(akey, machine)).toMatchObject({ isAllowed: false, connections: [] })
    expect(await refusalOf(apply(akey, machine, 0))).toBe('AGENT_CONFIG_OFF')
    const away = await createMachine(site.db, { owner: akey.userId })
    expect(await refusalOf(get(akey, away))).toBe('AGENT_AWAY')
  })

  test('shows the next owner nothing from before', async () => {
    const { akey, machine } = await setUp()
    await apply(akey, machine, 0)
    await decided(akey, machine)
    await site.db
      .updateTable('machines')
      .set({ owned_since: new Date(Date.now() + 1) })
      .where('id', '=', machine.machineId)
      .execute()
    expect((await get(akey, machine)).changes).toEqual([])
  })
})

describe('rights', () => {
  test('keys and managers who control; not without the password, not read-only, not while another one controls', async () => {
    const { akey, machine } = await setUp()
    const late = await createHolder(site.db, machine.machineId, { role: 'bkey' })
    expect(await refusalOf(apply(late, machine, 0))).toBe('PROOF_NEEDED')
    const watcher = await createUser(site.db)
    await proveSession(site.db, watcher.sessionId)
    await grantMachine(site.db, watcher.userId, machine.machineId, { role: 'bkey', readOnly: true })
    expect(await refusalOf(apply(watcher, machine, 0))).toBe('GIVER_READ_ONLY')
    const visitor = await createHolder(site.db, machine.machineId, { role: 'visitor' })
    expect(await refusalOf(get(visitor, machine))).toBe('403')
    await apply(akey, machine, 0)
    await proveSession(site.db, late.sessionId)
    await decided(akey, machine)
    expect(await refusalOf(apply(late, machine, 1))).toBe('CONTROL_TAKEN')
  })

  test('a member needs manage and control', async () => {
    const { eid } = await createEnterprise(site.db)
    const machine = await createEnterpriseMachine(site.db, eid)
    await startAgent(machine)
    const memberWith = async (rights: MemberRight[]) => {
      const member = await createMember(site.db, eid, 'member', rights)
      await proveSession(site.db, member.sessionId)
      return member
    }
    expect(await refusalOf(apply(await memberWith(['view', 'manage']), machine, 0))).toBe('READ_ONLY')
    expect(await refusalOf(apply(await memberWith(['view', 'control']), machine, 0))).toBe('403')
    expect(await apply(await memberWith(['view', 'control', 'manage']), machine, 0)).toEqual({ revision: 1 })
  })
})

describe('looking into a controller', () => {
  test('reads registers through the agent, and names why not', async () => {
    const { akey, machine } = await setUp()
    const read = (address: number) =>
      site.as(akey).call(contract.readAgentRegisters, {
        machineId: machine.machineId,
        connection: press(),
        area: 'holding',
        address,
        count: 2,
      })
    expect(await read(1)).toEqual({ values: [101, 102] })
    expect(await refusalOf(read(900))).toBe('CONTROLLER_FAILED')
  })
})
