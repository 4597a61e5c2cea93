import { randomBytes } from 'node:crypto'
import { plainTopic } from '@busbar/link'
import { createMachine } from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import type { BusEvents } from '../../kernel/bus/bus.ts'
import { SealedMessages } from '../../kernel/cluster/sealed-messages.ts'
import { wireVersion } from '../../kernel/cluster/wire.ts'
import { machineSubject } from './questions.ts'

/* Somebody else at the NATS server, who knows all its subjects and hears all that is said there. */

const deadline = { timeout: 10_000 }
const head = `busbar.v${wireVersion}`

let cluster: TestCluster
let thief: NatsConnection
beforeAll(async () => {
  cluster = await startTestCluster([{}, {}])
  thief = await connect({ servers: [cluster.nats.url] })
})
afterAll(async () => {
  await thief.close()
  await cluster.stop()
})

const nodes = () => {
  const [holder, other] = cluster.nodes
  if (!holder || !other) throw new Error('the cluster has two nodes')
  return { holder, other }
}

async function connectMachine(value: unknown) {
  const { holder, other } = nodes()
  const machine = await createMachine(cluster.database.db)
  const client = await RawClient.login(holder.mqttPort, machine)
  onTestFinished(() => client.destroy())
  client.publish(plainTopic.telemetry, JSON.stringify({ n: value }))
  await client.next('puback')
  const { machineId } = machine
  const latest = async () =>
    (await other.platform.link.latest(machineId).catch(() => [])).map((each) => each.value)
  await expect.poll(latest, deadline).toEqual([value])
  return { machineId, client, latest }
}

/** What the other node's listeners hear of other nodes, from now on. */
function hear<Topic extends keyof BusEvents>(topic: Topic): BusEvents[Topic][] {
  const heard: BusEvents[Topic][] = []
  onTestFinished(
    nodes().other.platform.bus.subscribe(topic, (event, origin) => {
      if (origin === 'elsewhere') heard.push(event)
    }),
  )
  return heard
}

const bytes = (message: unknown) => Buffer.from(JSON.stringify(message))
/** As it would come from another platform at the same server. */
const strange = new SealedMessages(randomBytes(32))

it('a question of somebody else has no answer and no effect', async () => {
  const { machineId, client, latest } = await connectMachine(7)
  const subject = `${head}.${machineSubject(machineId)}`
  const write = { group: '', tag: 'n', value: 666, isOpened: true }
  const questions = [
    { name: 'latest', asked: {} },
    { name: 'rawMessages', asked: { limit: 10 } },
    { name: 'watch', asked: {} },
    { name: 'prepareWrite', asked: { write } },
    { name: 'write', asked: { write, request: 777_001 } },
  ]
  const replies: string[] = []
  thief.subscribe('thief.answers', { callback: (_error, reply) => replies.push(reply.string()) })
  for (const question of questions)
    for (const message of [
      bytes(question),
      strange.seal(subject, JSON.stringify(question)),
      Buffer.alloc(9_000),
    ])
      thief.publish(subject, message, { reply: 'thief.answers' })
  await thief.flush()
  // Asked after those, so that they are over.
  expect(await latest()).toEqual([7])
  await thief.flush()
  expect(replies).toEqual([])
  expect(
    nodes()
      .holder.platform.metrics()
      .find(({ name }) => name === 'busbar_cluster_leases')?.samples,
  ).toEqual([{ labels: {}, value: 0 }])
  client.publish(plainTopic.telemetry, '{"n":8}', { messageId: 2 })
  // A command would have come before it.
  expect((await client.next()).cmd).toBe('puback')
})

it('an answer of somebody else for a machine that is away is no value of it', async () => {
  const machine = await createMachine(cluster.database.db)
  const subject = machineSubject(machine.machineId)
  const invented = {
    is: [{ tagId: 1, value: 31_337, quality: 'good', time: Date.now(), receivedAt: Date.now() }],
  }
  let asked = 0
  thief.subscribe(`${head}.${subject}`, {
    callback(_error, question) {
      const answers = [bytes(invented), strange.seal('', JSON.stringify(invented), question.data)]
      question.respond(answers[asked++ % answers.length])
    },
  })
  await thief.flush()
  const { link } = nodes().other.platform
  for (let times = 0; times < 4; times++) expect(await link.latest(machine.machineId)).toEqual([])
  expect(asked).toBe(4)
})

it('an invented read-back, an end of a connection and a change of tags reach no listener', async () => {
  const { machineId, client } = await connectMachine(1)
  const heard = [hear('held'), hear('readBacks'), hear('tags')] as const
  const inventions = {
    held: { machineId, nodeId: 'node-9', epoch: 2 ** 50 },
    readBacks: { machineId, readBacks: [{ group: '', tag: 'n', value: 1, at: 1, error: '', wished: 1 }] },
    tags: { machineId },
  }
  for (const [topic, event] of Object.entries(inventions)) {
    const subject = `${head}.bus.${topic}`
    thief.publish(subject, bytes(event))
    thief.publish(subject, strange.seal(subject, JSON.stringify(event)))
  }
  await thief.flush()
  nodes().holder.platform.bus.publish('tags', { machineId })
  await expect.poll(() => heard[2], deadline).toEqual([{ machineId }])
  expect(heard.slice(0, 2)).toEqual([[], []])
  expect(nodes().holder.platform.gateway.presence.isOnline(machineId)).toBe(true)
  expect(client.isClosed).toBe(false)
})

it('what was recorded at the server says nothing, and has no effect a second time or on another subject', async () => {
  const recorded: { subject: string; data: Uint8Array }[] = []
  const all = thief.subscribe(`${head}.>`, {
    callback: (_error, { subject, data }) => recorded.push({ subject, data: Uint8Array.from(data) }),
  })
  onTestFinished(() => all.unsubscribe())
  await thief.flush()
  const { machineId } = await connectMachine('recipe-of-the-plant')
  const { holder } = nodes()
  const heard = [hear('tags'), hear('held'), hear('visitAsked')] as const
  holder.platform.bus.publish('tags', { machineId })
  await expect.poll(() => heard[0], deadline).toEqual([{ machineId }])
  expect(recorded.some(({ data }) => Buffer.from(data).includes('recipe'))).toBe(false)
  const before = heard.map((events) => events.length)
  const copies = [...recorded]
  expect(copies.map(({ subject }) => subject)).toContain(`${head}.bus.tags`)
  for (const { subject, data } of copies) {
    thief.publish(subject, data)
    for (const topic of ['held', 'visitAsked', 'tags']) thief.publish(`${head}.bus.${topic}`, data)
  }
  await thief.flush()
  holder.platform.bus.publish('tags', { machineId: machineId + 1 })
  await expect.poll(() => heard[0].at(-1), deadline).toEqual({ machineId: machineId + 1 })
  expect(heard.map((events) => events.length)).toEqual([(before[0] ?? 0) + 1, before[1], before[2]])
})
