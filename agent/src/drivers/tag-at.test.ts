import { expect, test } from 'vitest'
import { parseConfigWithDrivers } from '../config/parse-config.ts'

/** Two devices behind a gateway, and a controller. */
const file = `cloud: { url: "mqtt://h", code: 0000000000000000001, secret: s }
connections:
  - driver: modbus-tcp
    name: one
    host: 192.168.0.10
    unit: 1
    tags:
      - { name: temperature, address: "holding:12", type: float32 }
      - { name: order, address: "holding:20", type: "string:5" }
      - { name: lamp, address: "coil:5" }
      - { name: door, address: "holding:30.3" }
      - { name: fault, address: "holding:31.0" }
      - { name: warning, address: "holding:31.1" }
      - { name: measured, address: "input:12" }
  - driver: modbus-tcp
    name: two
    host: 192.168.0.10
    unit: 2
    tags: [{ name: pressure, address: "holding:12" }]
  - driver: s7
    name: three
    host: 192.168.0.11
    slot: 1
    tags:
      - { name: speed, address: "DB1,REAL8" }
      - { name: running, address: DB1.DBX0.3 }
      - { name: level, address: MW4 }
      - { name: text, address: "DB2,STRING0.10" }
      - { name: delay, address: T5 }
      - { name: low, address: DB1.DBW20 }
      - { name: high, address: DB1.DBW22 }
`

const { connections, kinds } = await parseConfigWithDrivers(file)

function tagAt(host: string, port: number, unit: number | null, place: string): string | null {
  for (const connection of connections) {
    const kind = kinds.get(connection.driver)
    if (kind === undefined || 'path' in kind) throw new Error('there is no driver')
    const tag = kind.tagAt?.(connection, { host, port, unit, place })
    if (tag) return tag.name
  }
  return null
}

test.each([
  [1, 'holding:11', null],
  [1, 'holding:12', 'temperature'],
  [1, 'holding:13', 'temperature'],
  [1, 'holding:14', null],
  [1, 'holding:22', 'order'],
  [1, 'holding:23', null],
  [1, 'coil:5', 'lamp'],
  [1, 'coil:6', null],
  [1, 'holding:5', null],
  [1, 'input:13', null],
  // The only bit of it that has a name; of two it may be either.
  [1, 'holding:30', 'door'],
  [1, 'holding:31', null],
  [2, 'holding:12', 'pressure'],
  [3, 'holding:12', null],
  [1, 'elsewhere', null],
])('Modbus: unit %i, %s: %s', (unit, place, name) => {
  expect(tagAt('192.168.0.10', 502, unit, place)).toBe(name)
  expect(tagAt('192.168.0.10', 503, unit, place)).toBe(null)
  expect(tagAt('192.168.0.11', 502, unit, place)).toBe(null)
})

test.each([
  ['DB1.DBD8', 'speed'],
  ['DB1.DBB8', 'speed'],
  ['DB1.DBW10', 'speed'],
  ['DB1.DBW12', null],
  ['DB2.DBD8', 'text'],
  ['DB3.DBD8', null],
  ['DB1.DBX0.3', 'running'],
  ['DB1.DBX0.4', null],
  ['DB1.DBB0', 'running'],
  ['MW4', 'level'],
  ['MB5', 'level'],
  ['DB2.DBB11', 'text'],
  ['DB2.DBB12', null],
  ['T5', 'delay'],
  ['C5', null],
  // It takes both.
  ['DB1.DBD20', null],
  ['DB1.DBW22', 'high'],
  ['PQW4', null],
])('S7: %s: %s', (place, name) => {
  expect(tagAt('192.168.0.11', 102, null, place)).toBe(name)
  expect(tagAt('192.168.0.10', 102, null, place)).toBe(null)
})
