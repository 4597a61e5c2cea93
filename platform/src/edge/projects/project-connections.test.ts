import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { plainTopic } from '@busbar/link'
import mqtt from 'mqtt'
import type { IConnackPacket, ISubackPacket } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../../test-support/gateway/test-gateway.ts'
import { gatewayLimits } from '../limits.ts'
import type { ProjectDoor, ProjectLine, ProjectSession, WantedSession } from './project-door.ts'

const run = promisify(execFile)
const mosquittoSub = process.env.BUSBAR_MOSQUITTO_SUB ?? '/usr/bin/mosquitto_sub'
const projectId = 42
const key = 'k'.repeat(64)
const code = '1000000000000000042'

interface OpenSession extends ProjectSession {
  readonly wanted: WantedSession
  line?: ProjectLine
  readonly acknowledged: number[]
  readonly commands: { machineCode: string; payload: string }[]
  kept: string[]
  isClosed: boolean
}

let test: TestGateway
let sessions: OpenSession[] = []
let clients = 0

/** Sends the rows that a test gives it; keeps nothing. */
const door: ProjectDoor = {
  async login(asked, given) {
    return asked === projectId && given.toString() === key ? { projectId, keyId: 1 } : { wrong: true }
  },
  async open(_login, wanted) {
    const session: OpenSession = {
      wanted,
      acknowledged: [],
      commands: [],
      kept: [],
      isClosed: false,
      isPresent: false,
      filters: [],
      start(line) {
        session.line = line
      },
      wake() {},
      async keep(filters) {
        session.kept = filters.map(({ filter }) => filter)
      },
      async command(machineCode, payload) {
        session.commands.push({ machineCode, payload: payload.toString() })
      },
      close() {
        session.isClosed = true
      },
    }
    sessions.push(session)
    return session
  },
}

beforeAll(async () => {
  test = await startTestGateway()
  test.gateway.openTo(door)
})

afterEach(() => {
  sessions = []
})

afterAll(() => test.stop())

/** Signs in; answers the CONNACK too. */
async function connect(version: number, options: object = {}): Promise<[RawClient, IConnackPacket]> {
  const client = await RawClient.open(test.port, version)
  client.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version as 4 | 5,
    clean: true,
    clientId: `client ${++clients}`,
    keepalive: 0,
    username: String(projectId),
    password: Buffer.from(key),
    ...options,
  })
  return [client, await client.next('connack')]
}

async function login(version = 4, options: object = {}): Promise<RawClient> {
  const [client] = await connect(version, options)
  return client
}

function subscribe(client: RawClient, filter: string, messageId = 1): Promise<ISubackPacket> {
  client.send({ cmd: 'subscribe', messageId, subscriptions: [{ topic: filter, qos: 1 }] })
  return client.next('suback')
}

const rowTopic = `data/${projectId}/all/${code}`

function sendRow(session: OpenSession | undefined, no: number): boolean {
  const row = { no, topic: rowTopic, payload: Buffer.from(`{"id":"${projectId}-${no}"}`) }
  return session?.line?.send(row, () => session.acknowledged.push(no)) === true
}

it('mqtt.js gets the rows of its project, and acknowledges each', async () => {
  for (const protocolVersion of [4, 5] as const) {
    sessions = []
    const client = await mqtt.connectAsync(test.url, {
      protocolVersion,
      username: String(projectId),
      password: key,
      clientId: 'erp',
    })
    const got: string[] = []
    client.on('message', (_topic, payload) => got.push(payload.toString()))
    await client.subscribeAsync(`data/${projectId}/#`, { qos: 1 })
    const [session] = sessions
    expect(sendRow(session, 1)).toBe(true)
    expect(sendRow(session, 2)).toBe(true)
    await expect.poll(() => session?.acknowledged).toEqual([1, 2])
    expect(got).toEqual(['{"id":"42-1"}', '{"id":"42-2"}'])
    await client.endAsync()
    await expect.poll(() => session?.isClosed).toBe(true)
  }
})

it('mosquitto_sub gets the rows of its project', async () => {
  const args = ['-h', '127.0.0.1', '-p', String(test.port), '-u', String(projectId), '-P', key]
  const listening = run(mosquittoSub, [
    ...args,
    '-t',
    `data/${projectId}/#`,
    '-q',
    '1',
    '-C',
    '1',
    '-W',
    '10',
  ])
  await expect.poll(() => sessions[0]?.kept).toEqual([`data/${projectId}/#`])
  sendRow(sessions[0], 7)
  expect((await listening).stdout.trim()).toBe('{"id":"42-7"}')
})

it('a project reads only its own rows and results', async () => {
  const client = await login(4)
  const filters = [
    ['data/42/#', 1],
    ['data/42/all/+', 1],
    ['cmd/42/result', 1],
    ['data/43/#', 128],
    ['data/+/#', 128],
    ['data/#', 128],
    ['#', 128],
    ['cmd/42/#', 128],
    ['v1/devices/me/rpc/request/+', 128],
    ['spBv1.0/#', 128],
    ['spBv1.0/STATE/busbar', 128],
    ['$SYS/#', 128],
  ] as const
  for (const [index, [filter, granted]] of filters.entries()) {
    const { granted: given } = await subscribe(client, filter, index + 1)
    expect([filter, given]).toEqual([filter, [granted]])
  }
  client.destroy()
})

it.each([
  plainTopic.telemetry,
  plainTopic.alarms,
  'spBv1.0/plant/NBIRTH/1000000000000000042',
  'spBv1.0/STATE/busbar',
  'data/42/all/1000000000000000042',
  'data/1000000000000000042/all/x',
  'cmd/43/1000000000000000042',
  'cmd/42/result',
  'anything',
])('a value that a project publishes on %s ends its connection, and is stored nowhere', async (topic) => {
  const samplesBefore = test.telemetry.stats().samples
  const messagesBefore = test.gateway.stats().messages
  for (const version of [4, 5]) {
    const client = await login(version)
    client.publish(topic, '{"temp":1}')
    await expect.poll(() => client.isClosed).toBe(true)
  }
  expect(sessions.flatMap(({ commands }) => commands)).toEqual([])
  expect(test.telemetry.stats().samples).toBe(samplesBefore)
  expect(test.gateway.stats().messages).toBe(messagesBefore)
  expect(test.gateway.presence.onlineCount).toBe(0)
})

it('a project publishes commands to machines, and they are acknowledged', async () => {
  const client = await login(5)
  const payload = '{"type":"set_var","payload":{"speed":5}}'
  client.publish(`cmd/42/${code}`, payload, { messageId: 3 })
  expect(await client.next('puback')).toMatchObject({ messageId: 3 })
  expect(sessions[0]?.commands).toEqual([{ machineCode: code, payload }])
  client.destroy()
})

it('says in the SUBACK of MQTT 5 whether rows wait', async () => {
  for (const [sessionExpiryInterval, words] of [
    [0, 'live rows only: rows do not wait for this session'],
    [3_600, 'rows wait for this session'],
  ] as const) {
    const client = await login(5, { clean: false, properties: { sessionExpiryInterval } })
    expect(await subscribe(client, 'data/42/#')).toMatchObject({ properties: { reasonString: words } })
    client.destroy()
  }
})

it('a session outlives its connection for 72 hours at most', async () => {
  const asked = { clean: false, properties: { sessionExpiryInterval: 0xffffffff } }
  const [client, welcome] = await connect(5, asked)
  expect(sessions[0]?.wanted.keptS).toBe(72 * 3_600)
  expect(welcome).toMatchObject({ properties: { sessionExpiryInterval: 72 * 3_600 } })
  client.destroy()
  const older = await login(4, { clean: false, clientId: 'erp' })
  expect(sessions[1]?.wanted).toEqual({ clientId: 'erp', keptS: 72 * 3_600, isFresh: false })
  older.destroy()
})

it('a client that acknowledges nothing gets no more rows than its window', async () => {
  const client = await login(5, { properties: { receiveMaximum: 3 } })
  await subscribe(client, 'data/42/#')
  const [session] = sessions
  expect(session?.line?.room).toBe(3)
  for (const no of [1, 2, 3]) sendRow(session, no)
  expect(session?.line?.room).toBe(0)
  client.destroy()
  const other = await login(4)
  await subscribe(other, 'data/42/#')
  expect(sessions[1]?.line?.room).toBe(gatewayLimits.rowsInflightMax)
  other.destroy()
})

it('a client without filters takes no rows', async () => {
  const client = await login(4)
  await expect.poll(() => sessions[0]?.line?.room).toBe(0)
  client.destroy()
})

it('a newer connection of a client id ends the older one', async () => {
  const older = await login(5, { clientId: 'erp' })
  const newer = await login(5, { clientId: 'erp' })
  await expect.poll(() => older.isClosed).toBe(true)
  expect(newer.isClosed).toBe(false)
  newer.destroy()
})

it('a project has 20 connections at most', async () => {
  const open: RawClient[] = []
  for (let index = 0; index < gatewayLimits.projectConnectionsMax; index++)
    open.push(await login(5, { clientId: `c${index}` }))
  const [, refusal] = await connect(5, { clientId: 'one more' })
  expect(refusal).toMatchObject({ reasonCode: 0x9f })
  for (const client of open) client.destroy()
  await expect.poll(() => sessions.every(({ isClosed }) => isClosed)).toBe(true)
})

it('a wrong key is a wrong password', async () => {
  for (const wrong of [{ password: Buffer.from('no') }, { username: '43' }]) {
    const [, refusal] = await connect(4, wrong)
    expect(refusal).toMatchObject({ returnCode: 4 })
  }
})
