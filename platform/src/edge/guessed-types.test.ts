import { machines, tagSettings, telemetry } from '@busbar/contract'
import { SparkplugDatatype, type SparkplugMetric } from '@busbar/link'
import { describe, expect, test } from 'vitest'
import { useWriteSite, writableMetric } from '../../test-support/writes/write-site.ts'

const minuteMs = 60_000
const here = useWriteSite()

interface Answer {
  readonly stored: number
  readonly refused: string[]
  readonly notes?: string[]
}

async function post(body: string): Promise<Answer & { http: number }> {
  const { code, secret } = here.machine
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`
  const answer = await fetch(`${here.site.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  })
  const { hwdata, data } = (await answer.json()) as { hwdata: Answer; data?: Answer }
  return { http: answer.status, ...(data ?? hwdata) }
}

/** The variables with their newest values. */
async function shown() {
  const { machineId } = here.machine
  const [tags, values] = await Promise.all([
    here.site.as(here.owner).call(telemetry.listTags, { machineId }),
    here.site.as(here.owner).call(telemetry.listLatest, { machineId }),
  ])
  return tags.map(({ tagId, tag, type }) => {
    const latest = values.find((value) => value.tagId === tagId)
    return { tagId, tag, type, value: latest?.value, quality: latest?.quality }
  })
}

const setType = async (tag: string, readAs: telemetry.TagType | null) => {
  const { tagId } = await here.tagOf(tag)
  await here.site
    .as(here.owner)
    .call(tagSettings.setTag, { machineId: here.machine.machineId, tagId, readAs })
}

const shapes = {
  'plain JSON': ['v1/devices/me/telemetry', (value: unknown) => ({ sensor: value })],
  'an HMI': ['data/CODE/line/hmi', (value: unknown) => ({ _groupTag: 'line', sensor: String(value) })],
  'a Weintek HMI': ['data/CODE/line/hmi', (value: unknown) => ({ d: { sensor: [value] } })],
} as const

describe('a sensor that tells words when its cable is off', () => {
  test.each(Object.entries(shapes))(
    'keeps its type in %s, and each of its numbers',
    async (_, [topic, shape]) => {
      const machine = await here.openHmi()
      const send = (value: unknown) =>
        machine.publishAsync(topic.replace('CODE', here.machine.code), JSON.stringify(shape(value)), {
          qos: 1,
        })
      const words = ['--', 'N/A', 'ERR', 'NaN', 'sensor fault', 'null', '断线']
      for (let round = 0; round < 110; round++) {
        await send(words[round % words.length])
        await send(21.5 + round)
        // Before the first number nothing shows the type.
        if (round === 0) expect(await shown()).toMatchObject([{ type: 'float64', value: 21.5 }])
      }
      const [sensor] = await shown()
      expect(sensor).toMatchObject({ type: 'float64', value: 130.5, quality: 'good' })
      await send('sensor fault')
      expect(await shown()).toEqual([{ ...sensor, value: null, quality: 'bad' }])
    },
  )

  test('keeps its type by HTTP, which is told that the word cannot be stored', async () => {
    expect(await post('{"sensor": "--"}')).toMatchObject({
      stored: 0,
      notes: ['"sensor" is not stored: no value has shown its type yet'],
    })
    expect(await post('{"sensor": 21.5}')).toMatchObject({ stored: 1, refused: [] })
    expect(await post('{"sensor": "--"}')).toMatchObject({
      stored: 1,
      notes: ['"sensor" is stored as bad quality: its value is no float64'],
    })
    expect(await shown()).toMatchObject([{ type: 'float64', value: null, quality: 'bad' }])
  })

  test('and prints NaN without quotes does not lose the values beside it', async () => {
    await post('{"a": 1, "c": 2}')
    expect(await post('\uFEFF{"a": NaN, "b": "NaN, \\"nan", "c": -Infinity, "d": 2}')).toMatchObject({
      stored: 4,
      refused: [],
    })
    expect(await shown()).toMatchObject([
      { tag: 'a', value: null, quality: 'bad' },
      { tag: 'c', value: null, quality: 'bad' },
      { tag: 'b', value: 'NaN, "nan' },
      { tag: 'd', value: 2 },
    ])
    expect(await post('{"a": NaN')).toMatchObject({ http: 400 })
  })
})

describe('a first impression', () => {
  test('of words is unlearned after minutes of numbers, and the key value stays', async () => {
    await post('{"late": "starting"}')
    const { tagId } = await here.tagOf('late')
    const { machineId } = here.machine
    await here.site.as(here.owner).call(machines.setKeyTag, { machineID: machineId, tagId })
    await post('{"other": 1}')
    expect((await post('{"late": 12.5}')).notes).toEqual([
      '"late" is stored as string, the type of the variable',
    ])
    here.aheadMs += 4 * minuteMs
    await post('{"late": "starting"}')
    await post('{"late": 12.5}')
    here.aheadMs += 2 * minuteMs
    await post('{"late": 13}')
    expect((await shown())[0]).toMatchObject({ tagId, type: 'string', value: '13' })
    here.aheadMs += 2 * minuteMs
    await post('{"late": 14}')
    const learnt = (await shown()).find(({ tag }) => tag === 'late')
    expect(learnt).toMatchObject({ type: 'float64', value: 14, quality: 'good' })
    const listed = await here.site.as(here.owner).call(machines.listMachines, {})
    expect('list' in listed && listed.list[0]?.overview?.keyTag).toMatchObject({ tagId: learnt?.tagId })
    // The past is told in both types, the way from one to the other included.
    const { series } = await here.site.as(here.owner).call(telemetry.getHistory, {
      tagIds: [learnt?.tagId ?? 0, tagId],
      from: here.now() - 30 * minuteMs,
      to: here.now() + minuteMs,
      agg: 'raw',
    })
    expect(series.map(({ points }) => points.map(([, value]) => value))).toEqual([
      [14],
      ['starting', '12.5', 'starting', '12.5', '13'],
    ])
    expect(series.map(({ version }) => [version?.earlierId, version?.laterId])).toEqual([
      [tagId, null],
      [null, learnt?.tagId],
    ])
  })

  test('of numbers is unlearned after an hour of nothing but words', async () => {
    await post('{"recipe": 0}')
    for (const ahead of [30, 29, 2]) {
      await post('{"recipe": "M8 x 40"}')
      expect(await shown()).toMatchObject([{ type: 'float64', value: null, quality: 'bad' }])
      here.aheadMs += ahead * minuteMs
    }
    await post('{"recipe": "--"}')
    expect(await shown()).toMatchObject([{ type: 'float64' }])
    await post('{"recipe": "M8 x 40"}')
    expect(await shown()).toMatchObject([{ type: 'string', value: 'M8 x 40' }])
  })

  test('of a lot is kept while it is the same number for long', async () => {
    const hmi = await here.openHmi()
    const send = (lot: string) =>
      hmi.publishAsync(`data/${here.machine.code}/line/hmi`, JSON.stringify({ lot }), { qos: 1 })
    await send('A12')
    for (let minute = 0; minute < 10; minute++) {
      await send('1234')
      here.aheadMs += minuteMs
    }
    expect(await shown()).toMatchObject([{ type: 'string', value: '1234' }])
    await send('B7')
    expect(await shown()).toMatchObject([{ type: 'string', value: 'B7' }])
  })
})

test('a Sparkplug node whose births leave data types out makes no version with each word and number', async () => {
  const node = await here.openNode()
  const untyped = (value: number | string): SparkplugMetric => ({
    name: 'level',
    raw: typeof value === 'number' ? { kind: 'double', value } : { kind: 'string', value },
  })
  for (const value of [20.5, '--', 21.5]) {
    await node.publish('NBIRTH', [untyped(value)])
    await node.publish('NDATA', [untyped(value)])
  }
  const [level] = await shown()
  expect(level).toMatchObject({ type: 'float64', value: 21.5, quality: 'good' })
  await node.publish('NDATA', [untyped('N/A')])
  expect(await shown()).toEqual([{ ...level, value: null, quality: 'bad' }])
  const versions = await here.site.db
    .selectFrom('tags')
    .select('id')
    .where('machine_id', '=', here.machine.machineId)
    .execute()
  expect(versions).toHaveLength(1)
})

describe('the type that keys set', () => {
  test('holds from the next value on, and is audited', async () => {
    await post('{"lot": 1234, "level": "low"}')
    await setType('lot', 'string')
    await setType('level', 'float64')
    await post('{"lot": 1235, "level": "21.5"}')
    expect(await shown()).toMatchObject([
      { tag: 'lot', type: 'string', value: '1235' },
      { tag: 'level', type: 'float64', value: 21.5 },
    ])
    here.aheadMs += 120 * minuteMs
    await post('{"lot": 1236, "level": "low"}')
    expect(await shown()).toMatchObject([
      { tag: 'lot', value: '1236' },
      { tag: 'level', type: 'float64', value: null, quality: 'bad' },
    ])
    const { tagId } = await here.tagOf('lot')
    const { machineId } = here.machine
    const wrong = { machineId, tagId, scale: 1 }
    expect(await here.site.refusalOf(here.owner, tagSettings.setTag, wrong)).toBe('TAG_DIGITS_TYPE')
    const facts = await here.site.db
      .selectFrom('facts')
      .select('payload')
      .where('kind', '=', 'machine.tagsDescribed')
      .where('machine_id', '=', machineId)
      .execute()
    expect(facts).toHaveLength(2)
  })

  test('makes a number of a text that a Sparkplug node declares, also after its next birth', async () => {
    const node = await here.openNode()
    const birth = [
      writableMetric('level', SparkplugDatatype.string, '20'),
      writableMetric('speed', SparkplugDatatype.double, 5),
    ]
    await node.publish('NBIRTH', birth)
    await setType('level', 'float64')
    const { tagId } = await here.tagOf('speed')
    const wrong = { machineId: here.machine.machineId, tagId, readAs: 'string' as const }
    expect(await here.site.refusalOf(here.owner, tagSettings.setTag, wrong)).toBe('TAG_TYPE_DEVICE')
    for (const value of ['21.5', 'N/A'])
      await node.publish('NDATA', [writableMetric('level', SparkplugDatatype.string, value)])
    expect((await shown()).find(({ tag }) => tag === 'level')).toMatchObject({ value: null, quality: 'bad' })
    await node.publish('NBIRTH', [
      writableMetric('level', SparkplugDatatype.string, '22.5'),
      birth[1] as never,
    ])
    expect((await shown()).find(({ tag }) => tag === 'level')).toMatchObject({ type: 'float64', value: 22.5 })
    // A write to it is a text again.
    await here.write('level', 23)
    const { metrics } = await node.command()
    expect(metrics[0]).toMatchObject({ raw: { kind: 'string', value: '23' } })
  })
})
