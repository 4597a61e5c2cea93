import { type ModbusDevice, startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { ApiError, telemetry } from '@busbar/contract'
import { rawValue, SparkplugDatatype } from '@busbar/link'
import { failureOf, startTestAgent } from '@busbar/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  inNamedGroup,
  writableMetric as metric,
  useWriteSite,
} from '../../../test-support/writes/write-site.ts'

const { int16, int32, int64, double, float, boolean, string } = SparkplugDatatype

const here = useWriteSite()

describe('through our agent', () => {
  let device: ModbusDevice

  beforeEach(async () => {
    device = await startModbusDevice()
    here.cleanups.push(() => device.close())
    for (const [address, register] of [
      [10, 215],
      [20, 0x41a0],
      [21, 0],
      [30, 0],
      [31, 0],
      [32, 0],
      [33, 1],
    ] as const) {
      device.memory.holding.set(address, register)
    }
    device.memory.coil.set(0, 0)
    device.memory.discrete.set(3, 0)
    const agent = await startTestAgent({
      mqttUrl: here.site.mqttUrl,
      machine: here.machine,
      modbusPort: device.port,
      tagsYaml: [
        '- { name: temp_sp, group: Hold, address: "holding:10", type: int16, factor: 0.1, scale: 1, min: 5, max: 90, deadband: 50, readOnly: false }',
        '- { name: flow_sp, address: "holding:20", type: float32, readOnly: false }',
        '- { name: batch, address: "holding:30", type: int64, readOnly: false }',
        '- { name: pump, address: "coil:0", readOnly: false }',
        '- { name: temp, address: "holding:10", type: int16, factor: 0.1 }',
        '- { name: low, address: "discrete:3", alarm: { id: LOW, level: critical, text: { cn: 温度低, en: Too cold } } }',
      ],
    })
    here.cleanups.push(() => agent.stop())
    await here.latestIs('temp_sp', 21.5)
  })

  test('a set-point reaches the register and its read-back confirms it, within the deadband too', async () => {
    const commandId = await here.write('temp_sp', 22.5)
    expect(await here.resultOf(commandId)).toMatchObject({
      machineId: String(here.machine.machineId),
      state: 'confirmed',
      kept: { value: { case: 'numberValue', value: 22.5 } },
    })
    expect(device.memory.holding.get(10)).toBe(225)
    await here.write('pump', true).then((id) => here.resultOf(id))
    expect(device.memory.coil.get(0)).toBe(1)
    await here.write('flow_sp', 21.3).then((id) => here.resultOf(id))
    expect(await here.log()).toMatchObject([
      { tag: 'flow_sp', from: 20, to: 21.3, state: 'confirmed', kept: 21.3 },
      { tag: 'pump', from: false, to: true, state: 'confirmed' },
      { id: commandId, tag: 'temp_sp', from: 21.5, to: 22.5, kept: 22.5, user: 'Ming Li', sessionId: null },
    ])
  })

  test('a refused value fails with the controller’s text, and another kept value with that value', async () => {
    device.writeExceptionCode = 3
    const refused = await here.write('temp_sp', 30)
    expect(await here.resultOf(refused)).toMatchObject({
      state: 'failed',
      reason: 'illegal data value (Modbus exception 3)',
      kept: { value: { case: 'numberValue', value: 21.5 } },
    })
    device.writeExceptionCode = null
    device.keep = () => 400
    const kept = await here.write('temp_sp', 60)
    expect(await here.resultOf(kept)).toMatchObject({
      state: 'failed',
      reason: '',
      kept: { value: { case: 'numberValue', value: 40 } },
    })
    expect(await here.log()).toMatchObject([
      { id: kept, state: 'failed', kept: 40 },
      { id: refused, state: 'failed', reason: 'illegal data value (Modbus exception 3)' },
    ])
  })

  test('an integer beyond 2^53 reaches the registers with its last digit', async () => {
    const commandId = await here.write('batch', '9007199254740993')
    expect((await here.resultOf(commandId)).state).toBe('confirmed')
    expect([30, 31, 32, 33].map((register) => device.memory.holding.get(register))).toEqual([0x20, 0, 0, 1])
    expect((await here.log())[0]).toMatchObject({ to: '9007199254740993', kept: '9007199254740993' })
  })

  test('two writes to one tag at once end each in its own way', async () => {
    const { tagId } = await here.tagOf('temp_sp')
    const call = (value: number) =>
      here.site.as(here.owner).call(telemetry.writeTag, { machineId: here.machine.machineId, tagId, value })
    device.keep = (_address, register) => Math.min(register, 400)
    const [one, other] = await Promise.all([call(35), call(60)])
    expect((await here.resultOf(one.commandId)).state).toBe('confirmed')
    expect(await here.resultOf(other.commandId)).toMatchObject({ state: 'failed' })
  })

  test('a page that was away gets the result when it comes back', async () => {
    const before = await here.resultOf(await here.write('pump', true))
    const id = here.page.events.find((event) => event.scene === 'writeResult')?.id ?? ''
    expect(before.state).toBe('confirmed')
    here.page.close()
    const commandId = await here.write('pump', false)
    await here.until(
      async () => ((await here.log())[0]?.state === 'confirmed' ? true : undefined),
      'confirmation',
    )
    const later = await here.openPage(here.owner)
    later.resume(id)
    expect((await here.resultOf(commandId, later)).state).toBe('confirmed')
  })

  test('only the writer can query the result of a write', async () => {
    const { machineId } = here.machine
    const commandId = await here.write('pump', true)
    await here.resultOf(commandId)
    const key = await here.site.createHolder(machineId, { role: 'bkey' })
    const other = await here.site.createMachine({ owner: here.owner.userId })
    const asks: [user: typeof key, machineId: number][] = [
      [key, machineId],
      [here.owner, other.machineId],
    ]
    for (const [user, asked] of asks) {
      const request = { machineId: asked, commandId }
      expect(await here.site.refusalOf(user, telemetry.getWrite, request)).toBe('404')
    }
    const { tagId } = await here.tagOf('pump')
    expect(await here.site.as(here.owner).call(telemetry.getWrite, { machineId, commandId })).toEqual({
      commandId,
      tagId,
      state: 'confirmed',
      kept: true,
      reason: '',
    })
  })

  test('its alarms are alarms on the platform, raised once and cleared', async () => {
    const alarms = () =>
      here.site.db
        .selectFrom('alarms')
        .select(['key', 'level', 'text', 'count', 'cleared_at'])
        .where('machine_id', '=', here.machine.machineId)
        .execute()
    expect(await alarms()).toEqual([])
    device.memory.discrete.set(3, 1)
    const raised = await here.until(async () => (await alarms())[0], 'alarm')
    expect(raised).toMatchObject({
      key: 'LOW',
      level: 'critical',
      text: { cn: '温度低', en: 'Too cold' },
      count: 1,
      cleared_at: null,
    })
    device.memory.discrete.set(3, 0)
    await here.until(async () => (await alarms())[0]?.cleared_at ?? undefined, 'end of the alarm')
  })
})

describe('rights to write', () => {
  async function bornNode() {
    const node = await here.openNode()
    const limits = {
      ...metric('sp', double, 1),
      properties: {
        ...metric('sp', double, 1).properties,
        scale: { type: int32, raw: rawValue(1, int32) },
        min: { type: double, raw: rawValue(0, double) },
        max: { type: double, raw: rawValue(10, double) },
      },
    }
    await node.publish('NBIRTH', [
      limits,
      metric('count', int16, 1),
      metric('batch', int64, 1n),
      metric('flow', float, 1),
      metric('on', boolean, false),
      metric('text', string, ''),
      { ...metric('fixed', double, 1), properties: {} },
    ])
    await here.tagOf('fixed')
    return node
  }

  test('while one person writes another cannot, and nothing of the other’s is kept', async () => {
    await bornNode()
    const visitor = await here.site.createHolder(
      here.machine.machineId,
      { role: 'visitor' },
      { name: 'Other' },
    )
    await here.write('sp', 5, visitor)
    await expect(here.write('sp', 6)).rejects.toMatchObject({ code: 'CONTROL_TAKEN' })
    expect(await here.log()).toMatchObject([{ to: 5, user: 'Other' }])
    here.aheadMs += 60_000
    await here.write('sp', 6)
  })

  test('a set-point whose group has a name for people is written by readers of either language', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [inNamedGroup(metric('Hold/sp', double, 1))])
    const { tagId, group } = await here.tagOf('sp')
    expect(group).toBe('Holding')
    const { machineId } = here.machine
    for (const [lang, value] of [
      ['cn', 2],
      ['en', 3],
    ] as const) {
      const client = here.site.as(here.owner, lang)
      const { commandId } = await client.call(telemetry.writeTag, { machineId, tagId, value })
      expect((await node.command()).metrics).toMatchObject([{ name: 'Hold/sp' }])
      await node.publish('NDATA', [{ name: 'Hold/sp', datatype: double, raw: rawValue(value, double) }])
      expect(await here.resultOf(commandId)).toMatchObject({ state: 'confirmed' })
    }
  })

  test('a stranger, an ordinary user and a read-only visitor cannot write', async () => {
    const node = await bornNode()
    const stranger = await here.site.createUser()
    const reader = await here.site.createUser()
    await here.site.grantMachine(reader.userId, here.machine.machineId, {
      role: 'visitor',
      readOnly: true,
    })
    await expect(here.write('sp', 5, stranger)).rejects.toMatchObject({ code: '403' })
    await expect(here.write('sp', 5, reader)).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(await here.log()).toEqual([])
    expect(node.client.packets).toEqual([])
  })

  test('a tag of another machine is answered as missing, and a read-only one is not changed', async () => {
    await bornNode()
    const other = await here.site.createMachine({ owner: here.owner.userId })
    const { tagId } = await here.tagOf('sp')
    const foreign = await failureOf(here.site.as(here.owner), telemetry.writeTag, {
      machineId: other.machineId,
      tagId,
      value: 1,
    })
    expect(foreign.code).toBe('404')
    await expect(here.write('fixed', 5)).rejects.toMatchObject({ code: 'TAG_READ_ONLY' })
  })

  test.each([
    ['sp', true, 'VALUE_TYPE'],
    ['sp', '5', 'VALUE_TYPE'],
    ['count', 'ten', 'VALUE_TYPE'],
    ['on', 1, 'VALUE_TYPE'],
    ['text', '表'.repeat(342), 'VALUE_TYPE'],
    ['sp', 10.5, 'VALUE_RANGE'],
    ['count', 40_000, 'VALUE_RANGE'],
    ['count', '9223372036854775808', 'VALUE_RANGE'],
  ] as const)('%s cannot be %s', async (name, value, code) => {
    const node = await bornNode()
    await expect(here.write(name, value)).rejects.toMatchObject({ code })
    expect(node.client.packets).toEqual([])
  })

  test.each([
    ['sp', 2.25, 'sp has 1 decimal place; 2.25 has 2', '最多 1 位小数'],
    ['sp', 0.1 + 0.2, 'sp has 1 decimal place', '变量“sp”'],
    ['count', 1.5, 'count accepts only whole numbers; 1.5', '只能写入整数，1.5'],
    ['flow', 16_777_217, 'flow is a 32-bit float with about 7 digits; 16777217', '32 位浮点数'],
    ['flow', 21.300_000_01, 'flow is a 32-bit float', '21.30000001'],
    ['batch', 2 ** 53 + 2, 'batch accepts integers beyond 9007199254740991 only as a string', '字符串'],
  ] as const)(
    'a set-point is never rounded silently: %s = %s is refused by name',
    async (name, value, en, cn) => {
      const node = await bornNode()
      const { tagId } = await here.tagOf(name)
      for (const [lang, text] of [
        ['en', en],
        ['cn', cn],
      ] as const) {
        const error = await here.site
          .as(here.owner, lang)
          .call(telemetry.writeTag, { machineId: here.machine.machineId, tagId, value })
          .catch((failure: unknown) => failure)
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ code: 'VALUE_DIGITS', data: { tag: name, value: String(value) } })
        expect((error as ApiError).message).toContain(text)
      }
      expect(node.client.packets).toEqual([])
      expect(await here.log()).toEqual([])
    },
  )

  test('digits that the tag has are written as they are, zeros behind them or not', async () => {
    const node = await bornNode()
    const sent = async () => (await node.command()).metrics[0]?.raw
    await here.write('sp', 2.5)
    expect(await sent()).toEqual(rawValue(2.5, double))
    await here.write('flow', 21.3)
    expect(await sent()).toEqual({ kind: 'float', value: Math.fround(21.3) })
    await here.write('batch', '-9223372036854775808')
    expect(await sent()).toEqual(rawValue(-(2n ** 63n), int64))
  })

  test('the refusal includes the limits', async () => {
    await bornNode()
    const { tagId } = await here.tagOf('sp')
    const request = { machineId: here.machine.machineId, tagId, value: -1 }
    const failure = await failureOf(here.site.as(here.owner), telemetry.writeTag, request)
    expect(failure.data).toMatchObject({ tag: 'sp', value: '-1', min: 0, max: 10 })
    expect(failure.message).toBe('sp accepts 0 to 10; -1 is out of range and wasn’t written')
  })

  test('endless writing is stopped', async () => {
    await bornNode()
    const { tagId } = await here.tagOf('fixed')
    const request = { machineId: here.machine.machineId, tagId, value: 1 }
    for (let count = 0; count < 60; count++)
      await failureOf(here.site.as(here.owner), telemetry.writeTag, request)
    expect(await here.site.refusalOf(here.owner, telemetry.writeTag, request)).toBe('429')
  })
})
