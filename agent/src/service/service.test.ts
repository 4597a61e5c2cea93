import { createServer, type Server } from 'node:net'
import type { AgentHealth, AgentLog, AgentProbed, AgentScanState } from '@busbar/link'
import { agentServicePath } from '@busbar/link'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../testkit/src/free-port.ts'
import { type ModbusDevice, startModbusDevice } from '../testing/modbus-device.ts'
import { type RemoteAgent, startRemoteAgent } from '../testing/remote-agent.ts'

let device: ModbusDevice
let agent: RemoteAgent
let closedPort: number
/** Answers as a web server does. */
let web: Server

beforeAll(async () => {
  device = await startModbusDevice()
  device.memory.holding.set(0, 215)
  closedPort = await findFreePort()
  web = createServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const connection = (name: string, port: number, tag = 0) =>
    `  - { name: ${name}, driver: modbus-tcp, host: 127.0.0.1, port: ${port}, timeoutMs: 2000, tags: [{ name: ${name}, address: "holding:${tag}" }] }`
  agent =
    await startRemoteAgent(`ports: { modbus-tcp: [${device.port}, ${closedPort}, ${webPort()}], s7: [${closedPort}], opcua: [${closedPort}] }
connections:
${connection('press', device.port)}
${connection('gone', closedPort)}
${connection('web', webPort())}
${connection('missing', device.port, 900)}
  - { name: sim, driver: simulated, tags: [{ name: sim, signal: { kind: counter } }] }`)
})
afterAll(async () => {
  await agent.close()
  await device.close()
  web.close()
})

const webPort = (): number => (web.address() as { port: number }).port
const probe = async (connection: string) =>
  (await agent.ask<AgentProbed>('POST', agentServicePath.probe, { connection })).body

test('an agent tells its state, with the last failure of each connection', async () => {
  await agent.broker.until(() => agent.broker.of('NBIRTH').length > 0)
  const { status, body } = await agent.ask<AgentHealth>('GET', agentServicePath.health)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    node: process.version,
    line: { isOnline: true, family: 'IPv4', tls: null },
    outbox: { dropped: 0, isDiskWell: true },
  })
  expect(body.disk?.freeBytes).toBeGreaterThan(0)
  expect(Math.abs(body.clockAheadMs ?? Number.NaN)).toBeLessThan(2_000)
  const [press, gone] = body.connections
  expect(press).toMatchObject({ name: 'press', state: 'online', remote: false, failure: null })
  expect(press?.valueAgeMs).toBeLessThan(10_000)
  expect(gone).toMatchObject({ state: 'offline', failure: { reason: 'ECONNREFUSED' }, valueAgeMs: null })
})

test('the log of the last hour has its lines, and no secret', async () => {
  const { body } = await agent.ask<AgentLog>('GET', agentServicePath.log)
  expect(body.isCut).toBe(false)
  expect(body.lines.map(({ event }) => event)).toContain('uplink.online')
  expect(body.lines).toContainEqual(
    expect.objectContaining({ event: 'controller.away', connection: 'gone', level: 'warn' }),
  )
})

test('one try of a connection says how far it came', async () => {
  expect(await probe('press')).toMatchObject({ code: 'ok', reason: '', readMs: expect.any(Number) })
  expect(await probe('gone')).toMatchObject({ code: 'refused', helloMs: null })
  expect(await probe('web')).toMatchObject({ code: 'notThisProtocol' })
  expect(await probe('missing')).toMatchObject({
    code: 'readRefused',
    reason: expect.stringContaining('exception 2'),
  })
  expect(await probe('sim')).toMatchObject({ code: 'notProbed' })
  expect((await agent.ask('POST', agentServicePath.probe, { connection: 'other' })).status).toBe(404)
  expect((await agent.ask('POST', agentServicePath.probe, {})).status).toBe(400)
  device.silent = true
  expect(await probe('press')).toMatchObject({ code: 'timeout' })
  device.silent = false
})

test('a search finds what answers, and only in the networks and ports of the file', async () => {
  const scan = (body: unknown) => agent.ask<AgentScanState>('POST', agentServicePath.scan, body)
  expect((await scan({ network: '10.0.0.0/30' })).body).toMatchObject({ refusal: 'networkNotAllowed' })
  expect((await scan({ network: '126.0.0.0/7' })).body).toMatchObject({ refusal: 'networkNotAllowed' })
  expect((await scan({ network: '127.0.0.0/16' })).body).toMatchObject({ refusal: 'tooManyHosts' })
  expect((await scan({ network: 'plant' })).body).toMatchObject({ refusal: 'notANetwork' })
  expect((await scan({ network: '127.0.0.1/32', kinds: ['ssh'] })).status).toBe(400)
  expect(await scan({ network: '127.0.0.1/32' })).toMatchObject({
    status: 202,
    body: { state: 'running', total: 5 },
  })
  expect((await scan({ network: '127.0.0.1/32' })).status).toBe(409)
  const state = async () => (await agent.ask<AgentScanState>('GET', agentServicePath.scan)).body
  await expect.poll(state).toMatchObject({ state: 'done', done: 5 })
  expect((await state()).found).toEqual([
    expect.objectContaining({ address: '127.0.0.1', port: device.port, kind: 'modbus-tcp' }),
  ])
})
