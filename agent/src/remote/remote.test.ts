import type { ExploredNodes, ExploredRegisters, RemoteFields, RemoteProblems } from '@busbar/link'
import { agentConfigPath } from '@busbar/link'
import { afterEach, describe, expect, test } from 'vitest'
import { type ModbusDevice, startModbusDevice } from '../testing/modbus-device.ts'
import { startOpcUaServer } from '../testing/opcua-server.ts'
import { type RemoteAgent, startRemoteAgent } from '../testing/remote-agent.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startDevice(): Promise<ModbusDevice> {
  const device = await startModbusDevice()
  for (let address = 0; address < 10; address++) device.memory.holding.set(address, 100 + address)
  closing.push(() => device.close())
  return device
}

async function start(more?: string): Promise<RemoteAgent> {
  const agent = await startRemoteAgent(more)
  closing.push(() => agent.close())
  return agent
}

function press(port: number, fields: RemoteFields = {}): RemoteFields {
  return {
    name: 'press',
    driver: 'modbus-tcp',
    host: '127.0.0.1',
    port,
    pollIntervalMs: 50,
    timeoutMs: 3_000,
    tags: [{ name: 'temperature', address: 'holding:0' }],
    ...fields,
  }
}

const boiler = (port: number): RemoteFields =>
  press(port, { name: 'boiler', tags: [{ name: 'level', address: 'holding:1' }] })

/** The names in the birth that came last. */
function namesTold({ broker }: RemoteAgent): (string | undefined)[] {
  const metrics = broker.of('NBIRTH').at(-1)?.payload.metrics ?? []
  return metrics
    .map(({ name }) => name)
    .filter((name) => !name?.includes('bdSeq') && !name?.includes('Control'))
}

describe('a change from the platform', () => {
  test('sets up an agent that had nothing, and is the present one when the cloud has its tags', async () => {
    const [device, agent] = [await startDevice(), await start()]
    expect(await agent.state()).toMatchObject({ revision: 0, connections: [], networks: ['127.0.0.0/8'] })
    expect(await agent.apply([press(device.port)])).toEqual({ status: 200, body: { revision: 1 } })
    expect(await agent.settled()).toMatchObject({
      revision: 1,
      connections: [{ name: 'press', driver: 'modbus-tcp', remote: true, tags: 1, state: 'online' }],
      ended: [{ revision: 1, id: 'change 1', result: 'applied', reason: '' }],
    })
    expect(namesTold(agent)).toEqual(['temperature'])
    await agent.restart()
    expect(await agent.state()).toMatchObject({ revision: 1, connections: [{ name: 'press' }] })
  })

  test('leaves a connection that did not change as it is, with its number', async () => {
    const [device, other, agent] = [await startDevice(), await startDevice(), await start()]
    await agent.apply([boiler(other.port), press(device.port)])
    await agent.settled()
    const aliasOf = (name: string) =>
      agent.broker
        .of('NBIRTH')
        .at(-1)
        ?.payload.metrics.find((metric) => metric.name === name)?.alias
    const before = [aliasOf('level'), aliasOf('temperature')]
    const connections = other.connections()
    await agent.apply([
      boiler(other.port),
      press(device.port, { tags: [{ name: 'temperature', address: 'holding:0', deadband: 5 }] }),
    ])
    expect(await agent.settled()).toMatchObject({ revision: 2 })
    expect(aliasOf('level')).toBe(before[0])
    expect(aliasOf('temperature')).not.toBe(before[1])
    expect(other.connections()).toEqual(connections)
  })

  test('that removes a tag loses nothing of it: what waits is sent by its name', async () => {
    const [device, agent] = [await startDevice(), await start()]
    const { broker } = agent
    await agent.apply([boiler(device.port), press(device.port)])
    await agent.settled()
    broker.unacknowledged.add('NDATA')
    const sent = broker.arrivals.length
    device.memory.holding.set(0, 1_234)
    await broker.until(() => broker.arrivals.slice(sent).some(({ type }) => type === 'NDATA'))
    await agent.apply([boiler(device.port)])
    await agent.settled()
    expect(namesTold(agent)).toEqual(['level'])
    broker.unacknowledged.clear()
    broker.breakConnections()
    const late = () =>
      broker.of('NDATA').flatMap(({ payload }) => payload.metrics.filter((metric) => metric.isHistorical))
    await broker.until(() => late().some(({ name }) => name === 'temperature'))
    const [sample] = late().filter(({ name }) => name === 'temperature')
    expect(sample?.raw).toEqual({ kind: 'int', value: 1_234 })
  })

  test('that breaks a connection is rolled back automatically, and the connection reads again', async () => {
    const [device, agent] = [await startDevice(), await start()]
    await agent.apply([press(device.port)])
    await agent.settled()
    const closed = await startModbusDevice()
    await closed.close()
    await agent.apply([press(closed.port)])
    expect(await agent.state()).toMatchObject({ revision: 1, trial: { revision: 2, waitsFor: ['press'] } })
    expect(await agent.apply([press(device.port)])).toMatchObject({ status: 423 })
    agent.skipTrial()
    const state = await agent.settled()
    expect(state.ended.at(-1)).toMatchObject({
      revision: 2,
      result: 'rolledBack',
      reason: 'no values any more from press',
    })
    expect(state).toMatchObject({ revision: 1, connections: [{ name: 'press', state: 'online' }] })
  })

  test('that the cloud does not acknowledge rolls back', async () => {
    const [device, agent] = [await startDevice(), await start()]
    agent.broker.unacknowledged.add('NBIRTH')
    await agent.apply([press(device.port)])
    agent.skipTrial()
    expect((await agent.settled()).ended).toMatchObject([
      { result: 'rolledBack', reason: 'the platform did not acknowledge the change' },
    ])
    expect(await agent.state()).toMatchObject({ revision: 0, connections: [] })
  })

  test('during which the agent ends has failed: the next start reads the version before', async () => {
    const [device, agent] = [await startDevice(), await start()]
    await agent.apply([press(device.port)])
    await agent.settled()
    agent.broker.unacknowledged.add('NBIRTH')
    await agent.apply([boiler(device.port)])
    agent.broker.unacknowledged.clear()
    await agent.restart()
    const state = await agent.state()
    expect(state).toMatchObject({ revision: 1, trial: null, connections: [{ name: 'press' }] })
    expect(state.ended.at(-1)).toMatchObject({
      revision: 2,
      result: 'rolledBack',
      reason: 'the agent was restarted',
    })
  })

  test('based on an old version is refused', async () => {
    const [device, agent] = [await startDevice(), await start()]
    await agent.apply([press(device.port)])
    await agent.settled()
    expect(await agent.apply([boiler(device.port)], 0)).toMatchObject({ status: 409, body: { revision: 1 } })
  })
})

describe('the hand-written file wins', () => {
  const ownFile = (port: number) => `connections:
  - { name: press, driver: modbus-tcp, host: 127.0.0.1, port: ${port}, tags: [{ name: temperature, address: "holding:0" }] }`

  test('a name, a tag or an alarm of it is refused by path', async () => {
    const device = await startDevice()
    const agent = await start(ownFile(device.port))
    expect(await agent.apply([press(device.port)])).toEqual({
      status: 422,
      body: {
        problems: [
          { path: 'connections[0].name', message: '"press" is the name of another connection' },
          {
            path: 'connections[0].tags[0].name',
            message: `"temperature" is taken by the agent's own file.tags[0]`,
          },
        ],
      },
    })
  })
})

describe('looking into controllers', () => {
  test('registers are read through the agent', async () => {
    const [device, agent] = [await startDevice(), await start()]
    const connection = press(device.port)
    const question = { connection, area: 'holding', address: 2, count: 3 }
    const { body } = await agent.ask<ExploredRegisters>('POST', agentConfigPath.registers, question)
    expect(body.values).toEqual([102, 103, 104])
    const none = { connection, area: 'holding', address: 100, count: 1 }
    expect(await agent.ask('POST', agentConfigPath.registers, none)).toMatchObject({ status: 422 })
  })

  test('an address space is walked through the agent, page by page', async () => {
    const server = await startOpcUaServer({ onlyPlain: true, variables: { speed: ['Double', 4.5] } })
    closing.push(() => server.close())
    const agent = await start()
    const connection = { name: 'plc', driver: 'opcua', url: server.url, security: 'none' }
    const ask = (nodeId: string | null) =>
      agent.ask<ExploredNodes>('POST', agentConfigPath.nodes, { connection, nodeId, continuation: null })
    const root = await ask(null)
    const seen: string[] = []
    for (const { nodeId, hasChildren } of root.body.nodes) {
      if (!hasChildren) continue
      for (const node of (await ask(nodeId)).body.nodes) {
        seen.push(node.name)
        if (node.name === 'speed')
          expect(node).toMatchObject({ isVariable: true, type: 'float64', value: '4.5' })
      }
    }
    expect([...root.body.nodes.map(({ name }) => name), ...seen]).toContain('speed')
  })
})

test('an agent without ports in its file reaches only the usual ones, in changes and while it looks into controllers', async () => {
  const agent = await start('ports: { s7: [102] }')
  const applied = await agent.apply([press(22)])
  expect(applied).toMatchObject({ status: 422, body: { problems: [{ path: 'connections[0].port' }] } })
  const asked = {
    connection: { driver: 'modbus-tcp', host: '127.0.0.1', port: 22 },
    area: 'holding',
    address: 0,
    count: 1,
  }
  const looked = await agent.ask('POST', agentConfigPath.registers, asked)
  expect(looked).toMatchObject({ status: 422, body: { problems: [{ path: 'connections[0].port' }] } })
})

describe('the agent itself refuses', () => {
  const refusals: [why: string, fields: RemoteFields, path: string][] = [
    ['a host outside the networks', press(502, { host: '192.168.0.9' }), 'connections[0].host'],
    ['an IPv4 address written as IPv6', press(502, { host: '::ffff:192.168.0.9' }), 'connections[0].host'],
    ['a name without an address', press(502, { host: 'nowhere.invalid' }), 'connections[0].host'],
    [
      'a file as a serial line',
      { name: 'l', driver: 'modbus-rtu', serialPort: '/dev/sda', tags: [] },
      'connections[0].serialPort',
    ],
    ['made-up values', { name: 'x', driver: 'simulated', tags: [] }, 'connections[0].driver'],
    [
      'a password',
      {
        name: 'o',
        driver: 'opcua',
        url: 'opc.tcp://127.0.0.1',
        security: 'none',
        user: { name: 'a', password: 'b' },
        tags: [],
      },
      'connections[0].user',
    ],
    [
      'a file as a certificate',
      {
        name: 'o',
        driver: 'opcua',
        url: 'opc.tcp://127.0.0.1',
        security: 'none',
        user: { certificateFile: '/etc/shadow', keyFile: '/etc/shadow' },
        tags: [],
      },
      'connections[0].user',
    ],
    [
      'an OPC UA server outside',
      { name: 'o', driver: 'opcua', url: 'opc.tcp://10.0.0.1:4840', security: 'none', tags: [] },
      'connections[0].url',
    ],
  ]
  test('everything beside connections, tags and dead bands inside its networks', async () => {
    const agent = await start()
    for (const [why, fields, path] of refusals) {
      const answer = await agent.apply([fields])
      expect(answer.status, why).toBe(422)
      expect(
        (answer.body as RemoteProblems).problems.map((problem) => problem.path),
        why,
      ).toContain(path)
    }
    for (const field of ['cloud', 'targets', 'tcp', 'page', 'outbox', 'networks', 'remote']) {
      const document = { connections: [], [field]: {} }
      const answer = await agent.ask<RemoteProblems>('POST', agentConfigPath.apply, {
        base: 0,
        id: 'x',
        document,
      })
      expect([answer.status, answer.body.problems[0]?.path], field).toEqual([422, field])
    }
    const outside = { connection: press(502, { host: '192.168.0.9' }), area: 'holding', address: 0, count: 1 }
    expect(await agent.ask('POST', agentConfigPath.registers, outside)).toMatchObject({ status: 422 })
    expect(await agent.state()).toMatchObject({ revision: 0, ended: [] })
  })
})
