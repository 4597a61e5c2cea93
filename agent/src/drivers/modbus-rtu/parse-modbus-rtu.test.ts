import { expect, test } from 'vitest'
import { readConfigText } from '../../config/config-text.ts'
import { checkConfig } from '../../config/parse-config.ts'
import kind from './driver-file.ts'

function parse(fields: string) {
  const text = `cloud: { url: "mqtt://h", code: 0000000000000000001, secret: s }
connections:
  - { driver: modbus-rtu, tags: [{ name: a, address: "input:3", type: float32 }], ${fields} }
`
  return checkConfig(readConfigText(text), new Map([[kind.kind, kind]])).connections[0]
}

test('a line is a serial port with its settings, or a gateway', () => {
  expect(parse('serialPort: /dev/ttyS1, wordOrder: CDAB, unit: 12')).toMatchObject({
    line: { serialPort: '/dev/ttyS1', baudRate: 9_600, parity: 'none', stopBits: 1 },
    unit: 12,
    tags: [{ name: 'a', wordOrder: 'CDAB' }],
  })
  expect(parse('serialPort: /dev/ttyS1, baudRate: 19200, parity: even, stopBits: 2')).toMatchObject({
    line: { baudRate: 19_200, parity: 'even', stopBits: 2 },
  })
  expect(parse('host: gateway, port: 4001')).toMatchObject({ line: { host: 'gateway', port: 4_001 } })
})

test.each([
  ['', 'connections[0].serialPort is missing; write it, or the host of a gateway'],
  ['serialPort: /dev/ttyS1, host: h', 'connections[0].host and serialPort are both there'],
  ['serialPort: ttyS1', 'connections[0].serialPort has to be a path, as in /dev/ttyS0'],
  ['serialPort: /dev/ttyS1, baudRate: 9601', 'connections[0].baudRate is 9601; possible are 1200, '],
  ['serialPort: /dev/ttyS1, parity: mark', 'connections[0].parity is "mark"; possible are none, even, odd'],
  ['host: h, unit: 0', 'connections[0].unit has to be a whole number from 1 to 247, not 0'],
  ['host: h, baudRate: 9600', 'connections[0].baudRate is not known here'],
])('%s', (fields, message) => {
  expect(() => parse(fields)).toThrow(message)
})
