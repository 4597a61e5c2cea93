import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { useSite } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import {
  addKey,
  appendTo,
  changed,
  createProject,
  numberRow,
  pull,
  removeProject,
  type TestProject,
  untilKnown,
} from '../../../test-support/project-data/project-rig.ts'
import type { ProjectLine } from '../../edge-link/projects.ts'
import { silentLogger } from '../../kernel/logger.ts'
import type { NewRow, StreamRow } from '../project-stream/index.ts'
import { type BegunSession, RowSession, type RowSessionDeps } from './row-session.ts'
import { takeSession } from './sessions-store.ts'

const run = promisify(execFile)
const mosquittoSub = process.env.BUSBAR_MOSQUITTO_SUB ?? '/usr/bin/mosquitto_sub'

const site = useSite()
let project: TestProject
const clients: { end(): void }[] = []

beforeEach(async () => {
  const owner = await site.createUser()
  project = await createProject(site.db, owner.userId, [await site.createMachine({ owner: owner.userId })])
  await untilKnown(site, project)
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.end()
  await removeProject(site.db, project.projectId)
  await changed(site.db, project.projectId)
})

function linkOf({ links: [link] }: TestProject): TestProject['links'][number] {
  if (!link) throw new Error('a project without machines')
  return link
}

async function append(...numbers: number[]): Promise<void> {
  const link = linkOf(project)
  await appendTo(
    site,
    project.projectId,
    numbers.map((n) => numberRow(link, n)),
  )
}

const numberOf = (payload: Buffer): number => JSON.parse(payload.toString()).values.n

interface Listening {
  readonly client: MqttClient
  readonly got: number[]
  readonly topics: string[]
}

async function listen(options: IClientOptions = {}): Promise<Listening> {
  const client = mqtt.connect(site.mqttUrl, {
    username: String(project.projectId),
    password: project.key,
    reconnectPeriod: 0,
    ...options,
  })
  const got: number[] = []
  const topics: string[] = []
  client.on('message', (topic, payload) => {
    got.push(numberOf(payload))
    topics.push(topic)
  })
  clients.push({ end: () => client.end(true) })
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject))
  await client.subscribeAsync(`data/${project.projectId}/#`, { qos: 1 })
  return { client, got, topics }
}

/** A client whose acknowledgements the test sends itself. */
async function login(options: object = {}): Promise<RawClient> {
  const client = await RawClient.login(
    site.mqttPort,
    { code: String(project.projectId), secret: project.key },
    { connect: { clientId: 'erp', clean: false, ...options } },
  )
  clients.push({ end: () => client.destroy() })
  return client
}

async function subscribe(client: RawClient): Promise<void> {
  const subscriptions = [{ topic: `data/${project.projectId}/#`, qos: 1 }] as const
  client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [...subscriptions] })
  await client.next('suback')
}

const usedRows = async () =>
  (
    await site.db
      .selectFrom('project_usage')
      .select('rows')
      .where('project_id', '=', project.projectId)
      .execute()
  )
    .map(({ rows }) => Number(rows))
    .at(0) ?? 0

/** Rows of before its subscription are not a session's. */
const untilSubscribed = (clientId: string) =>
  expect
    .poll(() =>
      site.db
        .selectFrom('project_sessions')
        .select('filters')
        .where('project_id', '=', project.projectId)
        .where('client_id', '=', clientId)
        .executeTakeFirst(),
    )
    .toMatchObject({ filters: [expect.anything()] })

const placeOf = async (clientId: string) => {
  const row = await site.db
    .selectFrom('project_sessions')
    .select('no')
    .where('project_id', '=', project.projectId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row && Number(row.no)
}

it('a client gets the rows of its project, on the topics of their machines', async () => {
  const { got, topics } = await listen()
  await append(1, 2, 3)
  await expect.poll(() => got).toEqual([1, 2, 3])
  expect(topics[0]).toBe(`data/${project.projectId}/press/${project.links[0]?.code}`)
  await expect.poll(usedRows).toBe(3)
})

it('rows wait for a kept session, also for mosquitto_sub', async () => {
  const args = [
    '-h',
    '127.0.0.1',
    '-p',
    String(site.mqttPort),
    '-u',
    String(project.projectId),
    '-P',
    project.key,
  ]
  const topic = ['-t', `data/${project.projectId}/#`, '-q', '1', '-i', 'mes', '-c', '-W', '5']
  const first = run(mosquittoSub, [...args, ...topic, '-C', '1'])
  await untilSubscribed('mes')
  await append(1)
  expect(numberOf(Buffer.from((await first).stdout))).toBe(1)
  await append(2, 3)
  const { stdout } = await run(mosquittoSub, [...args, ...topic, '-C', '2'])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => numberOf(Buffer.from(line))),
  ).toEqual([2, 3])
})

it('a row that was acknowledged on the former connection is not sent again', async () => {
  const former = await login()
  await subscribe(former)
  await append(1, 2, 3)
  const ids = [await former.next('publish'), await former.next('publish'), await former.next('publish')]
  // The place of the first is stored at once, that of the others a moment later.
  for (const { messageId = 0 } of ids) former.send({ cmd: 'puback', messageId })
  former.send({ cmd: 'pingreq' })
  await former.next('pingresp')
  const again = await login()
  await append(4)
  expect(numberOf((await again.next('publish')).payload as Buffer)).toBe(4)
  await former.closed()
})

it('a clean session gets live rows only, and they count at sending', async () => {
  await append(1)
  const first = await listen({ clientId: 'clean' })
  await append(2)
  await expect.poll(() => first.got).toEqual([2])
  first.client.end(true)
  await append(3)
  const second = await listen({ clientId: 'clean' })
  await append(4)
  await expect.poll(() => second.got).toEqual([4])
  expect(await placeOf('clean')).toBeUndefined()
})

it('a row that was sent and not acknowledged when its process died is sent again', async () => {
  const client = await login()
  await subscribe(client)
  await append(1, 2)
  const first = await client.next('publish')
  const second = await client.next('publish')
  client.send({ cmd: 'puback', messageId: first.messageId ?? 0 })
  await expect.poll(() => placeOf('erp')).toBe(2)
  client.destroy()
  const again = await login()
  const repeated = await again.next('publish')
  expect(repeated.payload).toEqual(second.payload)
  expect(await placeOf('erp')).toBe(2)
  again.send({ cmd: 'puback', messageId: repeated.messageId ?? 0 })
  await expect.poll(() => placeOf('erp')).toBe(3)
  expect(await usedRows()).toBe(2)
})

it('an acknowledgement out of turn moves nothing past the row before it', async () => {
  const client = await login()
  await subscribe(client)
  await append(1, 2)
  const [first, second] = [await client.next('publish'), await client.next('publish')]
  client.send({ cmd: 'puback', messageId: second.messageId ?? 0 })
  await expect.poll(usedRows).toBe(1)
  expect(await placeOf('erp')).toBe(1)
  client.send({ cmd: 'puback', messageId: first.messageId ?? 0 })
  await expect.poll(() => placeOf('erp')).toBe(3)
})

it('a session that is present has its filters', async () => {
  const client = await login()
  await subscribe(client)
  client.destroy()
  const again = await RawClient.open(site.mqttPort)
  clients.push({ end: () => again.destroy() })
  again.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: false,
    clientId: 'erp',
    keepalive: 0,
    username: String(project.projectId),
    password: Buffer.from(project.key),
  })
  expect(await again.next('connack')).toMatchObject({ sessionPresent: true, returnCode: 0 })
  await append(5)
  expect(numberOf((await again.next('publish')).payload as Buffer)).toBe(5)
})

it('a project keeps 5 sessions, and a clean one beside them', async () => {
  for (let index = 0; index < 5; index++) (await login({ clientId: `kept ${index}` })).destroy()
  await expect(login({ clientId: 'sixth' }).then((client) => client.next('publish'))).rejects.toThrow()
  await listen({ clientId: 'clean' })
})

it('a client that acknowledges nothing gets 100 rows, and others all of theirs', async () => {
  const silent = await login({ clientId: 'silent' })
  await subscribe(silent)
  const { got } = await listen({ clientId: 'other' })
  const numbers = Array.from({ length: 300 }, (_, index) => index + 1)
  await append(...numbers)
  await expect.poll(() => got).toEqual(numbers)
  const sent = silent.packets.filter(({ cmd }) => cmd === 'publish')
  expect(sent).toHaveLength(100)
})

it('rows of a link that ended stop within a second', async () => {
  const { got } = await listen()
  await append(1)
  await expect.poll(() => got).toEqual([1])
  await site.db
    .updateTable('project_machines')
    .set({ stop: 'memberLeft', ended_at: new Date() })
    .where('project_id', '=', project.projectId)
    .execute()
  await changed(site.db, project.projectId)
  const { links } = site.platform.projects
  expect(
    await calmMsOf(() => expect.poll(() => links.stateOf(linkOf(project).linkId)).toBe('ended')),
  ).toBeLessThan(1_000)
  await append(2)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(got).toEqual([1])
})

it('rows of a project that an operator stopped were passed over, and now wait for it', async () => {
  const stop = async (is_stopped_by_operator: boolean) => {
    await site.db
      .updateTable('projects')
      .set({ is_stopped_by_operator })
      .where('id', '=', project.projectId)
      .execute()
    await changed(site.db, project.projectId)
    const state = () => site.platform.projects.links.stateOf(linkOf(project).linkId)
    await expect.poll(state).toBe(is_stopped_by_operator ? 'paused' : 'active')
  }
  const { got } = await listen()
  await append(1)
  await expect.poll(() => got).toEqual([1])
  await stop(true)
  await append(2, 3)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(got).toEqual([1])
  await stop(false)
  await expect.poll(() => got).toEqual([1, 2, 3])
})

it('a connection ends within a second when its key ends', async () => {
  const { client } = await listen()
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  await site.db.deleteFrom('project_keys').where('project_id', '=', project.projectId).execute()
  await addKey(site.db, project.projectId, 'the new one')
  const tookMs = await calmMsOf(async () => {
    await changed(site.db, project.projectId)
    await closed
  })
  expect(tookMs).toBeLessThan(1_000)
})

it('a connection of the former key goes on while that is valid', async () => {
  const { got, client } = await listen()
  await site.db
    .updateTable('project_keys')
    .set({ ends_at: new Date(Date.now() + 60_000) })
    .where('project_id', '=', project.projectId)
    .execute()
  await addKey(site.db, project.projectId, 'the new one')
  await changed(site.db, project.projectId)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await append(1)
  await expect.poll(() => got).toEqual([1])
  expect(client.connected).toBe(true)
})

it('a connection ends with the overlap of its key, which nobody has removed yet', async () => {
  const { client } = await listen()
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  await site.db
    .updateTable('project_keys')
    .set({ ends_at: new Date(Date.now() + 2_000) })
    .where('project_id', '=', project.projectId)
    .execute()
  await changed(site.db, project.projectId)
  await closed
})

it('at the end of the quota nothing is sent, and everything waits', async () => {
  const month = new Date().toISOString().slice(0, 8).concat('01')
  await site.db
    .insertInto('project_usage')
    .values({ project_id: project.projectId, month, rows: 99_998, told: 95 })
    .execute()
  const client = await login()
  await subscribe(client)
  await append(1, 2, 3, 4)
  for (const n of [1, 2]) {
    const { payload, messageId = 0 } = await client.next('publish')
    expect(numberOf(payload as Buffer)).toBe(n)
    client.send({ cmd: 'puback', messageId })
  }
  await expect.poll(usedRows).toBe(100_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(client.packets).toEqual([])
})

it('rows that are not kept any more are told as a gap', async () => {
  const client = await login()
  await subscribe(client)
  client.destroy()
  await append(1)
  await append(2)
  await site.db
    .deleteFrom('project_stream')
    .where('project_id', '=', project.projectId)
    .where('to_no', '<=', 2)
    .execute()
  const again = await login()
  const gap = JSON.parse((await again.next('publish')).payload.toString())
  expect(gap).toMatchObject({ gap: { from: expect.any(Number), to: expect.any(Number) } })
  expect(numberOf((await again.next('publish')).payload as Buffer)).toBe(2)
})

it('a stranger with many wrong keys is refused, and the project works on', async () => {
  const { got } = await listen()
  const refused = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const client = await RawClient.open(site.mqttPort)
      client.send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'stranger',
        keepalive: 0,
        username: String(project.projectId),
        password: Buffer.from('wrong'),
      })
      const { returnCode } = await client.next('connack')
      client.destroy()
      return returnCode
    }),
  )
  expect(new Set(refused)).toEqual(new Set([3, 4]))
  await append(1)
  await expect.poll(() => got).toEqual([1])
  expect((await pull(site, project)).code).toBe('')
})

it('a row that is read while its connection ends is not passed over', async () => {
  const first = await login()
  first.destroy()
  const held = await takeOver()
  const reading = Promise.withResolvers<void>()
  const read = Promise.withResolvers<StreamRow[]>()
  const session = sessionOn(held, {
    heads: async () => new Map(),
    read: () => {
      reading.resolve()
      return read.promise
    },
  })
  session.start({ room: 10, send: () => false, tell: () => undefined, end: () => undefined })
  await reading.promise
  session.close(false)
  read.resolve([{ ...numberRow(linkOf(project), 1), no: 2, id: 'row' }])
  await session.ended
  expect(await placeOf('erp')).toBe(1)
})

/** Kills a connection between two rows and their acknowledgements; answers the rows that came, over both connections. */
async function rowsOverKill(sends: (line: ProjectLine) => ProjectLine): Promise<number[]> {
  const streams = streamOf([numberRow(linkOf(project), 1), numberRow(linkOf(project), 2)])
  const got: number[] = []
  const first = await login()
  first.destroy()
  const killed = sessionOn(await takeOver(), streams)
  const sent = Promise.withResolvers<void>()
  killed.start(
    sends({
      room: 10,
      send({ no }) {
        if (no === 3) sent.resolve()
        return true
      },
      tell: () => undefined,
      end: () => undefined,
    }),
  )
  await sent.promise
  killed.close(false)
  await killed.ended
  const isRead = Promise.withResolvers<void>()
  const next = sessionOn(await takeOver(), {
    ...streams,
    read(projectId, afterNo, ...more) {
      // There is nothing more to send.
      if (afterNo === 3) isRead.resolve()
      return streams.read(projectId, afterNo, ...more)
    },
  })
  next.start({
    room: 10,
    send({ payload }, acknowledged) {
      got.push(numberOf(payload))
      acknowledged()
      return true
    },
    tell: () => undefined,
    end: () => undefined,
  })
  await isRead.promise
  next.close(false)
  await next.ended
  return got
}

it('rows of a connection that is killed before their acknowledgements are sent again', async () => {
  expect(await rowsOverKill((line) => line)).toEqual([1, 2])
})

it('a place that moved at sending would lose them', async () => {
  const weak = (line: ProjectLine): ProjectLine => ({
    ...line,
    send(row, acknowledged) {
      acknowledged()
      return line.send(row, acknowledged)
    },
  })
  expect(await rowsOverKill(weak)).toEqual([])
})

/** The session of the client `erp`, for a connection of a test's own. */
async function takeOver(): Promise<BegunSession> {
  const held = { projectId: project.projectId, clientId: 'erp', holder: randomUUID() }
  const taken = await takeSession(site.db, held, 3_600, new Date())
  if (!taken) throw new Error('there is no session to take over')
  return { held, keyId: 0, isKept: true, isPresent: true, ...taken }
}

function sessionOn(begun: BegunSession, streams: RowSessionDeps['streams']): RowSession {
  return new RowSession(
    {
      db: site.db,
      streams,
      links: {
        isActive: () => true,
        stateOf: () => 'active',
        isTrusted: () => true,
        catchUp: async () => undefined,
      },
      quota: {
        listLeft: async (_db, [id = 0]) => new Map([[id, 1_000]]),
        take: async (_trx, _id, rows) => rows,
      },
      logger: silentLogger,
      runCommand: async () => undefined,
      now: Date.now,
    },
    begun,
  )
}

/** A stream whose rows begin with the number 2. */
const streamOf = (rows: readonly NewRow[]): RowSessionDeps['streams'] => ({
  heads: async () => new Map(),
  read: async (_projectId, afterNo) =>
    rows
      .map((row, place) => ({ ...row, no: place + 2, id: `row ${place}` }))
      .filter(({ no }) => no > afterNo),
})
