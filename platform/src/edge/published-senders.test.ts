import { access, telemetry } from '@busbar/contract'
import type { IClientOptions } from 'mqtt'
import { expect, test } from 'vitest'
import { useWriteSite } from '../../test-support/writes/write-site.ts'

const here = useWriteSite()

const secondMs = 1_000
/** The last whole second. */
const sentAt = () => Math.floor(here.now() / secondMs) * secondMs

async function connect(own: Pick<IClientOptions, 'clientId' | 'will'> = {}) {
  const { code } = here.machine
  const client = await here.openHmi({ clientId: code, ...own })
  return (topic: string, body: object | string) =>
    client.publishAsync(topic.replace('CODE', code), typeof body === 'string' ? body : JSON.stringify(body), {
      qos: 1,
    })
}

/** The newest values by group and name: value, quality and time. */
async function shown() {
  const { machineId } = here.machine
  const client = here.site.as(here.owner)
  const [tags, values] = await Promise.all([
    client.call(telemetry.listTags, { machineId }),
    client.call(telemetry.listLatest, { machineId }),
  ])
  return Object.fromEntries(
    tags.map(({ tagId, group, tag }) => {
      const { value, quality, time } = values.find((one) => one.tagId === tagId) ?? {}
      return [[group, tag].filter(Boolean).join('/'), [value, quality, time]]
    }),
  )
}

const raw = async () => {
  const { machineId } = here.machine
  const messages = await here.site.as(here.owner).call(telemetry.listRawMessages, { machineId })
  return messages.map(({ verdict, detail }) => [verdict, detail])
}

test('a Tasmota plug is read as it comes, with its full topic set to data/CODE/%topic%/%prefix%/', async () => {
  const send = await connect()
  const at = sentAt()
  const wall = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Shanghai',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(at)
    .replace(' ', 'T')
  await send('data/CODE/plug/tele/SENSOR', {
    Time: wall,
    ENERGY: { Total: 3.185, Power: 42, Voltage: [230, 231, 229] },
    AM2301: { Temperature: 21.4, Humidity: null },
    TempUnit: 'C',
  })
  await send('data/CODE/plug/stat/RESULT', { POWER: 'ON' })
  expect(await shown()).toMatchObject({
    'plug/tele/ENERGY.Total': [3.185, 'good', at],
    'plug/tele/ENERGY.Power': [42, 'good', at],
    'plug/tele/ENERGY.Voltage[2]': [229, 'good', at],
    'plug/tele/AM2301.Temperature': [21.4, 'good', at],
    'plug/stat/POWER': ['ON', 'good', expect.any(Number)],
  })
  expect(await raw()).toContainEqual(['stored', expect.stringMatching(/^Tasmota/)])
})

test('a Tasmota plug and a Shelly of the first generation are read on the topics that they come with', async () => {
  const { code: machineCode } = here.machine
  await here.site.as(here.owner).call(access.updateMachineInfo, { machineCode, otherTopics: true })
  const payload = Buffer.from('Offline')
  const send = await connect({
    clientId: 'DVES_4F3A21',
    will: { topic: 'tele/tasmota_4F3A21/LWT', payload, retain: true, qos: 1 },
  })
  await send('tele/tasmota_4F3A21/LWT', 'Online')
  await send('tele/tasmota_4F3A21/SENSOR', { ENERGY: { Total: 3.185, Power: 42 }, TempUnit: 'C' })
  await send('stat/tasmota_4F3A21/POWER', 'ON')
  await send('shellies/shellyplug-s-4F3A22/relay/0/power', '8.9')
  const now = expect.any(Number)
  expect(await shown()).toMatchObject({
    'tele/tasmota_4F3A21/LWT/value': ['Online', 'good', now],
    'tele/tasmota_4F3A21/SENSOR/ENERGY.Total': [3.185, 'good', now],
    'tele/tasmota_4F3A21/SENSOR/ENERGY.Power': [42, 'good', now],
    'stat/tasmota_4F3A21/POWER/value': ['ON', 'good', now],
    'shellies/shellyplug-s-4F3A22/relay/0/power/value': [8.9, 'good', now],
  })
})

test('a Neuron gateway is read at its time, and a point that it could not read is bad', async () => {
  const send = await connect()
  const [before, at] = [sentAt() - 30 * secondMs, sentAt()]
  const body = { node: 'modbus', group: 'grp', metas: {} }
  await send('v1/devices/me/telemetry', {
    ...body,
    timestamp: before,
    values: { tag0: 122, tag1: 7 },
    errors: {},
  })
  await send('v1/devices/me/telemetry', {
    ...body,
    timestamp: at,
    values: { tag0: 123 },
    errors: { tag1: 2014 },
  })
  expect(await shown()).toEqual({
    'modbus/grp/tag0': [123, 'good', at],
    'modbus/grp/tag1': [null, 'bad', at],
  })
  expect(await raw()).toContainEqual(['stored', 'Neuron; "tag1" is bad: error "2014"'])
})

test('a Shelly of the second generation is read as it comes, with its topic prefix set to data/CODE/shelly', async () => {
  const send = await connect()
  const at = sentAt()
  const src = 'shellyplus1pm-441793d69718'
  await send('data/CODE/shelly/events/rpc', {
    src,
    dst: `${src}/events`,
    method: 'NotifyStatus',
    params: { ts: at / secondMs, 'switch:0': { id: 0, apower: 8.9, output: true } },
  })
  await send('data/CODE/shelly/status/switch:0', { id: 0, output: true, aenergy: { total: 6.5 } })
  expect(await shown()).toMatchObject({
    [`shelly/events/${src}/switch:0.apower`]: [8.9, 'good', at],
    [`shelly/events/${src}/switch:0.output`]: [true, 'good', at],
    'shelly/status/aenergy.total': [6.5, 'good', expect.any(Number)],
  })
})

test('a Telegraf and a SenML sender post by HTTP', async () => {
  const { code, secret } = here.machine
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`
  const at = sentAt()
  for (const body of [
    { fields: { usage_idle: 91.5 }, name: 'cpu', tags: { host: 'edge' }, timestamp: at / secondMs },
    [{ bn: 'urn:dev:ow:1:', bt: at / secondMs, n: 'temp', u: 'Cel', v: 23.1 }],
  ]) {
    const answer = await fetch(`${here.site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
  }
  expect(await shown()).toEqual({
    'cpu/host=edge/usage_idle': [91.5, 'good', at],
    'urn:dev:ow:1:temp': [23.1, 'good', at],
  })
})
