import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { primaryHostId } from '@busbar/link'
import { listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import {
  countLockWaits,
  createMachine,
  createTestDatabase,
  createUser,
  dialTestTunnel,
  PushClient,
  type TestDatabase,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { LoadClient } from '../test-support/gateway/load-client.ts'
import { startMain } from '../test-support/processes/main-process.ts'

const stateTopic = `spBv1.0/STATE/${primaryHostId}`
const clients = 4
/** Within this a stop with a healthy database is over; the process itself gives up later. */
const stopMsMax = 6_000

let database: TestDatabase
let child: ChildProcess
let webUrl: string
let mqttPort: number
let machines: TestMachine[]
let user: TestUser

beforeEach(async () => {
  database = await createTestDatabase({ poolMax: 6 })
  user = await createUser(database.db)
  machines = await Promise.all(
    Array.from({ length: clients + 1 }, () => createMachine(database.db, { owner: user.userId })),
  )
  const main = await startMain({ DATABASE_URL: database.url })
  child = main.child
  webUrl = main.url
  mqttPort = main.mqttPort
})

afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await database.drop()
})

/** Posts a number; true if it was answered as stored. A refused or broken connection gives false. */
async function post(machine: TestMachine, number: number): Promise<boolean> {
  try {
    const answer = await fetch(`${webUrl}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${machine.code}:${machine.secret}`)}`, connection: 'close' },
      body: JSON.stringify({ posted: number }),
    })
    return answer.status === 200
  } catch {
    return false
  }
}

async function listStored(machine: TestMachine, tag: string): Promise<Set<number>> {
  const samples = await listLogged(database.db, machine.machineId)
  return new Set(samples.filter(({ name }) => name === tag).map(({ value }) => Number(value)))
}

/** Commits wait for the one who holds this; the answer lets go. */
async function holdCommits(): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const transaction = database.db.transaction().execute(async (tx) => {
    await sql`lock table ingest_batches in access exclusive mode`.execute(tx)
    locked.resolve()
    await done.promise
  })
  await Promise.race([locked.promise, transaction])
  return async () => {
    done.resolve()
    await transaction
  }
}

const exitOf = async () => {
  const exit = once(child, 'exit') as Promise<[number | null]>
  const ms = await calmMsOf(() => exit)
  return { code: (await exit)[0], ms }
}

describe('SIGTERM', () => {
  it('under load: sent data is stored and acknowledged, requests are answered, everybody is notified, exit code 0', async () => {
    const [poster, ...senders] = machines as [TestMachine, ...TestMachine[]]
    const firstAt = Date.now()
    const load = senders.map(
      ({ code, secret }) => new LoadClient({ code, secret, port: mqttPort, window: 25, firstAt }),
    )
    const acknowledged = () => load.reduce((sum, client) => sum + client.acknowledged.size, 0)
    const listener = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
      username: poster.code,
      password: poster.secret,
      clientId: poster.code,
      reconnectPeriod: 0,
    })
    const states = stateMessages(listener)
    await listener.subscribeAsync(stateTopic)
    const page = await PushClient.open(webUrl, user.token)
    const tunnel = dialTestTunnel({ url: webUrl }, poster)
    await once(tunnel, 'open')
    const tunnelClosed = once(tunnel, 'close')
    await expect.poll(acknowledged, { timeout: 10_000 }).toBeGreaterThan(500)

    // In the middle of a commit, so that there is something to finish.
    const release = await holdCommits()
    const answers = Promise.all(Array.from({ length: 20 }, (_, number) => post(poster, number)))
    await expect.poll(() => countLockWaits(database.db), { timeout: 10_000 }).toBeGreaterThan(0)
    const before = acknowledged()
    // The requests have to be there, not on their way.
    await expect.poll(() => fetch(`${webUrl}/healthz`).then(({ ok }) => ok)).toBe(true)
    child.kill('SIGTERM')
    const exit = exitOf()
    await expect
      .poll(() =>
        fetch(`${webUrl}/healthz`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false)
    expect(acknowledged()).toBe(before)
    await release()

    const { code, ms } = await exit
    expect(code).toBe(0)
    expect(ms).toBeLessThan(stopMsMax)
    expect(acknowledged()).toBeGreaterThan(before)
    for (const client of load) {
      const sender = senders.find((machine) => machine.code === client.code) as TestMachine
      const stored = await listStored(sender, 'n')
      expect([...client.acknowledged].filter((number) => !stored.has(number))).toEqual([])
      // Each message that was stored was acknowledged, so none is sent twice.
      expect([...stored].filter((number) => !client.acknowledged.has(number))).toEqual([])
    }
    expect(await answers).toEqual(Array(20).fill(true))
    expect((await listStored(poster, 'posted')).size).toBeGreaterThan(0)
    expect(await states.offline).toMatchObject({ online: false })
    expect(await page.waitForClose()).toMatchObject({ code: 1001 })
    expect((await tunnelClosed)[0]).toBe(1001)
    for (const client of load) client.abandon()
  })

  it('with a database that hangs: a second one ends it at once', async () => {
    const release = await holdCommits()
    const answer = post(machines[0] as TestMachine, 1)
    await expect.poll(() => countLockWaits(database.db), { timeout: 10_000 }).toBeGreaterThan(0)
    child.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${webUrl}/healthz`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false)
    child.kill('SIGTERM')
    const { code, ms } = await exitOf()
    expect({ code, answered: await answer }).toEqual({ code: 1, answered: false })
    expect(ms).toBeLessThan(1_000)
    await release()
  })
})

test('a process whose node id another process has taken ends by itself', async () => {
  await sql`update nodes set incarnation = 'of another process'`.execute(database.db)
  expect(await exitOf()).toMatchObject({ code: 1 })
  // The row of the other node stays as it is.
  const nodes = await database.db.selectFrom('nodes').select('incarnation').execute()
  expect(nodes).toEqual([{ incarnation: 'of another process' }])
})

/** Resolves with the STATE that announces the platform's end. */
function stateMessages(client: MqttClient): { offline: Promise<object> } {
  const offline = new Promise<object>((resolve) => {
    client.on('message', (topic, payload) => {
      const state = JSON.parse(payload.toString()) as { online: boolean }
      if (topic === stateTopic && !state.online) resolve(state)
    })
  })
  return { offline }
}
