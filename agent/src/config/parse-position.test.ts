import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ConfigError } from './config-text.ts'
import { parseConfig } from './parse-config.ts'

const parse = (lines: string) =>
  parseConfig(`cloud: { url: "mqtt://h", code: "1000000000000000001", secret: s }
connections: []
${lines}
`).position

function problem(line: string): string {
  try {
    parse(`position:\n  - ${line}`)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

test('the example of docs/rules/agents.md has every kind of source', async () => {
  const page = await readFile(new URL('../../../docs/rules/agents.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```yaml\n(position:.*?)^```$/ms.exec(page) ?? []
  expect(parse(example)).toEqual([
    { kind: 'serial', path: '/dev/ttyUSB1', baudRate: 4_800 },
    { kind: 'tcp', host: '192.168.0.30', port: 10_110 },
    { kind: 'gpsd', host: '127.0.0.1', port: 2_947 },
    { kind: 'modem', modem: 'any' },
    { kind: 'file', path: '/run/position.json' },
  ])
})

test('without sources there is no position, and a serial port has a usual rate', () => {
  expect(parse('')).toEqual([])
  expect(parse('position:\n  - serial: /dev/ttyACM0')).toEqual([
    { kind: 'serial', path: '/dev/ttyACM0', baudRate: 9_600 },
  ])
  expect(parse('position: [{ gpsd: "[::1]:2947" }, { modem: 0 }]')).toEqual([
    { kind: 'gpsd', host: '::1', port: 2_947 },
    { kind: 'modem', modem: '0' },
  ])
})

test.each([
  ['{}', 'position[0] has to be one of serial, tcp, gpsd, modem, file'],
  ['{ usb: /dev/ttyUSB0 }', 'position[0].usb is not known here'],
  ['{ gpsd: "h:1", file: /run/p }', 'position[0].file and gpsd are both there; each is a source of its own'],
  ['{ serial: COM3 }', 'position[0].serial has to be a path, as in /dev/ttyUSB1'],
  ['{ serial: /dev/ttyS0, baudRate: 1 }', 'position[0].baudRate is 1; possible are 1200'],
  ['{ file: position.json }', 'position[0].file has to be a path, as in /run/position.json'],
  ['{ file: /run/p, baudRate: 9600 }', 'position[0].baudRate is not known here'],
  ['{ tcp: receiver }', 'position[0].tcp is "receiver", which does not look like host:port'],
  ['{ gpsd: "h:0" }', 'position[0].gpsd is "h:0", which does not look like host:port'],
  ['{ modem: "--help" }', 'position[0].modem has to be any, or the number of a modem'],
])('%s is refused with its field', (line, message) => {
  expect(problem(line)).toContain(message)
})
