import { plainTopic } from '@busbar/link'
import { useSite } from '@busbar/testkit/test-site.ts'
import type { Packet } from 'mqtt-packet'
import { beforeAll, describe, expect, test } from 'vitest'
import { RawClient } from '../gateway/raw-client.ts'
import { createRightsFixture, type RightsFixture } from './rights-fixture.ts'
import { missing } from './route-case.ts'

/* The matrix of rights at the MQTT endpoint: a machine can use only its own topics, and a person none. */

const site = useSite()
let fixture: RightsFixture
beforeAll(async () => {
  fixture = await createRightsFixture(site.db)
})

type Outcome = 'let in' | 'refused'

const published = (code: string) => [
  `spBv1.0/busbar/NDATA/${code}`,
  `spBv1.0/busbar/DDATA/${code}/line`,
  `spBv1.0/another group/NDATA/${code}`,
  `data/${code}/press/temperature`,
  `cmd/${code}/press/temperature`,
]
const subscribed = (code: string) => [
  `spBv1.0/busbar/NCMD/${code}`,
  `spBv1.0/+/DCMD/${code}/#`,
  `data/${code}/#`,
  `cmd/${code}/+/+`,
]
/** Filters that would match more than one machine's topics, and topics without an owner. */
const nobodys = [
  '#',
  '+/#',
  'spBv1.0/#',
  'spBv1.0/busbar/#',
  'spBv1.0/busbar/+/+',
  'spBv1.0/busbar/NCMD/+',
  'data/#',
  'data/+/press/temperature',
  'cmd/#',
  'v1/devices/#',
  '$SYS/#',
  '$share/group/data/#',
]

async function publish(topic: string): Promise<Outcome> {
  const client = await RawClient.login(site.mqttPort, fixture.personal.machine)
  client.publish(topic, '{}')
  const acknowledged = client.next('puback').then(
    () => 'let in' as const,
    () => 'refused' as const,
  )
  const outcome = await acknowledged
  client.destroy()
  return outcome
}

async function subscribe(client: RawClient, topic: string, messageId: number): Promise<Outcome> {
  client.send({ cmd: 'subscribe', messageId, subscriptions: [{ topic, qos: 1 }] } as Packet)
  const { granted } = await client.next('suback')
  return granted[0] === 0x80 ? 'refused' : 'let in'
}

describe('a machine', () => {
  test('publishes on its own topics, and is refused on another’s, a missing one’s and unowned ones', async () => {
    const own = fixture.personal.machine.code
    const found: Record<string, Outcome> = {}
    const topics: [string, Outcome][] = [
      ...[...published(own), ...Object.values(plainTopic).filter((topic) => !topic.endsWith('/'))].map(
        (topic): [string, Outcome] => [topic, 'let in'],
      ),
      ...[fixture.enterprise.machine.code, missing.code].flatMap((code) =>
        published(code).map((topic): [string, Outcome] => [topic, 'refused']),
      ),
      ...['busbar', `v1/devices/${own}/telemetry`, 'STATE/busbar', 'spBv1.0/STATE/busbar'].map(
        (topic): [string, Outcome] => [topic, 'refused'],
      ),
    ]
    for (const [topic] of topics) found[topic] = await publish(topic)
    expect(found).toEqual(Object.fromEntries(topics))
  })

  test('subscribes to its own topics, and to nothing that matches another’s', async () => {
    const own = fixture.personal.machine.code
    const client = await RawClient.login(site.mqttPort, fixture.personal.machine)
    const topics: [string, Outcome][] = [
      ...[...subscribed(own), `${plainTopic.rpcRequestPrefix}+`].map((topic): [string, Outcome] => [
        topic,
        'let in',
      ]),
      ...[...subscribed(fixture.enterprise.machine.code), ...subscribed(missing.code), ...nobodys].map(
        (topic): [string, Outcome] => [topic, 'refused'],
      ),
    ]
    const found: Record<string, Outcome> = {}
    for (const [place, [topic]] of topics.entries()) found[topic] = await subscribe(client, topic, place + 1)
    client.destroy()
    expect(found).toEqual(Object.fromEntries(topics))
  })
})

test('a person’s credentials do not work at a machine’s endpoint, whatever their role at a machine', async () => {
  const wrongly: string[] = []
  let address = 0
  for (const { people, machine } of [fixture.personal, fixture.enterprise]) {
    for (const [name, { user }] of Object.entries(people)) {
      for (const username of [machine.code, user.email, String(user.userId)]) {
        const client = await RawClient.open(site.mqttPort, 4, `127.0.12.${1 + (address++ % 250)}`)
        client.send({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: machine.code,
          keepalive: 0,
          username,
          password: Buffer.from(user.token),
        })
        const { returnCode } = await client.next('connack')
        if (returnCode === 0) wrongly.push(`${name} as ${username}`)
        client.destroy()
      }
    }
  }
  expect(wrongly).toEqual([])
})
