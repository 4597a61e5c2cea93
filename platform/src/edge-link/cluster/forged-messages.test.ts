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
import { machineSubject, type WriteOrder, writeAct } from './questions.ts'

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
  // A machine that takes writes.
  const subscriptions = [{ topic: `${plainTopic.rpcRequestPrefix}+`, qos: 1 as const }]
  client.send({ cmd: 'subscribe', messageId: 9, subscriptions })
  await client.next('suback')
  client.publish(plainTopic.telemetry, JSON.stringify({ n: value }))
  await client.next('puback')
  const { machineId } = machine
  const latest = async () =>
    (await other.platform.link.latest(machineId).catch(() => [])).map((each) => each.value)
  await expect.poll(latest, deadline).toEqual([value])
  return { machineId, client, latest }
}

/** The events that the other node's listeners hear of other nodes, from now on. */
function hear<Topic extends keyof BusEvents>(topic: Topic): BusEvents[Topic][] {
  const heard: BusEvents[Topic][] = []
  onTestFinished(
    nodes().other.platform.bus.subscribe(topic, (event, origin) => {
      if (origin === 'elsewhere') heard.push(event)
    }),
  )
  return heard
}

/** The commands that reached a machine since it was asked last. */
async function commandsOf(client: RawClient): Promise<string[]> {
  client.send({ cmd: 'pingreq' })
  await client.next('pingresp')
  const commands = client.packets.filter((packet) => packet.cmd === 'publish')
  client.packets.splice(0)
  return commands.map(({ payload }) => String(payload))
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
    { name: 'write', asked: { order: { write, request: 777_001, userId: 1 }, permit: '' } },
  ]
  const replies: string[] = []
  thief.subscribe('thief.answers', {
    callback(_error, reply) {
      replies.push(reply.string())
    },
  })
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
  const leases = nodes()
    .holder.platform.metrics()
    .find(({ name }) => name === 'busbar_cluster_leases')
  expect(leases).toMatchObject({ samples: [{ value: 0 }] })
  expect(await commandsOf(client)).toEqual([])
})

it('a node writes to a machine of another one with the permit that it made for this write, once', async () => {
  const { machineId, client } = await connectMachine(1)
  const { holder, other } = nodes()
  const write = { group: '', tag: 'n', value: 20, isOpened: true }
  // A process with the key of the messages, but without a row of a node: a copy of secrets.key and a user of NATS.
  const rogue = cluster.openLine('rogue')
  onTestFinished(() => rogue.stop())
  rogue.start()
  await expect.poll(() => rogue.isUp, deadline).toBe(true)
  const ask = (order: WriteOrder, permit: unknown) =>
    rogue.ask(machineSubject(machineId), { name: 'write', asked: { order, permit } }, 5_000)
  const { permits: taking } = holder.platform.peers ?? {}
  const { permits: giving } = other.platform.peers ?? {}
  if (!taking || !giving) throw new Error('nodes have permits')
  const order = { write, request: 5, userId: 1 }
  for (const permit of [undefined, '', 'node-1 x 1 1 y']) expect(await ask(order, permit)).toBe(false)
  const prepared = await other.platform.link.prepareWrite(machineId, write, 1)
  if (typeof prepared === 'string') throw new Error(prepared)
  expect(await prepared.send(4)).toBe(true)
  expect(await commandsOf(client)).toEqual(['{"method":"write","params":{"n":20}}'])
  const permit = await giving.issue('node-0', writeAct(machineId, order))
  expect(await ask({ ...order, write: { ...write, value: 666 } }, permit)).toBe(false)
  expect(await ask({ ...order, userId: 2 }, permit)).toBe(false)
  expect(await ask(order, permit)).toBe(true)
  expect(await ask(order, permit)).toBe(false)
  expect(await commandsOf(client)).toEqual(['{"method":"write","params":{"n":20}}'])
  expect(taking.refused).toMatchObject({ form: 3, forged: 2, used: 1 })
  expect(holder.platform.gateway.presence.isOnline(machineId)).toBe(true)
})

it('an answer of somebody else for a machine that is away does not become its value', async () => {
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
  expect(heard[0].filter(({ epoch }) => epoch === inventions.held.epoch)).toEqual([])
  expect(heard[1]).toEqual([])
  expect(nodes().holder.platform.gateway.presence.isOnline(machineId)).toBe(true)
  expect(client.isClosed).toBe(false)
})

it('recorded messages cannot be read, and have no effect a second time or on another subject', async () => {
  const recorded: { subject: string; data: Uint8Array }[] = []
  const all = thief.subscribe(`${head}.>`, {
    callback(_error, { subject, data }) {
      recorded.push({ subject, data: Uint8Array.from(data) })
    },
  })
  onTestFinished(() => all.unsubscribe())
  await thief.flush()
  const held = hear('held')
  const { machineId } = await connectMachine('recipe-of-the-plant')
  const { holder } = nodes()
  // Told once the connection is written: its own message must not count as a copy.
  await expect.poll(() => held.map((event) => event.machineId), deadline).toContain(machineId)
  const heard = [hear('tags'), held, hear('visitAsked')] as const
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
