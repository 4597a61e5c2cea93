import { telemetry as contract } from '@busbar/contract'
import { plainTopic } from '@busbar/link'
import { createMachine, createUser, failureOf, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let test: TestPlatform

beforeAll(async () => {
  test = await startTestPlatform()
})

afterAll(() => test.stop())

async function openMachine() {
  const owner = await createUser(test.db)
  const machine = await createMachine(test.db, { owner: owner.userId })
  return { owner, machine, client: test.as(owner) }
}

describe('values of a machine', () => {
  it('go from its MQTT client to its owner: tags, newest values, history', async () => {
    const { machine, client } = await openMachine()
    const sender = await mqtt.connectAsync(test.mqttUrl, {
      username: machine.code,
      password: machine.secret,
      clientId: machine.code,
    })
    const at = Date.now()
    await sender.publishAsync(
      plainTopic.telemetry,
      JSON.stringify({ ts: at, values: { temp: 21.5, on: true } }),
      {
        qos: 1,
      },
    )
    const { machineId } = machine
    const tags = await client.call(contract.listTags, { machineId })
    expect(tags).toMatchObject([
      { tag: 'temp', name: 'temp', group: '', type: 'float64', unit: '', scale: null, lastAt: at },
      { tag: 'on', type: 'bool', lastAt: at },
    ])
    const [temp, on] = tags.map(({ tagId }) => tagId) as [number, number]
    expect(await client.call(contract.listLatest, { machineId })).toEqual([
      { tagId: temp, value: 21.5, quality: 'good', time: at, receivedAt: expect.any(Number) },
      { tagId: on, value: true, quality: 'good', time: at, receivedAt: expect.any(Number) },
    ])
    expect(await client.call(contract.listLatest, { machineId, tags: [on] })).toMatchObject([{ tagId: on }])
    const asked = { tagIds: [temp, on], from: at - 1_000, to: at + 1_000, agg: 'raw' as const }
    expect((await client.call(contract.getHistory, asked)).series).toMatchObject([
      { tagId: temp, points: [[at, 21.5, 21.5, 21.5]] },
      { tagId: on, points: [[at, true, null, null]] },
    ])
    await sender.endAsync()
    await expect
      .poll(async () => (await client.call(contract.listLatest, { machineId })).map(({ quality }) => quality))
      .toEqual(['stale', 'stale'])
  })

  it('are not shown to others', async () => {
    const { machine } = await openMachine()
    const sent = await test.platform.telemetry.append(machine.machineId, [
      {
        kind: 'sample',
        group: '',
        tag: 'a',
        type: 'float64',
        value: 1,
        quality: 192,
        time: undefined,
        late: false,
      },
    ])
    expect(sent).toEqual([])
    const [tag] = await test.platform.telemetry.listTags(machine.machineId, 'en')
    const stranger = test.as(await createUser(test.db))
    const { machineId } = machine
    expect((await failureOf(stranger, contract.listTags, { machineId })).http).toBe(403)
    expect((await failureOf(stranger, contract.listLatest, { machineId })).http).toBe(403)
    const asked = { tagIds: [tag?.tagId ?? 0], from: 0, to: Date.now() }
    expect((await failureOf(stranger, contract.getHistory, asked)).http).toBe(403)
    expect((await failureOf(test.as(undefined), contract.listTags, { machineId })).http).toBe(401)
  })
})

describe('POST /api/v1/ingest', () => {
  const post = (code: string, secret: string, body: string) =>
    fetch(`${test.url}/api/v1/ingest`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`,
      },
    })

  it('stores, and answers the stored value', async () => {
    const { machine, client } = await openMachine()
    const response = await post(machine.code, machine.secret, '{"temp":1,"big":true}')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ hwcode: 0, hwdata: { stored: 2, refused: [] } })
    expect(await client.call(contract.listLatest, { machineId: machine.machineId })).toHaveLength(2)
  })

  it('refuses a wrong secret', async () => {
    const { machine } = await openMachine()
    const response = await post(machine.code, 'wrong', '{"temp":1}')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ hwcode: 113 })
  })
})
