import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfigText } from '../config/config-text.ts'
import { checkConfig } from '../config/parse-config.ts'
import { namedDrivers } from '../config/parse-connections.ts'
import { kindNames, loadKinds } from './kinds.ts'
import { decodeRegisters, wordOrders } from './modbus-tcp/registers.ts'

const page = await readFile(join(import.meta.dirname, '../../../docs/drivers.md'), 'utf8')
const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = '']) => yaml)

/** Reads an example with the files of its drivers; nothing is connected to. */
async function load(yaml: string) {
  const text = readConfigText(`cloud: { url: "mqtt://h", code: "1000000000000000001", secret: s }\n${yaml}`)
  const kinds = await loadKinds(namedDrivers(text))
  return { config: checkConfig(text, kinds) }
}

test.each(examples)('an example of docs/drivers.md is a valid configuration: %#', async (yaml) => {
  const { config } = await load(yaml)
  expect(config.connections.length).toBeGreaterThan(0)
  for (const { tags } of config.connections) expect(tags.length).toBeGreaterThan(0)
})

test('docs/drivers.md has an example of each kind of driver', async () => {
  const named = (await Promise.all(examples.map(load))).flatMap(({ config }) =>
    config.connections.map(({ driver }) => driver),
  )
  expect(new Set([...named, 'simulated'])).toEqual(new Set(kindNames))
  for (const kind of kindNames) expect(page).toMatch(new RegExp(`^\\| \`${kind}\` +\\|`, 'm'))
})

test('the table of word orders is right', () => {
  const rows = [...page.matchAll(/^\| `([A-D]{4})` +\| (\w{4}) (\w{4}) +\|/gm)]
  expect(rows.map(([, order]) => order)).toEqual([...wordOrders])
  for (const [, order, ...registers] of rows) {
    const wordOrder = wordOrders.find((word) => word === order) ?? 'ABCD'
    const words = registers.map((register) => Number.parseInt(register, 16))
    expect(decodeRegisters(words, 0, { type: 'float32', wordOrder, bit: null, stringBytes: 0 })).toBe(123_456)
  }
})
