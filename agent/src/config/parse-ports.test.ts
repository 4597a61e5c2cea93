import { expect, test } from 'vitest'
import { ConfigError } from './config-text.ts'
import { parseConfig } from './parse-config.ts'

function parse(lines: string) {
  return parseConfig(`cloud:
  url: mqtt://127.0.0.1:1883
  code: "1000000000000000001"
  secret: s3cret
connections: []
${lines}
`).ports
}

function problems(lines: string): string {
  try {
    parse(lines)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

test('a port is an address alone, or fields; its name is what people type', () => {
  const other = { kind: 'other', note: '', look: 'nobody', connections: 4 }
  expect(
    parse(`tcp:
  - 192.168.0.10:502
  - { name: press, address: "192.168.0.11:502", kind: modbus, note: "Press 压机", connections: 2 }
  - { name: oven, address: "[fe80::1]:102", kind: s7, look: visitors }
  - { name: line, address: plc.local:11740, kind: codesys }
  - "[fe80::1]:102"
  - 192.168.0.10:502`),
  ).toEqual([
    { ...other, name: '192.168.0.10:502', host: '192.168.0.10', port: 502 },
    {
      ...{ name: 'press', host: '192.168.0.11', port: 502, kind: 'modbus', note: 'Press 压机' },
      ...{ look: 'users', connections: 2 },
    },
    { ...other, name: 'oven', host: 'fe80::1', port: 102, kind: 's7', look: 'visitors' },
    { ...other, name: 'line', host: 'plc.local', port: 11_740, kind: 'codesys' },
    { ...other, name: '[fe80::1]:102', host: 'fe80::1', port: 102 },
  ])
  expect(parse('')).toEqual([])
})

test.each([
  ['{ address: "h:1", kind: ssh }', 'tcp[0].name is missing'],
  ['{ name: Plc, address: "h:1", kind: ssh }', 'tcp[0].name has to be 1 to 31 of a-z'],
  ['{ name: agent, address: "h:1", kind: ssh }', 'tcp[0].name cannot be "agent"'],
  ['{ name: a, kind: ssh }', 'tcp[0].address is missing'],
  ['{ name: a, address: "h", kind: ssh }', 'tcp[0].address is "h", which does not look like host:port'],
  ['{ name: a, address: "h:1" }', 'tcp[0].kind is missing; possible are modbus, s7,'],
  ['{ name: a, address: "h:1", kind: profinet }', 'tcp[0].kind is "profinet"; possible are modbus, s7,'],
  ['{ name: a, address: "h:1", kind: ssh, look: users }', 'tcp[0].look is for modbus and s7'],
  ['{ name: a, address: "h:1", kind: s7, look: all }', 'tcp[0].look is "all"; possible are users,'],
  ['{ name: a, address: "h:1", kind: s7, connections: 0 }', 'tcp[0].connections has to be a whole number'],
  ['{ name: a, address: "h:1", kind: ssh, udp: true }', 'tcp[0].udp is not known here'],
  [
    '{ name: a, address: "h:1", kind: ssh }\n  - { name: a, address: "h:2", kind: ssh }',
    'line 8: tcp[1].name "a" is there twice',
  ],
])('%s', (port, message) => {
  expect(problems(`tcp:\n  - ${port}`)).toContain(message)
})

test.each(['192.168.0.10', '192.168.0.10:0', 'h:70000', 'http://h:80', 'a b:1', ':502'])(
  'no port: %s',
  (address) => {
    expect(problems(`tcp: ["${address}"]`)).toContain(
      `tcp has "${address}", which does not look like host:port`,
    )
  },
)

test('there is a limit, and a list is wanted', () => {
  expect(problems(`tcp: [${Array.from({ length: 33 }, (_, at) => `h:${at + 1}`).join(', ')}]`)).toContain(
    'tcp has 33 entries, at most 32 are possible',
  )
  expect(problems('tcp: h:1')).toContain('tcp has to be a list')
  expect(problems(`tcp: ["${'h'.repeat(300)}:1"]`)).toContain('tcp has an entry of 302 characters')
})
