import type { Namespace } from 'node-opcua-address-space'
import { StatusCodes } from 'node-opcua-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { buildOpcUaTag, createTestFolder, openTestDriver } from '../../testing/opcua-client.ts'
import type { TestOpcUaServer } from '../../testing/opcua-server.ts'
import { startOpcUaServer } from '../../testing/opcua-server.ts'

let server: TestOpcUaServer
beforeAll(async () => {
  server = await startOpcUaServer({
    variables: {
      Bool: ['Boolean', true],
      SByte: ['SByte', -128],
      Byte: ['Byte', 200],
      Int16: ['Int16', -32_768],
      UInt16: ['UInt16', 65_535],
      Int32: ['Int32', -2_147_483_648],
      UInt32: ['UInt32', 4_294_967_295],
      Int64: ['Int64', [0x8000_0000, 1]],
      UInt64: ['UInt64', [0xffff_ffff, 0xffff_fffe]],
      Float: ['Float', 0.5],
      Double: ['Double', 21.1],
      String: ['String', '配方 7'],
      LocalizedText: ['LocalizedText', { text: 'Auto', locale: 'en' }],
      DateTime: ['DateTime', new Date(1_760_000_000_000)],
    },
  })
})
afterAll(() => server.close())

const names = [
  ['Bool', 'bool', true],
  ['SByte', 'int16', -128],
  ['Byte', 'uint16', 200],
  ['Int16', 'int16', -32_768],
  ['UInt16', 'uint16', 65_535],
  ['Int32', 'int32', -2_147_483_648],
  ['UInt32', 'uint32', 4_294_967_295],
  ['Int64', 'int64', -(2n ** 63n) + 1n],
  ['UInt64', 'uint64', 2n ** 64n - 2n],
  ['Float', 'float32', 0.5],
  ['Double', 'float64', 21.1],
  ['String', 'string', '配方 7'],
  ['LocalizedText', 'string', 'Auto'],
  ['DateTime', 'string', '2025-10-09T08:53:20.000Z'],
] as const

test('every scalar type arrives as the server has it, 64 bits exactly, and the types are reported once', async () => {
  const tags = names.map(([name]) => buildOpcUaTag(name))
  const { driver, changes } = await openTestDriver({ url: server.url, tags })
  const readings = await driver.poll()
  expect(readings.map(({ value }) => value)).toEqual(names.map(([, , value]) => value))
  expect(readings.every(({ quality }) => quality === 192)).toBe(true)
  expect(tags.map(({ type }) => type)).toEqual(names.map(([, type]) => type))
  expect(changes()).toBeGreaterThan(0)
})

test('a change arrives without a poll, with the time of its source', async () => {
  const { driver, until } = await openTestDriver({ url: server.url, tags: [buildOpcUaTag('Double')] })
  await driver.poll()
  const at = new Date(Date.now() - 1_234)
  server.set('Double', 33.25, StatusCodes.Good, at)
  expect(await until(({ value }) => value === 33.25)).toEqual({
    index: 0,
    value: 33.25,
    quality: 192,
    at: at.getTime(),
  })
  // A current value is read now, so it carries no time.
  expect(await driver.poll()).toEqual([{ index: 0, value: 33.25, quality: 192 }])
  server.set('Double', 21.1)
})

test('status codes become qualities: uncertain keeps its value, bad has a reason instead', async () => {
  const { driver, until, untilLog } = await openTestDriver({
    url: server.url,
    tags: [buildOpcUaTag('Float')],
  })
  await driver.poll()
  server.set('Float', 1.5, StatusCodes.UncertainLastUsableValue)
  expect(await until(({ quality }) => quality === 64)).toMatchObject({ value: 1.5 })
  server.set('Float', 1.5, StatusCodes.BadSensorFailure)
  expect(await until(({ quality }) => quality === 0)).toMatchObject({ value: null })
  expect((await untilLog('opcua.nodeRefused')).reason).toBe('the sensor has failed (BadSensorFailure)')
  server.set('Float', 0.5)
})

test('a source whose clock is hours off tells values of now that are uncertain; a value that has stood for hours is good', async () => {
  server.set('Int32', 5, StatusCodes.Good, new Date(Date.now() - 3 * 3_600_000))
  const { driver, told, until } = await openTestDriver({ url: server.url, tags: [buildOpcUaTag('Int32')] })
  expect(await driver.poll()).toEqual([{ index: 0, value: 5, quality: 192 }])
  expect(told[0]).toEqual({ index: 0, value: 5, quality: 192 })
  server.set('Int32', 6, StatusCodes.Good, new Date(Date.now() + 2 * 3_600_000))
  expect(await until(({ value }) => value === 6)).toEqual({ index: 0, value: 6, quality: 64 })
})

test('a wrong server clock is reported and makes values uncertain; times: agent ignores the clock', async () => {
  const clock = { ...systemClock, now: () => Date.now() - 3_600_000 }
  const tags = [buildOpcUaTag('Double')]
  const wrong = await openTestDriver({ url: server.url, tags }, { clock })
  expect(await wrong.driver.poll()).toMatchObject([{ value: 21.1, quality: 64 }])
  expect(Number((await wrong.untilLog('opcua.clockOff')).offsetMs)).toBeGreaterThan(3_590_000)
  const own = await openTestDriver({ url: server.url, tags, times: 'agent' }, { clock })
  expect(await own.driver.poll()).toEqual([{ index: 0, value: 21.1, quality: 192 }])
})

test('an array, a structure and a number that does not fit are refused in words, beside tags that work', async () => {
  server.add('Array', 'Double', [1, 2], {
    valueRank: 1,
    arrayDimensions: [2],
  })
  server.add('Bytes', 'ByteString', Buffer.from('x'))
  const tags = [
    buildOpcUaTag('Array'),
    buildOpcUaTag('Bytes'),
    buildOpcUaTag('UInt32', { type: 'int16' }),
    buildOpcUaTag('String', { factor: 2 }),
    buildOpcUaTag('Bool'),
  ]
  const { driver, lines } = await openTestDriver({ url: server.url, tags })
  const readings = await driver.poll()
  expect(readings.map(({ value, quality }) => [value, quality])).toEqual([
    [null, 0],
    [null, 0],
    [null, 0],
    [null, 0],
    [true, 192],
  ])
  const reasons = lines.filter(({ event }) => event === 'opcua.nodeRefused')
  expect(Object.fromEntries(reasons.map(({ tag, reason }) => [tag, reason]))).toEqual({
    Array: 'the node holds an array; a tag takes a single value',
    Bytes: 'the node is of type ByteString, which no tag can have',
    UInt32: 'the node’s value (UInt32) does not fit into int16',
    String: 'factor and offset do not apply to a node of type String',
  })
})

test('a write takes the node’s type and is read back, and a refusal is explained', async () => {
  server.add('Locked', 'Double', 4, { accessLevel: 'CurrentRead', userAccessLevel: 'CurrentRead' })
  const tags = [
    buildOpcUaTag('Int64', { readOnly: false }),
    buildOpcUaTag('Byte', { readOnly: false }),
    buildOpcUaTag('Int16', { readOnly: false, factor: 0.1 }),
    buildOpcUaTag('LocalizedText', { readOnly: false }),
    buildOpcUaTag('Locked', { readOnly: false }),
  ]
  const { driver } = await openTestDriver({ url: server.url, tags })
  await driver.poll()
  const wide = -(2n ** 62n) - 3n
  await driver.write(0, wide)
  expect((await driver.read(0)).value).toBe(wide)
  await driver.write(1, 255)
  expect((await driver.read(1)).value).toBe(255)
  await expect(driver.write(1, 300)).rejects.toThrow('the value does not fit into the node’s type (Byte)')
  await driver.write(2, 21.5)
  expect(server.get('Int16')).toBe(215)
  await driver.write(3, '手动')
  expect((await driver.read(3)).value).toBe('手动')
  await expect(driver.write(4, 5)).rejects.toThrow(/BadNotWritable|BadUserAccessDenied/)
})

test('a write of one value never replaces an array, a structure or a type that no tag can have: it is refused in the words of reading', async () => {
  const anyRank = { valueRank: -2 }
  const kept = { Rank: [1.5, 2.5, 3.5], Any: [4.5, 5.5], Bytes2: Buffer.from('xy') }
  server.add('Rank', 'Double', kept.Rank, { valueRank: 1, arrayDimensions: [3] })
  server.add('Any', 'Double', kept.Any, anyRank)
  server.add('Bytes2', 'ByteString', kept.Bytes2)
  server.add('Words', 'String', 'x')
  const array = 'the node holds an array; a tag takes a single value'
  const reasons = {
    Rank: array,
    Any: array,
    Bytes2: 'the node is of type ByteString, which no tag can have',
    Words: 'factor and offset do not apply to a node of type String',
  }
  const tags = Object.keys(reasons).map((name) =>
    buildOpcUaTag(name, { readOnly: false, ...(name === 'Words' ? { factor: 2 } : {}) }),
  )
  const { driver, lines } = await openTestDriver({ url: server.url, tags })
  await driver.poll()
  for (const [index, reason] of Object.values(reasons).entries())
    await expect(driver.write(index, 1)).rejects.toThrow(reason)
  const told = lines.filter(({ event }) => event === 'opcua.nodeRefused')
  expect(Object.fromEntries(told.map(({ tag, reason }) => [tag, reason]))).toEqual(reasons)
  for (const [name, value] of Object.entries(kept))
    expect([...(server.get(name) as number[])]).toEqual([...value])
  expect(server.get('Words')).toBe('x')
})

test('a node without a value is written where its server says that it is single, and nowhere else', async () => {
  const empty = (name: string, valueRank: number) => {
    server.add(name, 'Double', 0, { valueRank, ...(valueRank > 0 ? { arrayDimensions: [0] } : {}) })
    server.empty(name)
    return buildOpcUaTag(name, { readOnly: false })
  }
  const tags = [empty('EmptyOne', -1), empty('EmptyArray', 1), empty('EmptyAny', -2)]
  const { driver } = await openTestDriver({ url: server.url, tags })
  await driver.poll()
  await driver.write(0, 21.5)
  expect(server.get('EmptyOne')).toBe(21.5)
  await expect(driver.write(1, 1)).rejects.toThrow('the node holds an array')
  await expect(driver.write(2, 1)).rejects.toThrow('does not say whether it holds an array')
})

test('a text whose node takes another form is refused with an example, and a number does not become a text', async () => {
  server.add('Id', 'Guid', '72962B91-FA75-4AE6-8D28-B404DC7DAF63')
  server.add('State', 'StatusCode', StatusCodes.Good)
  const tags = ['Id', 'DateTime', 'String', 'State'].map((name) => buildOpcUaTag(name, { readOnly: false }))
  const { driver } = await openTestDriver({ url: server.url, tags })
  await driver.poll()
  await expect(driver.write(0, '72962B91')).rejects.toThrow('a Guid is written like 72962b91-')
  for (const text of ['5', '11/23/2026', '2026-11-23T13:20:05Z'])
    await expect(driver.write(1, text)).rejects.toThrow('a DateTime is written like 2026-11-23T13:20:05.000Z')
  await expect(driver.write(2, 5)).rejects.toThrow('the value does not fit into the node’s type (String)')
  await driver.write(1, '2026-11-23T13:20:05.000Z')
  expect((await driver.read(1)).value).toBe('2026-11-23T13:20:05.000Z')
  await driver.write(3, StatusCodes.BadOutOfService.value)
  expect((await driver.read(3)).value).toBe(StatusCodes.BadOutOfService.value)
})

test('NaN and infinity are bad, with words for a person', async () => {
  server.add('Ratio', 'Double', Number.NaN)
  const { driver, until, untilLog, lines } = await openTestDriver({
    url: server.url,
    tags: [buildOpcUaTag('Ratio')],
  })
  expect(await driver.poll()).toEqual([{ index: 0, value: null, quality: 0 }])
  expect((await untilLog('opcua.nodeRefused')).reason).toBe('the node’s value is no number (NaN)')
  server.set('Ratio', Number.POSITIVE_INFINITY)
  await until(() => lines.some(({ reason }) => reason === 'the node’s value is no number (Infinity)'))
})

test('unit, range and enumeration texts come from the node if the configuration has none', async () => {
  const { addressSpace } = server.server.engine
  const namespace = addressSpace?.getNamespace('urn:busbar:test:plant') as Namespace | undefined
  const plant = addressSpace?.findNode(`ns=${namespace?.index};s=Plant`)
  namespace?.addAnalogDataItem({
    componentOf: plant as never,
    browseName: 'Pressure',
    nodeId: 's=Pressure',
    dataType: 'Double',
    engineeringUnitsRange: { low: 0, high: 16 },
    engineeringUnits: {
      displayName: { text: 'bar' },
      unitId: 4_342_098,
      namespaceUri: 'urn:x',
      description: '',
    },
    value: { dataType: 'Double', value: 3 },
  } as never)
  const mode = namespace?.addEnumerationType({ browseName: 'Mode', enumeration: ['Off', 'Auto', 'Hand'] })
  server.add('Mode', 'Int32', 1, { dataType: mode?.nodeId })
  const tags = [
    buildOpcUaTag('Pressure', { factor: 100 }),
    buildOpcUaTag('Pressure', { name: 'own', unit: 'kPa', max: 5 }),
    buildOpcUaTag('Mode'),
  ]
  const stateFolder = await createTestFolder()
  const first = await openTestDriver({ url: server.url, tags }, { stateFolder })
  await first.driver.poll()
  expect(tags[0]).toMatchObject({ unit: 'bar', min: 0, max: 1_600 })
  expect(tags[1]).toMatchObject({ unit: 'kPa', max: 5 })
  expect(tags[1]).not.toHaveProperty('min')
  expect(tags[2]).toMatchObject({ type: 'int32', words: { 0: 'Off', 1: 'Auto', 2: 'Hand' } })
  expect(first.changes()).toBeGreaterThan(0)

  // After a restart they are known, although the server is away.
  const again = [buildOpcUaTag('Pressure', { factor: 100 }), buildOpcUaTag('Mode')]
  await openTestDriver({ url: 'opc.tcp://127.0.0.1:1', tags: again }, { stateFolder })
  expect(again).toMatchObject([
    { unit: 'bar', max: 1_600 },
    { type: 'int32', words: { 2: 'Hand' } },
  ])
})
