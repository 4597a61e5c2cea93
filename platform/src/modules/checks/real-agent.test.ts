import { type ModbusDevice, startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { agentConfig, checks as contract } from '@busbar/contract'
import { startRemoteAgent, type TestMachine, type TestRemoteAgent, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const site = useSite()
let device: ModbusDevice
const agents: TestRemoteAgent[] = []

beforeAll(async () => {
  device = await startModbusDevice()
  device.memory.holding.set(0, 100)
})
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop()
})
afterAll(() => device.close())

/** An Akey whose machine has an agent that reads a controller. */
async function setUp() {
  const akey = await site.createUser()
  await site.proveSession(akey.sessionId)
  const machine = await site.createMachine({ owner: akey.userId })
  const tunnel = Promise.withResolvers<void>()
  const forget = site.platform.tunnels.onChange((machineId, opened) => {
    if (machineId === machine.machineId && opened) tunnel.resolve()
  })
  const agent = await startRemoteAgent(site, machine)
  agents.push(agent)
  await tunnel.promise
  forget()
  return { akey, machine, agent }
}

async function configure(akey: TestUser, { machineId }: TestMachine, port: number): Promise<void> {
  const tags = [{ name: 'temperature', address: 'holding:0' }]
  const rates = { pollIntervalMs: 50, timeoutMs: 3_000 }
  const connection = { name: 'press', driver: 'modbus-tcp', host: '127.0.0.1', port, ...rates, tags }
  const person = site.as(akey)
  await person.call(agentConfig.applyAgentConfig, { machineId, base: 0, connections: [connection] })
  while ((await person.call(agentConfig.getAgentConfig, { machineId })).trial)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** A check to its end, with the time that it took. */
async function check(user: TestUser, { machineId }: TestMachine) {
  const person = site.as(user)
  const { jobId } = await person.call(contract.startCheck, { machineID: machineId })
  const get = () => person.call(contract.getCheck, { jobId })
  const ms = await calmMsOf(async () => {
    while ((await get()).state !== 'done') await new Promise((resolve) => setTimeout(resolve, 20))
  })
  return { ...(await get()), ms }
}

const factOf = (parts: readonly contract.CheckedPart[], fact: contract.CheckFact) =>
  parts.flatMap(({ facts }) => facts).find((one) => one.fact === fact)?.value

test('a device that is reached is checked in 3 s, down to its controller; versions are for keys', async () => {
  const { akey, machine } = await setUp()
  await configure(akey, machine, device.port)
  const { result, parts, ms } = await check(akey, machine)
  // The computer that runs this test may be overloaded.
  expect(['nothing', 'overloaded']).toContain(result?.cause)
  expect(parts.flatMap(({ part, state }) => (state === 'ok' ? [part] : []))).toEqual(
    expect.arrayContaining(['platform', 'line', 'connections', 'rights']),
  )
  expect(factOf(parts, 'probe')).toBe('ok')
  expect(factOf(parts, 'version')).toBeTypeOf('string')
  expect(ms).toBeLessThan(3_000)

  const visitor = await site.createHolder(machine.machineId, { role: 'visitor' })
  const theirs = await check(visitor, machine)
  expect(factOf(theirs.parts, 'probe')).toBe('ok')
  for (const fact of ['version', 'address', 'system'] as const)
    expect(factOf(theirs.parts, fact)).toBeUndefined()
})

test('a controller whose port is closed is the cause, and is sure', async () => {
  const { akey, machine, agent } = await setUp()
  await configure(akey, machine, 1)
  agent.skipTrial()
  const { result } = await check(akey, machine)
  expect(result).toMatchObject({ cause: 'plcRefused', who: 'onSite', isSure: true, connection: 'press' })
})

test('an agent that was stopped is told from one that was cut off', async () => {
  const { akey, machine, agent } = await setUp()
  await configure(akey, machine, device.port)
  await agent.stop()
  agents.splice(0)
  const { gateway } = site.platform
  await gateway.presence.flush()
  await gateway.lineNotes.flush()
  const { result, ms } = await check(akey, machine)
  expect(result).toMatchObject({ cause: 'agentStopped', who: 'onSite' })
  expect(ms).toBeLessThan(5_000)
})

test('a wrong secret is the cause of a device that never came', async () => {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId })
  const { gateway } = site.platform
  await gateway.logins.check({ code: machine.code, secret: Buffer.from('wrong'), address: '127.0.0.1' })
  await gateway.lineNotes.flush()
  const { result } = await check(akey, machine)
  expect(result).toMatchObject({ cause: 'secretRefused', who: 'keyHolder', isSure: false })
})

test('log, bundle and scan come from the agent, without secrets and within its networks', async () => {
  const { akey, machine } = await setUp()
  const { machineId } = machine
  await configure(akey, machine, device.port)
  const person = site.as(akey)
  expect(await person.call(contract.getAgentLog, { machineId })).toMatchObject({ isCut: false })

  const path = contract.getSupportBundle.path.replace(':machineId', String(machineId))
  const answer = await fetch(site.url + path, { headers: { token: akey.token } })
  const bundle = await answer.text()
  expect(bundle).toContain('"agentAnswers"')
  expect(bundle).toContain('"pollIntervalMs": 50')
  expect(bundle).not.toContain(machine.secret)

  const scan = (network: string) => site.refusalOf(akey, agentConfig.startScan, { machineId, network })
  expect(await scan('192.168.1.0/24')).toBe('SCAN_NETWORK')
  await person.call(agentConfig.startScan, { machineId, network: '127.0.0.1/32' })
  const { network } = await person.call(agentConfig.getScan, { machineId })
  expect(network).toBe('127.0.0.1/32')
  expect(await scan('127.0.0.1/32')).toBe('429')
})
