import { access, machines, type RequestOf, tagSettings, telemetry } from '@busbar/contract'
import { encodeText, SparkplugDatatype } from '@busbar/link'
import { listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { describe, expect, test } from 'vitest'
import { useWriteSite, writableMetric } from '../../test-support/writes/write-site.ts'

const here = useWriteSite()

const topicOf = (rest: string, start = 'data') => `${start}/${here.machine.code}/${rest}`
const raw = (limit = 50) =>
  here.site.as(here.owner).call(telemetry.listRawMessages, { machineId: here.machine.machineId, limit })
const detail = async () => {
  const got = await here.site
    .as(here.owner)
    .call(machines.getMachineDetail, { machineID: here.machine.machineId })
  if (!('clock' in got)) throw new Error('no details of a machine held')
  return got
}
const update = (fields: Partial<RequestOf<typeof access.updateMachineInfo>>) =>
  here.site.as(here.owner).call(access.updateMachineInfo, { machineCode: here.machine.code, ...fields })

async function latest() {
  const client = here.site.as(here.owner)
  const { machineId } = here.machine
  const [tags, values] = await Promise.all([
    client.call(telemetry.listTags, { machineId }),
    client.call(telemetry.listLatest, { machineId }),
  ])
  return Object.fromEntries(
    tags.map((tag) => [
      tag.group === '' ? tag.tag : `${tag.group}/${tag.tag}`,
      { type: tag.type, ...values.find((value) => value.tagId === tag.tagId) },
    ]),
  )
}

/** A wall clock's text in a zone. */
const wallOf = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)

describe('a vendor’s HMI', () => {
  test('is stored in its zone; another zone holds for the next message, without a new connection', async () => {
    const hmi = await here.openHmi()
    const at = Math.floor(here.now() / 1000 - 10) * 1000
    const send = (timeZone: string, temp: string, tag = 'temp') =>
      hmi.publishAsync(
        topicOf('Line 1/Zone A/hmi-01'),
        JSON.stringify({ _terminalTime: wallOf(at, timeZone), [tag]: temp }),
        { qos: 1 },
      )
    await send('Asia/Shanghai', '21.50')
    expect((await latest())['Line 1/Zone A/temp']).toMatchObject({
      type: 'float64',
      value: 21.5,
      quality: 'good',
      time: at,
    })
    expect(await detail()).toMatchObject({
      adapter: '',
      timeZone: 'Asia/Shanghai',
      clock: { believed: true },
      connection: { protocol: 'tcp/mqtt', address: '127.0.0.1', endedAt: null },
    })

    await update({ timeZone: 'America/New_York' })
    let tries = 0
    await here.until(async () => {
      const tag = `try ${++tries}`
      await send('America/New_York', '22.50', tag)
      return (await latest())[`Line 1/Zone A/${tag}`]?.time === at ? true : undefined
    }, 'a value in the machine’s other zone')
    expect((await detail()).timeZone).toBe('America/New_York')

    // The clock was set to another zone at the machine: its values count from their arrival.
    await send('Asia/Shanghai', '23.50')
    await send('Asia/Shanghai', '24.50')
    expect((await latest())['Line 1/Zone A/temp']).toMatchObject({ value: 24.5, quality: 'uncertain' })
    const { clock } = await detail()
    expect(clock?.believed).toBe(false)
    expect(Math.round((clock?.offsetMs ?? 0) / 3_600_000)).toBeGreaterThanOrEqual(12)
  })

  test('whose clock shows whole seconds loses no change within a second', async () => {
    const hmi = await here.openHmi()
    const at = Math.floor(here.now() / 1000 - 10) * 1000
    for (const [temp, lot] of [
      ['1', 'A'],
      ['2', 'A'],
      ['2', 'A'],
      ['1', 'A'],
    ]) {
      const said = { _terminalTime: wallOf(at, 'Asia/Shanghai'), temp, lot }
      await hmi.publishAsync(topicOf('hmi'), JSON.stringify(said), { qos: 1 })
    }
    const told = (value: unknown, ms: number) => ({ value, quality: 'good', time: at + ms })
    expect(await latest()).toMatchObject({ temp: told(1, 2), lot: told('A', 0) })
    const samples = await listLogged(here.site.db, here.machine.machineId)
    const temps = samples.filter(({ name }) => name === 'temp')
    expect(
      temps.map((one) => [one.at.getTime() - at, one.num]).sort(([a], [b]) => Number(a) - Number(b)),
    ).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ])
  })

  test('keeps the type of a tag through a fault of its line', async () => {
    const hmi = await here.openHmi()
    for (const [flow, lot] of [
      ['1.5', 'A7'],
      ['----', '007'],
      ['', ''],
      ['2', '12'],
    ]) {
      await hmi.publishAsync(topicOf('hmi'), JSON.stringify({ flow, lot, gone: '' }), { qos: 1 })
    }
    const tags = await here.site.db
      .selectFrom('tags')
      .select(['name', 'version', 'type'])
      .where('machine_id', '=', here.machine.machineId)
      .orderBy('name')
      .execute()
    expect(tags).toEqual([
      { name: 'flow', version: 1, type: 'float64' },
      { name: 'lot', version: 1, type: 'string' },
    ])
    expect(await latest()).toMatchObject({ flow: { value: 2, quality: 'good' }, lot: { value: '12' } })
  })

  test('is written under cmd/, and its next value confirms', async () => {
    const node = await here.openNode([])
    await node.publish('NBIRTH', [writableMetric('Line 1/sp', SparkplugDatatype.double, 1)])
    await here.latestIs('sp', 1)
    node.client.destroy()
    const hmi = await here.openHmi()
    await expect(here.write('sp', 2)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
    await hmi.subscribeAsync(topicOf('#', 'cmd'), { qos: 1 })
    const got = new Promise<[string, unknown]>((resolve) =>
      hmi.once('message', (topic, payload) => resolve([topic, JSON.parse(payload.toString())])),
    )
    await hmi.publishAsync(topicOf('Line 1/hmi-01'), '{"sp":"1.0"}', { qos: 1 })
    const commandId = await here.write('sp', 21.5)
    expect(await got).toEqual([topicOf('Line 1/hmi-01', 'cmd'), { type: 'set_var', payload: { sp: '21.5' } }])
    await hmi.publishAsync(topicOf('Line 1/hmi-01'), '{"sp":"21.50"}', { qos: 1 })
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
  })

  test('that speaks GBK is read and written in GBK', async () => {
    await update({ textEncoding: 'gbk' })
    expect(await detail()).toMatchObject({ textEncoding: 'gbk' })
    const hmi = await here.openHmi()
    const { machineId } = here.machine
    await hmi.subscribeAsync(topicOf('#', 'cmd'), { qos: 1 })
    const got = new Promise<Buffer>((resolve) => hmi.once('message', (_topic, payload) => resolve(payload)))
    const said = (recipe: string) => Buffer.from(encodeText(`{"配方":"${recipe}"}`, 'gbk'))
    await hmi.publishAsync(topicOf('hmi-01'), said('米色'), { qos: 1 })
    expect((await latest()).配方).toMatchObject({ value: '米色', quality: 'good' })
    const { tagId } = await here.tagOf('配方')
    await here.site.as(here.owner).call(tagSettings.setTag, { machineId, tagId, writable: true })
    const commandId = await here.write('配方', '黑色')
    expect(await got).toEqual(Buffer.from(encodeText('{"type":"set_var","payload":{"配方":"黑色"}}', 'gbk')))
    await hmi.publishAsync(topicOf('hmi-01'), said('黑色'), { qos: 1 })
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
  })

  test('of another machine is refused: its topics close the connection, its filters are 0x80', async () => {
    const foreign = '9999999999999999999'
    for (const topic of [`data/${foreign}/g/t`, `cmd/${foreign}/g/t`]) {
      const hmi = await here.openHmi({ protocolVersion: 5 })
      const granted = await hmi.subscribeAsync(topic, { qos: 1 }).then(
        () => 'granted',
        (error: Error & { code?: number }) => error.message,
      )
      expect(granted).not.toBe('granted')
      const closed = new Promise<void>((resolve) => hmi.once('close', () => resolve()))
      hmi.publish(topic, '{"a":"1"}', { qos: 1 }, () => {})
      await closed
    }
    expect(await latest()).toEqual({})
  })
})

test('a Weintek HMI hours off counts from its arrival; it is written in its own shape', async () => {
  const node = await here.openNode([])
  await node.publish('NBIRTH', [writableMetric('Tag', SparkplugDatatype.double, 1)])
  await here.latestIs('Tag', 1)
  node.client.destroy()
  const hmi = await here.openHmi()
  await hmi.subscribeAsync(topicOf('hmi', 'cmd'), { qos: 0 })
  const got = new Promise<string>((resolve) =>
    hmi.once('message', (_, payload) => resolve(payload.toString())),
  )
  const sentAt = here.now()
  await hmi.publishAsync(topicOf('hmi'), '{"d":{"Tag":[5]},"ts":"2017-04-18T17:36:52.501856"}', { qos: 1 })
  const { Tag } = await latest()
  expect(Tag).toMatchObject({ value: 5, quality: 'good' })
  expect(Tag?.time).toBeGreaterThanOrEqual(sentAt)
  // The node's clock was right: one message is not enough to assume another one.
  expect((await detail()).clock?.believed).toBe(true)
  await hmi.publishAsync(topicOf('hmi'), '{"d":{"Tag":[5]},"ts":"2017-04-18T17:36:53.501856"}', { qos: 1 })
  expect((await detail()).clock?.believed).toBe(false)
  const commandId = await here.write('Tag', 7)
  expect(await got).toBe('{"d":{"Tag":[7]}}')
  await hmi.publishAsync(topicOf('hmi'), '{"d":{"Tag":[7]}}', { qos: 1 })
  expect((await here.resultOf(commandId)).state).toBe('confirmed')
})

describe('the raw view', () => {
  const telemetryTopic = 'v1/devices/me/telemetry'

  test('shows every message with its result, newest first, for all bytes', async () => {
    const hmi = await here.openHmi()
    const invalid = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    const long = Buffer.from(JSON.stringify({ a: 1, long: 'x'.repeat(200_000) }))
    const longName = Buffer.from(`{"${'n'.repeat(300)}":"1","b":"2"}`)
    const sent: [string, Buffer][] = [
      [telemetryTopic, Buffer.from('{"a":1}')],
      [telemetryTopic, Buffer.from('{}')],
      [telemetryTopic, invalid],
      [telemetryTopic, Buffer.concat([long, Buffer.alloc(100_000, 0x20)])],
      [telemetryTopic, long],
      ['v1/devices/me/claim', Buffer.from('nul \0 here')],
      [topicOf('hmi'), longName],
    ]
    for (const [topic, payload] of sent) {
      here.aheadMs += 1
      await hmi.publishAsync(topic, payload, { qos: 1 })
    }
    const list = await raw()
    expect(
      list.map(({ topic, bytes, adapter, verdict }) => [topic, bytes, adapter, verdict]).reverse(),
    ).toEqual([
      [telemetryTopic, 7, 'json', 'stored'],
      [telemetryTopic, 2, 'json', 'empty'],
      [telemetryTopic, 4, null, 'notJson'],
      [telemetryTopic, long.length + 100_000, null, 'tooLarge'],
      [telemetryTopic, long.length, 'json', 'stored'],
      ['v1/devices/me/claim', 10, 'json', 'unknownTopic'],
      [topicOf('hmi'), longName.length, 'vendor', 'tagsRefused'],
    ])
    expect(list.map(({ head }) => Buffer.from(head, 'base64')).reverse()).toEqual(
      sent.map(([, payload], index) => payload.subarray(0, [0, 1, 4].includes(index) ? 1_024 : 4_096)),
    )
    expect(await raw(2)).toEqual(list.slice(0, 2))
    expect(JSON.stringify(list)).not.toContain(here.machine.secret)
  })

  test('shows values that a fixed adapter could not read; none of them is stored', async () => {
    await update({ adapter: 'weintek' })
    const hmi = await here.openHmi()
    await hmi.publishAsync(telemetryTopic, '{"a":1}', { qos: 1 })
    await update({ adapter: '' })
    await here.until(async () => {
      await hmi.publishAsync(telemetryTopic, '{"b":1}', { qos: 1 })
      return (await latest()).b ? true : undefined
    }, 'a value under the adapter chosen anew')
    expect(Object.keys(await latest())).toEqual(['b'])
    expect((await raw()).at(-1)).toMatchObject({ adapter: 'weintek', verdict: 'unknownShape' })
    expect((await detail()).adapter).toBe('')
  })

  test('does not move to a zone that does not exist', async () => {
    for (const timeZone of ['Mars/Olympus', '+08:00', ' ']) {
      const wish = { machineCode: here.machine.code, timeZone }
      expect(await here.site.refusalOf(here.owner, access.updateMachineInfo, wish)).toBe('400')
    }
    expect(await detail()).toMatchObject({ timeZone: 'Asia/Shanghai', connection: null, clock: null })
  })
})

test('the clock is there after a restart, written once for many messages', async () => {
  const hmi = await here.openHmi()
  const { machineId } = here.machine
  for (let count = 0; count < 20; count++) {
    await hmi.publishAsync(
      'v1/devices/me/telemetry',
      JSON.stringify({ ts: here.now() - 90_000, values: { n: count } }),
      { qos: 1 },
    )
  }
  const find = () =>
    here.site.db
      .selectFrom('machines')
      .select(['clock_offset_ms', 'clock_seen_at'])
      .where('id', '=', machineId)
      .executeTakeFirstOrThrow()
  expect((await find()).clock_offset_ms).toBeNull()
  await here.site.platform.gateway.clocks.flush()
  const row = await find()
  expect(Math.abs((row.clock_offset_ms ?? 0) + 90_000)).toBeLessThan(30_000)
  await hmi.publishAsync('v1/devices/me/telemetry', `{"ts":${here.now() - 90_000},"values":{"n":1}}`, {
    qos: 1,
  })
  await here.site.platform.gateway.clocks.flush()
  expect(await find()).toEqual(row)
  expect((await detail()).clock).toMatchObject({ believed: true })
})
