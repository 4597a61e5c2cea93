import {
  alarmRules,
  alarms,
  boards,
  tagSettings as contract,
  machines,
  type RequestOf,
  telemetry,
} from '@busbar/contract'
import { SparkplugDatatype } from '@busbar/link'
import type { MqttClient } from 'mqtt'
import { describe, expect, test } from 'vitest'
import { useWriteSite, writableMetric } from '../../../test-support/writes/write-site.ts'
import { withTransaction } from '../../kernel/database/database.ts'

const here = useWriteSite()

const topicOf = (rest: string, start = 'data') => `${start}/${here.machine.code}/${rest}`
const say = (client: MqttClient, values: object, group = 'line/hmi') =>
  client.publishAsync(topicOf(group), JSON.stringify(values), { qos: 1 })

type Change = Partial<Omit<RequestOf<typeof contract.setTag>, 'machineId' | 'tagId'>>

async function set(name: string, change: Change, by = here.owner) {
  const { tagId } = await here.tagOf(name)
  return here.site.as(by).call(contract.setTag, { machineId: here.machine.machineId, tagId, ...change })
}

async function fault(name: string, change: Change) {
  const { tagId } = await here.tagOf(name)
  const request = { machineId: here.machine.machineId, tagId, ...change }
  return await here.site.refusalOf(here.owner, contract.setTag, request)
}

describe('the settings of a tag', () => {
  test('replace the machine’s own description in every answer, and can be reset', async () => {
    const { machineId, code } = here.machine
    const node = await here.openNode()
    await node.publish('NBIRTH', [writableMetric('oven/mode', SparkplugDatatype.int32, 1)])
    const before = await here.tagOf('mode')
    await set('mode', { name: '炉子模式', unit: 'A', min: 0, max: 3, enum: { 0: '停止', 3: '故障' } })
    const client = here.site.as(here.owner)
    const shown = { name: '炉子模式', unit: 'A', min: 0, max: 3, enum: { 0: '停止', 3: '故障' } }
    expect(await here.tagOf('mode')).toMatchObject({
      ...shown,
      settings: shown,
      own: { name: 'mode', unit: '', min: null, max: null },
    })
    // The machine's next birth, and a change of the tag's type, change nothing of it.
    await node.publish('NBIRTH', [writableMetric('oven/mode', SparkplugDatatype.double, 2)])
    const after = await here.tagOf('mode')
    expect(after).toMatchObject({ ...shown, type: 'float64' })
    expect(after.tagId).not.toBe(before.tagId)

    const list = await client.call(machines.listMachines, { terminalID: 't' })
    const row = 'list' in list && list.list.find((one) => one.machine_id === machineId)
    expect(row ? row.overview?.keyTag : row).toMatchObject({ name: '炉子模式', unit: 'A' })
    const asked = { tags: [{ machine: machineId, group: 'oven', tag: 'mode' }], machines: [], tagIds: [] }
    expect((await client.call(boards.lookUpBoardTags, asked)).tags).toMatchObject([shown])
    const span = { tagIds: [before.tagId], from: 0, to: here.now() }
    expect((await client.call(telemetry.getHistory, span)).series[0]?.version).toMatchObject({
      name: '炉子模式',
      unit: 'A',
    })
    await client.call(alarmRules.createAlarmRule, {
      machineId,
      tagId: after.tagId,
      kind: 'threshold',
      op: '>',
      limit: 2,
      level: 'minor',
      onDelay: 0,
      offDelay: 0,
      text: { cn: '{tag} {value} {unit}', en: '{tag} {value} {unit}' },
    })
    await node.publish('NDATA', [writableMetric('oven/mode', SparkplugDatatype.double, 3)])
    await here.until(async () => {
      const { list } = await client.call(alarms.listAlarms, { machineId })
      return list.find(({ text }) => text === '炉子模式 故障 A')
    }, 'an alarm that names the tag')

    await here.write('mode', 0)
    expect((await here.log())[0]).toMatchObject({ tag: '炉子模式' })

    await set('mode', { name: null, unit: null, min: null, max: null, enum: null })
    const back = await here.tagOf('mode')
    expect(back).toMatchObject({ name: 'mode', unit: '', min: null, max: null })
    expect([back.enum, back.settings, back.own]).toEqual([undefined, undefined, undefined])
    const acts = await here.site.db
      .selectFrom('audit_entries')
      .select(['action', 'target', 'detail'])
      .where('action', '=', 'machine.tags')
      .where('target', '=', code)
      .orderBy('id')
      .execute()
    expect(acts).toMatchObject([
      { detail: { machineId, tags: 1, changed: [{ tag: 'oven/mode', from: {}, to: shown }] } },
      { detail: { changed: [{ from: shown, to: {} }] } },
    ])
  })

  test('of two people at the same time both stay', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '21.5' })
    const second = await here.site.createHolder(here.machine.machineId, { role: 'bkey' })
    await here.tagOf('temp')
    await Promise.all([
      set('temp', { name: 'Oven' }),
      set('temp', { unit: '°C' }, second),
      set('temp', { scale: 1 }),
    ])
    expect((await here.tagOf('temp')).settings).toEqual({ name: 'Oven', unit: '°C', scale: 1 })
  })

  test('are published at once to people who watch the machine', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '21.5' })
    await here.tagOf('temp')
    here.page.watch(here.machine.machineId)
    await here.page.find((event) => event.scene === 'values' || undefined)
    await set('temp', { name: 'Oven' })
    await here.page.find(
      (event) => (event.scene === 'tags' && event.machineId === String(here.machine.machineId)) || undefined,
    )
  })

  test('that do not fit are refused by name', async () => {
    const node = await here.openNode()
    const limited = writableMetric('sp', SparkplugDatatype.double, 10)
    const property = (value: number) => ({
      type: SparkplugDatatype.double,
      raw: { kind: 'double' as const, value },
    })
    await node.publish('NBIRTH', [
      { ...limited, properties: { ...limited.properties, min: property(5), max: property(90) } },
      writableMetric('on', SparkplugDatatype.boolean, true),
      writableMetric('count', SparkplugDatatype.int64, 5),
      writableMetric('lot', SparkplugDatatype.string, 'A'),
    ])
    expect(await fault('sp', { min: 4 })).toBe('TAG_LIMITS_DEVICE')
    expect(await fault('sp', { max: 91 })).toBe('TAG_LIMITS_DEVICE')
    expect(await fault('sp', { min: 50, max: 40 })).toBe('TAG_LIMITS_ORDER')
    expect(await fault('sp', { writable: false })).toBe('TAG_WRITABLE_DEVICE')
    expect(await fault('count', { scale: 1 })).toBe('TAG_DIGITS_TYPE')
    expect(await fault('lot', { max: 1 })).toBe('TAG_LIMITS_TYPE')
    expect(await fault('lot', { enum: { 1: 'one' } })).toBe('TAG_VALUES_TYPE')
    expect(await fault('on', { enum: { 1: 'one' } })).toBe('TAG_VALUES_TYPE')
    expect(await fault('count', { enum: { true: 'one' } })).toBe('TAG_VALUES_TYPE')
    expect(await fault('count', { enum: {} })).toBe('400')
    expect(await fault('count', { name: ' ' })).toBe('400')
    await set('on', { enum: { true: '开', false: '关' } })
    expect((await here.tagOf('on')).enum).toEqual({ true: '开', false: '关' })
    // Shown digits do not limit the digits that the machine keeps; narrower limits apply to writes.
    await set('sp', { scale: 0, max: 50 })
    await here.write('sp', 20.5)
    await expect(here.write('sp', 51)).rejects.toMatchObject({ code: 'VALUE_RANGE' })
  })

  test('are of keys that may change something, and do not pass to the next owner', async () => {
    const password = 'label-of-4711'
    here.machine = await here.site.createMachine({ owner: here.owner.userId, password })
    const hmi = await here.openHmi()
    await say(hmi, { temp: '21.5' })
    const { machineId } = here.machine
    const { tagId } = await here.tagOf('temp')
    const watcher = await here.site.createHolder(machineId, { role: 'bkey', readOnly: true })
    const request = { machineId, tagId, writable: true }
    expect(await here.site.refusalOf(watcher, contract.setTag, request)).toBe('GIVER_READ_ONLY')
    const visitor = await here.site.createHolder(machineId, { role: 'visitor' })
    expect(await here.site.refusalOf(visitor, contract.setTag, request)).toBe('403')
    expect(await here.site.refusalOf(here.owner, contract.setTag, { ...request, tagId: 1 })).toBe('404')
    await set('temp', { name: 'Secret recipe', writable: true })
    await here.site.as(visitor).call(machines.removeMachine, { delMachineID: machineId })
    await here.site.as(watcher).call(machines.removeMachine, { delMachineID: machineId })
    await here.site.as(here.owner).call(machines.removeMachine, { delMachineID: machineId })
    const next = await here.site.createUser()
    await here.site.as(next).call(machines.addMachine, {
      machineName: 'Mine',
      machineCode: here.machine.code,
      machinePwd: password,
    })
    await here.site.platform.telemetry.append(machineId, [
      {
        kind: 'sample',
        group: 'line',
        tag: 'temp',
        type: 'float64',
        value: 3,
        quality: 192,
        time: undefined,
        late: false,
      },
    ])
    const [tag] = await here.site.as(next).call(telemetry.listTags, { machineId })
    expect(tag).toMatchObject({ name: 'temp', readOnly: true })
    expect(tag?.settings).toBeUndefined()
  })
})

describe('a set-point of a machine that does not declare writable tags', () => {
  const listen = async (client: MqttClient, filter: string) => {
    await client.subscribeAsync(filter, { qos: 1 })
    return () =>
      new Promise<[string, unknown]>((resolve) =>
        client.once('message', (topic, payload) => resolve([topic, JSON.parse(payload.toString())])),
      )
  }

  test('is closed until a key opens it; a vendor’s HMI is written, and its next value confirms or denies it', async () => {
    const hmi = await here.openHmi()
    const commands = await listen(hmi, topicOf('#', 'cmd'))
    await say(hmi, { sp: '20' })
    expect(await here.tagOf('sp')).toMatchObject({ readOnly: true, openable: true })
    await expect(here.write('sp', 21)).rejects.toMatchObject({ code: 'TAG_READ_ONLY' })
    await set('sp', { writable: true, min: 0, max: 50 })
    expect(await here.tagOf('sp')).toMatchObject({ readOnly: false })
    await expect(here.write('sp', 51)).rejects.toMatchObject({ code: 'VALUE_RANGE' })
    const got = commands()
    const kept = await here.write('sp', 21)
    expect(await got).toEqual([topicOf('line/hmi', 'cmd'), { type: 'set_var', payload: { sp: '21' } }])
    await say(hmi, { sp: '21.0' })
    expect((await here.resultOf(kept)).state).toBe('confirmed')
    const denied = await here.write('sp', 30)
    await say(hmi, { sp: '25' })
    here.aheadMs += 10_000
    expect(await here.resultOf(denied)).toMatchObject({
      state: 'failed',
      kept: { value: { case: 'numberValue', value: 25 } },
    })
    await set('sp', { writable: null })
    await expect(here.write('sp', 21)).rejects.toMatchObject({ code: 'TAG_READ_ONLY' })
  })

  test('of a Weintek HMI is written in its own shape; an element of an array cannot be', async () => {
    const hmi = await here.openHmi()
    const commands = await listen(hmi, topicOf('#', 'cmd'))
    await say(hmi, { d: { speed: [5], zones: [1, 2] } })
    await set('speed', { writable: true })
    const got = commands()
    const commandId = await here.write('speed', 7)
    expect(await got).toEqual([topicOf('line/hmi', 'cmd'), { d: { speed: [7] } }])
    await say(hmi, { d: { speed: [7] } })
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
    await set('zones[0]', { writable: true })
    await expect(here.write('zones[0]', 3)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
  })

  test('of a plain JSON machine is written by its rpc, with the values that have a text', async () => {
    const machine = await here.openHmi()
    const commands = await listen(machine, 'v1/devices/me/rpc/request/+')
    await machine.publishAsync('v1/devices/me/telemetry', '{"mode":0}', { qos: 1 })
    await set('mode', { writable: true, enum: { 0: '停止', 1: '运行' } })
    await expect(here.write('mode', 2)).rejects.toMatchObject({ code: 'VALUE_RANGE' })
    const got = commands()
    const commandId = await here.write('mode', 1)
    expect(await got).toEqual([
      `v1/devices/me/rpc/request/${commandId}`,
      { method: 'write', params: { mode: 1 } },
    ])
    await machine.publishAsync('v1/devices/me/telemetry', '{"mode":1}', { qos: 1 })
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
  })

  test('that was opened is not written by Sparkplug, whose nodes themselves declare writable tags', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { sp: '20' }, 'line/hmi')
    await set('sp', { writable: true })
    await hmi.endAsync(true)
    const node = await here.openNode()
    await node.publish('NBIRTH', [writableMetric('line/other', SparkplugDatatype.double, 1)])
    await here.tagOf('other')
    await expect(here.write('sp', 21)).rejects.toMatchObject({ code: 'WRITE_UNSUPPORTED' })
    // Its birth declares the tag read-only: a key's setting no longer applies.
    const { properties: _, ...silent } = writableMetric('line/sp', SparkplugDatatype.double, 1)
    await node.publish('NBIRTH', [silent])
    await here.until(async () => ((await here.tagOf('sp')).openable ? undefined : true), 'a described tag')
    expect(await here.tagOf('sp')).toMatchObject({ readOnly: true })
    await expect(here.write('sp', 21)).rejects.toMatchObject({ code: 'TAG_READ_ONLY' })
  })
})

describe('a file of tags', () => {
  async function send(csv: string, apply = false) {
    const { machineId } = here.machine
    return here.site.as(here.owner).call(contract.importTags, { machineId, csv, apply })
  }
  const download = async () => {
    const { machineId } = here.machine
    return (await here.site.as(here.owner).call(contract.exportTags, { machineId })).csv
  }

  test('that was exported changes nothing; cleared cells fall back to the machine’s own description', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '20', '=cmd()': '1', mode: '0' })
    await set('temp', { name: '=1+1', unit: '', scale: 1, min: -5, max: 99.5 })
    await set('mode', { enum: { 0: 'a; b\\', 1: '=x' }, writable: true })
    await set('=cmd()', { readAs: 'float64' })
    const csv = await download()
    expect(csv.split('\r\n')).toEqual([
      '\uFEFFgroup,tag,type,ownName,ownUnit,name,unit,scale,min,max,enum,readAs,writable',
      "line,temp,float64,temp,,'=1+1,-,1,-5,99.5,,,",
      "line,'=cmd(),float64,'=cmd(),,,,,,,,float64,",
      'line,mode,float64,mode,,,,,,,"0=a\\; b\\\\; 1==x",,true',
      '',
    ])
    expect(await send(csv, true)).toMatchObject({ applied: true, changes: 0, unchanged: 3, faults: 0 })
    const cleared = 'group,tag,name,unit\nline,temp,,\n'
    const preview = await send(cleared)
    const { tagId } = await here.tagOf('temp')
    expect(preview).toMatchObject({
      applied: false,
      changes: 1,
      changed: [
        {
          line: 2,
          tagId,
          before: { name: '=1+1', unit: '', scale: 1, min: -5, max: 99.5 },
          after: { scale: 1, min: -5, max: 99.5 },
        },
      ],
    })
    expect((await here.tagOf('temp')).name).toBe('=1+1')
    expect(await send(cleared, true)).toMatchObject({ applied: true, changes: 1 })
    expect((await here.tagOf('temp')).settings).toEqual({ scale: 1, min: -5, max: 99.5 })
  })

  test('that a German Excel saved was refused', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '20', mode: '0' })
    await set('temp', { name: '=1+1', min: -5, max: 99.5 })
    await set('mode', { enum: { 0: 'a; b', 1: 'c' }, writable: true })
    const exported = await download()
    // The same cells with semicolons, decimal commas, its word for true, and a heading that somebody wrote anew.
    const cells = exported
      .replace('group,tag', 'Group,TAG')
      .replace(/"(0=a.*?)"/, (_, texts: string) => `"${texts.replaceAll(';', '§')}"`)
      .replaceAll(',', ';')
      .replaceAll('§', ';')
      .replace('99.5', '99,5')
      .replace(';true', ';WAHR')
    expect(await send(cells, true)).toMatchObject({ applied: true, changes: 0, unchanged: 2, faults: 0 })
    const changed = await send(cells.replace('99,5', '80,25').replace('WAHR', 'FALSCH'), true)
    expect(changed).toMatchObject({ applied: true, changes: 2 })
    expect((await here.tagOf('temp')).settings).toEqual({ name: '=1+1', min: -5, max: 80.25 })
    expect((await here.tagOf('mode')).settings).toMatchObject({ writable: false })
  })

  test('whose decimal comma was a separator moved its cells, and each such line is named', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '20' })
    await here.tagOf('temp')
    const { refused } = await send('group,tag,min,max\nline,temp,1,99,5', true)
    expect(refused).toEqual([{ line: 2, reason: 'line', column: '' }])
  })

  test('with a line that is wrong changes nothing at all, and each such line is named', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '20', flow: '1' })
    await here.tagOf('flow')
    const csv = [
      'tag,group,name,scale,min,enum,writable',
      'temp,line,Oven,1,,,',
      'gone,line,x,,,,',
      'temp,line,y,,,,',
      'flow,line,Flow,many,,,',
    ].join('\n')
    expect(await send(csv, true)).toMatchObject({
      applied: false,
      changes: 1,
      faults: 3,
      refused: [
        { line: 3, reason: 'tagUnknown', column: 'tag' },
        { line: 4, reason: 'tagTwice', column: 'tag' },
        { line: 5, reason: 'line', column: 'scale' },
      ],
    })
    expect((await here.tagOf('temp')).settings).toBeUndefined()
    const wrong = await send('tag,group,min,max,enum,writable\ntemp,line,5,1,,\nflow,line,,,true=an,', true)
    expect(wrong.refused).toEqual([
      { line: 2, reason: 'TAG_LIMITS_ORDER', column: 'min' },
      { line: 3, reason: 'TAG_VALUES_TYPE', column: 'enum' },
    ])
  })

  test('that is unreadable, or too long, is refused as a whole', async () => {
    const { machineId } = here.machine
    const why = async (csv: string) =>
      await here.site.refusalOf(here.owner, contract.importTags, { machineId, csv })
    expect(await why('name,unit\na,b')).toBe('TAG_FILE_UNREADABLE')
    expect(await why(`tag\n${'a\n'.repeat(20_001)}`)).toBe('TAG_FILE_TOO_LONG')
    expect(await why('')).toBe('TAG_FILE_UNREADABLE')
    expect(await why('tag,name\na,"b')).toBe('TABLE_UNREADABLE')
  })

  test('was read while it held the row of its machine', async () => {
    const hmi = await here.openHmi()
    await say(hmi, { temp: '20' })
    await here.tagOf('temp')
    const { machineId } = here.machine
    await withTransaction(here.site.db, async (trx) => {
      await trx.selectFrom('machines').select('id').where('id', '=', machineId).forUpdate().execute()
      expect(await send('group,tag,name\nline,temp,Oven\n')).toMatchObject({ applied: false, changes: 1 })
      const commas = { machineId, csv: `tag\n${','.repeat(1_000)}`, apply: true }
      expect(await here.site.refusalOf(here.owner, contract.importTags, commas)).toBe('TAG_FILE_TOO_LONG')
    })
  })
})
