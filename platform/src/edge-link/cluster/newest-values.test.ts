import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, machines as machinesContract, telemetry } from '@busbar/contract'
import { plainTopic } from '@busbar/link'
import { createMachine, createUser, type TestMachine, type TestUser } from '@busbar/testkit'
import type { TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { NodeGroup } from '../../../test-support/processes/node-group.ts'

const roles = { left: 'edge', right: 'edge,jobs', people: 'api,realtime,visits' } as const
const count = 10
const patience = { timeout: 90_000, interval: 100 }

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A machine that publishes only when its value changes. */
async function connect(machine: TestMachine, mqttPort: number): Promise<RawClient> {
  const client = await RawClient.login(mqttPort, machine)
  stops.push(() => client.destroy())
  return client
}

async function publish(client: RawClient, door: number): Promise<void> {
  client.publish(plainTopic.telemetry, JSON.stringify({ door }))
  await client.next('puback')
}

async function listWritten({ db }: TestDatabase, machines: readonly TestMachine[]): Promise<number[]> {
  const { rows } = await sql<{ num: number }>`
    select num from tag_latest join tags on tags.id = tag_id
    where machine_id = any(${machines.map(({ machineId }) => machineId)}::bigint[])`.execute(db)
  return rows.map(({ num }) => num)
}

it('a value that was acknowledged stays the newest one after its node is killed, wherever its machine goes', {
  timeout: 180_000,
}, async () => {
  const nodes = await NodeGroup.start(roles)
  stops.push(() => nodes.stop())
  const { database } = nodes
  const owner = await createUser(database.db)
  const machines: TestMachine[] = []
  for (let place = 0; place < count; place++)
    machines.push(await createMachine(database.db, { owner: owner.userId }))
  const all = (door: number) => machines.map(() => door)
  const clients = await Promise.all(machines.map((machine) => connect(machine, nodes.at('left').mqttPort)))
  // Another node writes newest values of its own all the time.
  const other = await connect(await createMachine(database.db), nodes.at('right').mqttPort)
  let isBusy = true
  const busy = (async () => {
    for (let n = 0; isBusy; n++) {
      await publish(other, n)
      await sleep(200)
    }
  })()
  await Promise.all(clients.map((client) => publish(client, 1)))
  await expect.poll(() => listWritten(database, machines), patience).toEqual(all(1))
  await Promise.all(clients.map((client) => publish(client, 2)))
  await nodes.kill('left')

  const shown = watchAnswers(nodes.at('people').url, owner, machines)
  const [come, away] = [machines.slice(0, count / 2), machines.slice(count / 2)]
  await Promise.all(come.map((machine) => connect(machine, nodes.at('right').mqttPort)))
  await expect.poll(() => shown.answered(come), patience).toBe(come.length)
  await expect.poll(() => listWritten(database, machines), patience).toEqual(all(2))
  await expect.poll(() => shown.answered(away), patience).toBe(away.length)
  await nodes.begin('left')
  await Promise.all(away.map((machine) => connect(machine, nodes.at('left').mqttPort)))
  shown.forget()
  await expect.poll(() => shown.answered(machines), patience).toBe(count)
  isBusy = false
  await busy
  expect(await shown.end()).toEqual([2])
  expect(await listWritten(database, machines)).toEqual(all(2))
})

/** Asks for the newest values again and again, one by one and in the list; a node that is gone may not be reachable. */
function watchAnswers(url: string, owner: TestUser, machines: readonly TestMachine[]) {
  const client = createClient({ baseUrl: url, lang: () => 'en', token: () => owner.token })
  const seen = new Set<unknown>()
  const answered = new Set<number>()
  let isOver = false
  const askOne = async ({ machineId }: TestMachine) => {
    const answer = await client.call(telemetry.listLatest, { machineId }).catch(() => undefined)
    for (const { value } of answer ?? []) seen.add(value)
    if (answer && answer.length > 0) answered.add(machineId)
  }
  const askList = async () => {
    const answer = await client.call(machinesContract.listMachines, {}).catch(() => undefined)
    if (!answer || 'notModified' in answer) return
    for (const { overview } of answer.list) if (overview?.keyTag) seen.add(overview.keyTag.value)
  }
  const asking = (async () => {
    while (!isOver) {
      await Promise.all([...machines.map(askOne), askList()])
      await sleep(500)
    }
  })()
  return {
    answered: (some: readonly TestMachine[]) =>
      some.filter(({ machineId }) => answered.has(machineId)).length,
    forget: () => answered.clear(),
    async end() {
      isOver = true
      await asking
      return [...seen]
    },
  }
}
