import type { destinations as contract } from '@busbar/contract'
import { decodeSparkplugPayload } from '@busbar/link'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { generate } from 'mqtt-packet'
import { expect, onTestFinished, test } from 'vitest'
import { ScriptedBroker } from '../../../test-support/destinations/scripted-broker.ts'
import { valueIn } from '../../../test-support/destinations/sparkplug-host.ts'
import { parseAllowedNetworks } from '../../kernel/outgoing-http/allowed-networks.ts'
import { OutgoingCalls } from '../../kernel/outgoing-http/index.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { Broker } from './broker.ts'
import type { LaneSettings } from './lanes-store.ts'

const port = await findFreePort()
const outgoing = new OutgoingCalls({ allowed: parseAllowedNetworks(`* 127.0.0.1:${port}`) })
const mqtt: contract.Mqtt = {
  version: '5',
  clientId: '',
  username: '',
  topic: 'a/{machineCode}',
  group: '',
  edgeNode: '',
  ca: '',
  pin: '',
  certificate: '',
  hasPassword: false,
  hasPrivateKey: false,
}
const settings: LaneSettings = {
  ...{
    destinationId: 7,
    projectId: 3,
    type: 'mqtt',
    url: `mqtt://127.0.0.1:${port}`,
    mqtt,
    mqttSealed: null,
  },
  ...{
    format: 'json',
    isNdjson: false,
    isGzip: false,
    rowsMax: 1_000,
    hasRows: true,
    events: [],
    former: [],
  },
  ...{ lanes: 1, isOn: true, createdAt: new Date(), sealed: [], userId: 1, enterpriseId: null },
}
const rows = Array.from({ length: 1_000 }, (_, n) => {
  const text = `"machineCode":"A${n}","values":{}}`
  return { text, linkId: 1, sent: `{"id":"3-${n}",${text}` }
})

async function start(): Promise<ScriptedBroker> {
  const scripted = await new ScriptedBroker().start(port)
  onTestFinished(() => scripted.stop())
  return scripted
}

/** For brokers that never answer: long enough for a busy machine to sign in. */
const shortMs = 2_000

function createBroker(patienceMs = 15_000): Broker {
  const broker = new Broker(outgoing, createSecretBox(), { patienceMs })
  onTestFinished(() => broker.close())
  return broker
}

const send = (broker: Broker, signal?: AbortSignal) =>
  broker.send(settings, { id: '1', rows, now: 0, signal })
const untilClosed = (scripted: ScriptedBroker) =>
  untilTrue(() => scripted.open === 0, 10_000).then((ms) => expect(ms).toBeDefined())

test('a broker that never acknowledges gets a hundred rows and is disconnected', async () => {
  const scripted = await start()
  scripted.answer = () => 'silent'
  expect(await send(createBroker(shortMs))).toMatchObject({ end: { status: null, fault: 'timeout' } })
  expect(scripted.published).toHaveLength(100)
  await untilClosed(scripted)
})

test('a broker that never answers the sign-in is disconnected', async () => {
  const scripted = await start()
  scripted.isMute = true
  expect(await send(createBroker(shortMs))).toMatchObject({ end: { fault: 'timeout' } })
  await untilClosed(scripted)
})

test.each([
  ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a packet of 200 MB', Buffer.from([0x20, 0xff, 0xff, 0xff, 0x7f, 0, 0])],
  ['a length that never ends', Buffer.from([0x20, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ['an acknowledgement of nothing', Buffer.from([0x40, 2, 0, 1])],
  ['a second sign-in', Buffer.from([0x20, 3, 0, 0, 0, 0x20, 3, 0, 0, 0])],
  ['a message', Buffer.from([0x20, 3, 0, 0, 0, 0x30, 4, 0, 1, 0x61, 0])],
])('a broker that sends %s is disconnected', async (_, bytes) => {
  const scripted = await start()
  scripted.speaks = bytes
  expect(await send(createBroker())).toMatchObject({ end: { fault: 'protocol' } })
  await untilClosed(scripted)
})

test('a broker gets no more at once than it takes', async () => {
  const scripted = await start()
  scripted.properties = { receiveMaximum: 5 }
  scripted.answer = () => 'silent'
  expect(await send(createBroker(shortMs))).toMatchObject({ end: { fault: 'timeout' } })
  expect(scripted.published).toHaveLength(5)
})

test('a row that is longer than the broker takes is refused, without being sent', async () => {
  const scripted = await start()
  scripted.properties = { maximumPacketSize: 20 }
  expect(await send(createBroker())).toMatchObject({
    end: { status: 0x95, fault: 'rowRefused', means: 'refused' },
    detail: '0x95 Packet too large',
  })
  expect(scripted.published).toEqual([])
})

test('after a refused row no more are sent, and the connection is kept', async () => {
  const scripted = await start()
  scripted.answer = (place) => (place === 3 ? 0x87 : 0)
  const broker = createBroker()
  expect(await send(broker)).toMatchObject({ end: { status: 0x87, fault: 'rowRefused', means: 'refused' } })
  expect(scripted.published.length).toBeLessThan(rows.length)
  scripted.answer = () => 0
  expect(await send(broker)).toMatchObject({ end: { fault: null } })
  expect(scripted.connects).toHaveLength(1)
})

test('a broker that has no room asks for fewer rows', async () => {
  const scripted = await start()
  scripted.answer = () => 0x97
  expect(await send(createBroker())).toMatchObject({ end: { fault: 'brokerBusy', means: 'slower' } })
})

test('rows are taken back while the broker does not have all of them', async () => {
  const scripted = await start()
  scripted.answer = () => 'silent'
  const withdraw = new AbortController()
  const sending = send(createBroker(), withdraw.signal)
  expect(await untilTrue(() => scripted.published.length > 0, 10_000)).toBeDefined()
  withdraw.abort(new Error('taken back'))
  await expect(sending).rejects.toThrow('taken back')
  await untilClosed(scripted)
})

test('other settings have another connection', async () => {
  const scripted = await start()
  const broker = createBroker()
  await send(broker)
  await broker.send({ ...settings, mqtt: { ...mqtt, username: 'mes' } }, { id: '2', rows, now: 0 })
  expect(scripted.connects.map(({ clientId, username }) => [clientId, username])).toEqual([
    ['busbar-7', undefined],
    ['busbar-7', 'mes'],
  ])
  broker.close()
  await untilClosed(scripted)
})

test('an address that the operator does not allow is refused at the connection', async () => {
  const broker = createBroker()
  const at = (url: string) => broker.send({ ...settings, url }, { id: '1', rows, now: 0 })
  expect(await at('mqtt://10.0.0.1:1883')).toMatchObject({
    end: { fault: 'addressRefused' },
    detail: 'private',
  })
  expect(await at('mqtts://127.0.0.1:8883')).toMatchObject({ detail: 'loopback' })
  expect(await at('mqtt://93.184.215.14')).toMatchObject({ detail: 'plain' })
})

const sparkplug: LaneSettings = { ...settings, format: 'sparkplug' }
const tell = (broker: Broker) =>
  broker.send(sparkplug, { id: '1', rows: [{ text: '"time":1}', linkId: null, sent: '' }], now: 0 })
/** The numbers of its connections, by their wills. */
const bdSeqsOf = ({ connects }: ScriptedBroker) =>
  connects.map(({ will }) => valueIn(decodeSparkplugPayload(will?.payload as Buffer).metrics, 'bdSeq'))
const commandOf = (qos: 0 | 1 | 2, bytes = 10) =>
  generate(
    {
      ...{ cmd: 'publish', topic: 'spBv1.0/busbar/NCMD/project-3', payload: Buffer.alloc(bytes) },
      ...{ qos, dup: false, retain: false, messageId: 1 },
    },
    { protocolVersion: 5 },
  )

test('the connection of a node is kept without rows', async () => {
  const scripted = await start()
  scripted.properties = { serverKeepAlive: 1 }
  const broker = createBroker()
  expect(await tell(broker)).toMatchObject({ end: { fault: null } })
  expect(await untilTrue(() => scripted.pings > 2, 10_000)).toBeDefined()
  expect(await tell(broker)).toMatchObject({ end: { fault: null } })
  expect(scripted.connects).toHaveLength(1)
})

test('a node whose session was taken over tells it, and is born again with the next number', async () => {
  const scripted = await start()
  const broker = createBroker(15_000)
  await tell(broker)
  expect(broker.isDue(sparkplug)).toBe(false)
  scripted.write(generate({ cmd: 'disconnect', reasonCode: 0x8e }, { protocolVersion: 5 }))
  expect(await untilTrue(() => broker.isDue(sparkplug), 10_000)).toBeDefined()
  expect(await tell(broker)).toMatchObject({ end: { status: 0x8e, fault: 'takenOver' } })
  expect(scripted.connects).toHaveLength(1)
  expect(await tell(broker)).toMatchObject({ end: { fault: null } })
  expect(bdSeqsOf(scripted)).toEqual([0n, 1n])
})

test('unknown commands are ignored', async () => {
  const scripted = await start()
  scripted.properties = { serverKeepAlive: 1 }
  const broker = createBroker()
  await tell(broker)
  scripted.write(Buffer.concat([commandOf(0), commandOf(1), commandOf(1, 60_000)]))
  expect(await untilTrue(() => scripted.pings > 0, 10_000)).toBeDefined()
  expect(await tell(broker)).toMatchObject({ end: { fault: null } })
  expect(scripted.connects).toHaveLength(1)
  expect(scripted.published).toHaveLength(1)
})

test.each([
  ['a command of QoS 2', commandOf(2)],
  ['a command of more than 64 kB', commandOf(1, 70_000)],
  ['an answer that nobody waits for', Buffer.from([0xd0, 0])],
])('a broker that sends a node %s is disconnected', async (_, bytes) => {
  const scripted = await start()
  await tell(createBroker())
  scripted.write(bytes)
  await untilClosed(scripted)
})

test('a refused birth begins anew with another number', async () => {
  const scripted = await start()
  scripted.answer = (place) => (place === 1 ? 0x87 : 0)
  const broker = createBroker()
  expect(await tell(broker)).toMatchObject({ end: { fault: 'rowRefused' } })
  expect(await tell(broker)).toMatchObject({ end: { fault: null } })
  expect(bdSeqsOf(scripted)).toEqual([0n, 1n])
})
