import { createRequire } from 'node:module'
import { metricValue, rawValue, SparkplugDatatype, type SparkplugMetric } from '@busbar/link'
import { describe, expect, test } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { writableMetric as metric, useWriteSite } from '../../../test-support/writes/write-site.ts'

const require = createRequire(new URL('../../../../testkit/package.json', import.meta.url))
const { int16, double, float } = SparkplugDatatype

const here = useWriteSite()

describe('to a foreign Sparkplug node', () => {
  test('it gets the metric with the name and type of its birth, a negative one in two’s complement', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('Zone/offset', int16, 1)])
    const commandId = await here.write('offset', -2)
    const command = await node.command()
    expect(command.topic).toBe(here.topic('NCMD'))
    const [asked] = command.metrics
    expect(asked).toMatchObject({
      name: 'Zone/offset',
      datatype: int16,
      raw: { kind: 'int', value: 0xffff_fffe },
    })
    await node.publish('NDATA', [{ name: 'Zone/offset', raw: rawValue(-2, int16) }])
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
  })

  test('one that gave an alias gets the alias alone, of any length: a name beside it would be another metric', async () => {
    const node = await here.openNode()
    const alias = 2n ** 64n - 1n
    await node.publish('NBIRTH', [
      { ...metric('Zone/none', int16, 1), alias: 0 },
      { ...metric('Zone/offset', int16, 1), alias },
    ])
    const commandId = await here.write('offset', -2)
    const [asked] = (await node.command()).metrics
    expect(asked).toEqual({
      alias,
      timestamp: expect.any(Number),
      raw: { kind: 'int', value: 0xffff_fffe },
    })
    await node.publish('NDATA', [{ alias, raw: rawValue(-2, int16) }])
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
  })

  test('a device behind it is written by DCMD; one that went away is not', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('other', int16, 1)])
    await node.publish('DBIRTH', [metric('Zone/sp', double, 1)], 'plc1')
    const commandId = await here.write('sp', 7.5)
    const command = await node.command()
    expect(command.topic).toBe(`${here.topic('DCMD')}/plc1`)
    expect(metricValue(command.metrics[0] as SparkplugMetric, double)).toBe(7.5)
    await node.publish('DDATA', [{ name: 'Zone/sp', raw: rawValue(7.5, double) }], 'plc1')
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
    await node.publish('DDEATH', [], 'plc1')
    await expect(here.write('sp', 8)).rejects.toMatchObject({ code: 'MACHINE_OFFLINE' })
  })

  test('an old sample that was on its way does not fail the write; at the time-out the kept value does', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', float, 1), metric('lost', double, 1)])
    const confirmed = await here.write('sp', 5.1)
    await node.publish('NDATA', [{ name: 'sp', raw: rawValue(1, float) }])
    expect(await here.log()).toMatchObject([{ id: confirmed, state: 'sent' }])
    await node.publish('NDATA', [{ name: 'sp', raw: rawValue(Math.fround(5.1), float) }])
    expect((await here.resultOf(confirmed)).state).toBe('confirmed')

    const [kept, lost] = [await here.write('sp', 9), await here.write('lost', 9)]
    await node.publish('NDATA', [{ name: 'sp', raw: rawValue(4, float) }])
    here.aheadMs += 10_000
    expect(await here.resultOf(kept)).toMatchObject({
      state: 'failed',
      kept: { value: { case: 'numberValue', value: 4 } },
    })
    const gone = await here.resultOf(lost)
    expect([gone.state, gone.kept]).toEqual(['timedOut', undefined])
  })

  test('a late value confirms nothing', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    const commandId = await here.write('sp', 5)
    await node.publish('NDATA', [{ name: 'sp', isHistorical: true, raw: rawValue(5, double) }])
    here.aheadMs += 10_000
    expect((await here.resultOf(commandId)).state).toBe('timedOut')
  })

  test('one that listens to no commands, and one without the tag, take no writes', async () => {
    const node = await here.openNode([])
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    await expect(here.write('sp', 5)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
    await node.publish('NBIRTH', [metric('other', double, 1)])
    await expect(here.write('sp', 5)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
    expect(await here.log()).toEqual([])
  })

  test('sparkplug-client understands the command and its answer confirms it', async () => {
    const sparkplug = require('sparkplug-client') as typeof import('sparkplug-client')
    const client = sparkplug.newClient({
      serverUrl: here.site.mqttUrl,
      username: here.machine.code,
      password: here.machine.secret,
      groupId: 'plant',
      edgeNode: here.machine.code,
      clientId: here.machine.code,
      publishDeath: true,
      version: 'spBv1.0',
      mqttOptions: { reconnectPeriod: 0 },
    })
    here.cleanups.push(() => client.stop())
    const readOnly = { type: 'Boolean' as const, value: false }
    client.on('birth', () =>
      client.publishNodeBirth({
        timestamp: here.now(),
        metrics: [
          { name: 'oven/sp', type: 'Int32', value: 1, properties: { readOnly } },
          { name: 'oven/recipe', type: 'String', value: 'a', properties: { readOnly } },
        ],
      }),
    )
    const got: unknown[] = []
    client.on('ncmd', (payload) => {
      for (const asked of payload.metrics ?? []) {
        got.push([asked.name, asked.type, asked.value])
        client.publishNodeData({ timestamp: here.now(), metrics: [{ ...asked, timestamp: here.now() }] })
      }
    })
    const one = await here.write('sp', -40)
    expect((await here.resultOf(one)).state).toBe('confirmed')
    const other = await here.write('recipe', '甜点')
    expect((await here.resultOf(other)).state).toBe('confirmed')
    expect(got).toEqual([
      ['oven/sp', 'Int32', -40],
      ['oven/recipe', 'String', '甜点'],
    ])
  })
})

describe('to a plain JSON machine', () => {
  /** Plain JSON does not declare writable tags: an operator opened this one. */
  async function openPlain(subscribes = true) {
    const client = await RawClient.login(here.site.mqttPort, here.machine)
    here.cleanups.push(() => client.destroy())
    if (subscribes) {
      const filter = { topic: 'v1/devices/me/rpc/request/+', qos: 1 as const }
      client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [filter] })
      await client.next('suback')
    }
    const tell = async (values: object) => {
      client.publish('v1/devices/me/telemetry', JSON.stringify(values), { messageId: 9 })
      await client.next('puback')
    }
    return { client, tell }
  }

  const birth = [metric('sp', double, 1)]

  /** A tag that was declared writable over Sparkplug once; plain JSON cannot declare it. */
  async function withWritableTag() {
    const node = await here.openNode([])
    await node.publish('NBIRTH', birth)
    await here.tagOf('sp')
    node.client.destroy()
    await here.until(
      () => (here.site.platform.gateway.presence.isOnline(here.machine.machineId) ? undefined : true),
      'death',
    )
  }

  test('it gets the request under the command’s number, and its next value confirms', async () => {
    await withWritableTag()
    const { client, tell } = await openPlain()
    const commandId = await here.write('sp', 21.5)
    const packet = await client.next('publish')
    expect(packet.topic).toBe(`v1/devices/me/rpc/request/${commandId}`)
    expect(JSON.parse(packet.payload.toString())).toEqual({ method: 'write', params: { sp: 21.5 } })
    await tell({ sp: 21.5 })
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
  })

  test('its error fails the write with its words', async () => {
    await withWritableTag()
    const { client } = await openPlain()
    const commandId = await here.write('sp', 21.5)
    client.publish(`v1/devices/me/rpc/response/${commandId}`, JSON.stringify({ error: 'locked <b>' }))
    expect(await here.resultOf(commandId)).toMatchObject({ state: 'failed', reason: 'locked <b>' })
  })

  test('half a character in its error, which a fact cannot store, does not stop the outcome of a write', async () => {
    await withWritableTag()
    const { client } = await openPlain()
    const commandId = await here.write('sp', 21.5)
    client.publish(`v1/devices/me/rpc/response/${commandId}`, String.raw`{"error":"locked \ud83d"}`)
    expect(await here.resultOf(commandId)).toMatchObject({ state: 'failed', reason: 'locked \ufffd' })
    const cutId = await here.write('sp', 21.5)
    client.publish(
      `v1/devices/me/rpc/response/${cutId}`,
      JSON.stringify({ error: '😀'.repeat(151).slice(1) }),
    )
    expect((await here.resultOf(cutId)).reason.isWellFormed()).toBe(true)
  })

  test('one that does not listen, and one that only posts, take no writes', async () => {
    await withWritableTag()
    const { client } = await openPlain(false)
    await expect(here.write('sp', 5)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
    client.destroy()
    await here.until(
      () => (here.site.platform.gateway.presence.isOnline(here.machine.machineId) ? undefined : true),
      'death',
    )
    await expect(here.write('sp', 5)).rejects.toMatchObject({ code: 'MACHINE_OFFLINE' })
    const response = await fetch(`${here.site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${here.machine.code}:${here.machine.secret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ sp: 2 }),
    })
    expect(response.status).toBe(200)
    await expect(here.write('sp', 5)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
    expect(await here.log()).toEqual([])
  })
})
