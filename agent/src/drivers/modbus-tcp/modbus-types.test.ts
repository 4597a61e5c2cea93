import { Quality } from '@busbar/link'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { readConfigText } from '../../config/config-text.ts'
import { checkConfig } from '../../config/parse-config.ts'
import type { Pymodbus } from '../../testing/plc/pymodbus.ts'
import { startPymodbus } from '../../testing/plc/pymodbus.ts'
import rtuKind from '../modbus-rtu/driver-file.ts'
import { modbusTcpKind } from './modbus-kind.ts'

let server: Pymodbus
beforeAll(async () => {
  server = await startPymodbus()
})
afterAll(() => server.stop())

const kinds = [
  ['modbus-tcp', () => server.tcpPort],
  ['modbus-rtu', () => server.rtuPort],
] as const

describe.each(kinds)('%s with pymodbus', (kind, port) => {
  /** A driver with these fields of tags, as the agent's file has them. */
  function open(tags: readonly Record<string, unknown>[], connection: Record<string, unknown> = {}) {
    const lines: string[] = []
    const own = tags.map((fields, index) => ({ name: `tag ${index}`, readOnly: false, ...fields }))
    const connections = [
      { driver: kind, name: kind, host: '127.0.0.1', port: port(), ...connection, tags: own },
    ]
    const cloud = { url: 'mqtt://h', code: '0000000000000000001', secret: 's' }
    const found = kind === 'modbus-tcp' ? modbusTcpKind : rtuKind
    const config = checkConfig(
      readConfigText(JSON.stringify({ cloud, connections })),
      new Map([[kind, found as typeof modbusTcpKind]]),
    )
    const driver = (found as typeof modbusTcpKind).open(config.connections[0] as never, {
      clock: systemClock,
      log: (_level, _event, about) => void lines.push(String(about?.reason)),
      random: () => 0.5,
      configFolder: '.',
      stateFolder: '.',
    })
    onTestFinished(() => driver.close())
    return { driver, lines, values: async () => (await driver.poll()).map(({ value }) => value) }
  }

  test('a text in GBK registers is what the panel shows, and Chinese is written as GBK', async () => {
    const registers = [0xd7a2, 0xcbdc, 0xbbfa, 0x33ba, 0xc500, 0]
    await server.set('holding', 100, registers)
    const { driver, values } = open([{ address: 'holding:100', type: 'string:12' }], { textEncoding: 'gbk' })
    expect(await values()).toEqual(['注塑机3号'])
    await driver.write(0, '温度')
    expect(await server.poll('holding', 100, 3)).toEqual([0xcec2, 0xb6c8, 0])
    await expect(driver.write(0, 'Öl')).rejects.toThrow('the text encoding GBK does not have “Ö”')
  })

  test('a text that is not UTF-8 where nobody named its encoding is uncertain, and not good', async () => {
    await server.set('holding', 120, [0xd7a2, 0xcbdc, 0x4f6b, 0])
    const { driver } = open([
      { address: 'holding:120', type: 'string:4' },
      { address: 'holding:122', type: 'string:4' },
    ])
    expect(await driver.poll()).toEqual([
      { index: 0, value: '×¢ËÜ', quality: Quality.uncertain },
      { index: 1, value: 'Ok', quality: Quality.good },
    ])
  })

  test('BCD digits are read and written; digits above 9 and NaN are bad, with the reason', async () => {
    await server.set('holding', 140, [0x1234, 0x5678, 0x1234, 0x12a4, 0x7fc0, 0])
    const { driver, lines, values } = open([
      { address: 'holding:140', type: 'bcd16' },
      { address: 'holding:141', type: 'bcd32', wordOrder: 'CDAB' },
      { address: 'holding:143', type: 'bcd16' },
      { address: 'holding:144', type: 'float32' },
    ])
    expect(await values()).toEqual([1_234, 12_345_678, null, null])
    expect(lines).toEqual(['no valid bcd16 stands there', 'no valid float32 stands there'])
    await driver.write(0, 9_876)
    await driver.write(1, 45_678)
    expect(await server.poll('holding', 140, 3)).toEqual([0x9876, 0x5678, 0x0004])
    await expect(driver.write(0, 10_000)).rejects.toThrow('the value does not fit bcd16')
  })

  test('a value with its factor in another register is multiplied by it, and written without it', async () => {
    await server.set('holding', 160, [2_345, 0xfffe, 7, 2_345, 3, 0x8000])
    const { driver, lines, values } = open([
      { address: 'holding:160', type: 'int16', factorAddress: 'holding:161' },
      { address: 'holding:163', factorAddress: 'holding:162', factorForm: 'multiplier' },
      { address: 'holding:163', factorAddress: 'holding:164', factorForm: 'decimals', factor: 10 },
      { address: 'holding:163', factorAddress: 'holding:165' },
    ])
    expect(await values()).toEqual([23.45, 16_415, 23.45, null])
    expect(lines).toEqual(['the register of the factor holds 32768, which is none'])
    await driver.write(0, -12.5)
    expect(await server.poll('holding', 160, 2)).toEqual([0x10000 - 1_250, 0xfffe])
    expect((await driver.read(0)).value).toBe(-12.5)
    for (const value of [12.345, 400]) await expect(driver.write(0, value)).rejects.toThrow('factor of 0.01')
    await expect(driver.write(3, 1)).rejects.toThrow('holds 32768')
    await server.set('holding', 161, [0])
    expect((await values())[0]).toBe(-1_250)
  })
})
