import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError } from './config-text.ts'
import { loadConfig } from './load-config.ts'
import { parseConfig } from './parse-config.ts'

const cloud = `cloud:
  url: mqtt://127.0.0.1:1883
  code: "1000000000000000001"
  secret: s3cret
`

function modbus(tag: string): string {
  return `${cloud}connections:
  - driver: modbus-tcp
    host: plc
    tags:
      - ${tag}
`
}

/** The problems of a configuration, one per line. */
function problems(yaml: string): string[] {
  try {
    parseConfig(yaml)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

test('the example is correct and says what its comments say', async () => {
  const text = await readFile(new URL('../../example.yaml', import.meta.url), 'utf8')
  const config = parseConfig(text)
  expect(config.cloud).toEqual({
    url: 'mqtt://127.0.0.1:1883',
    code: '1000000000000000001',
    secret: 'change-me',
    outboxSamplesMax: 50_000,
    tunnel: null,
  })
  expect(config.outbox).toEqual({
    disk: true,
    folder: null,
    bytesMax: 64 * 1024 * 1024,
    drop: 'oldest',
    syncMs: 5_000,
  })
  expect(config.attributes).toEqual({ model: 'HX-200', firmware: '2.4.1' })
  const [press, trial] = config.connections
  expect(press).toMatchObject({
    driver: 'modbus-tcp',
    host: '192.168.0.10',
    port: 502,
    unit: 1,
    pollIntervalMs: 1_000,
  })
  expect(press?.tags[0]).toMatchObject({
    group: 'zone 1',
    name: 'temperature',
    displayName: { cn: '一区温度', en: 'Zone 1 temperature' },
    type: 'int16',
    factor: 0.1,
    scale: 1,
    deadband: 0.2,
    keyTag: true,
    readOnly: true,
    address: { area: 'holding', address: 100, bit: null },
  })
  expect(press?.tags.map((tag) => tag.type)).toEqual([
    'int16',
    'uint32',
    'float32',
    'bool',
    'bool',
    'bool',
    'string',
  ])
  expect(trial?.tags).toHaveLength(4)
})

test('defaults', () => {
  const config = parseConfig(modbus('{ name: a, address: "holding:1" }'))
  expect(config.connections[0]).toMatchObject({
    name: 'modbus-tcp 1',
    port: 502,
    unit: 1,
    timeoutMs: 2_000,
    pollIntervalMs: 1_000,
    blockRegistersMax: 125,
  })
  expect(config.connections[0]?.tags[0]).toMatchObject({
    type: 'uint16',
    group: '',
    readOnly: true,
    heartbeatMs: 60_000,
    deadband: 0,
    wordOrder: 'ABCD',
  })
})

test('numbers in text fields keep their spelling: codes of 19 digits, firmware 1.10', () => {
  const config = parseConfig(`cloud: { url: "mqtt://h", code: 0000000000000000001, secret: 0123 }
properties: { firmware: 1.10 }
connections: [{ driver: simulated, tags: [{ name: a, signal: { kind: counter } }] }]
`)
  expect(config.cloud).toMatchObject({ code: '0000000000000000001', secret: '0123' })
  expect(config.attributes.firmware).toBe('1.10')
})

test('a text that would reverse the direction of its neighbours is refused', () => {
  for (const code of ['\\u202E', '\\u2066', '\\u200F', '\\x07']) {
    const [problem] = problems(modbus(`{ name: "a${code}b", address: "holding:1" }`))
    expect(problem).toMatch(/name.*direction/)
  }
  expect(problems(modbus('{ name: "温度 é", address: "holding:1" }'))).toEqual([])
})

test('a connection’s word order is for wide values, a tag’s own for any', () => {
  const config = parseConfig(`${cloud}connections:
  - driver: modbus-tcp
    host: plc
    wordOrder: DCBA
    tags:
      - { name: wide, address: "holding:1", type: float32 }
      - { name: narrow, address: "holding:3" }
      - { name: own, address: "holding:4", wordOrder: BADC }
`)
  const orders = config.connections[0]?.tags.map((tag) => ('wordOrder' in tag ? tag.wordOrder : null))
  expect(orders).toEqual(['DCBA', 'ABCD', 'BADC'])
})

test('a connection’s text encoding is for its strings, and a string’s own comes first', () => {
  const config = parseConfig(`${cloud}connections:
  - driver: modbus-tcp
    host: plc
    textEncoding: gbk
    tags:
      - { name: recipe, address: "holding:1", type: "string:16" }
      - { name: label, address: "holding:20", type: "string:16", textEncoding: latin1 }
      - { name: count, address: "holding:40", type: bcd32 }
`)
  expect(config.connections[0]?.tags).toMatchObject([
    { textEncoding: 'gbk' },
    { textEncoding: 'latin1' },
    { type: 'uint32', registerType: 'bcd32' },
  ])
  expect(config.connections[0]?.tags[2]).not.toHaveProperty('textEncoding')
})

test('each mistake is named with its line and path, all in one go', () => {
  const found = problems(`cloud:
  url: http://somewhere
  code: "123"
connections:
  - driver: modbus-tcp
    pollInterval: 100
    port: 70000
    tags:
      - name: a/b
        address: holdin:100
      - name: c
        address: coil:3
        type: int16
  - driver: opc-da
    tags: []
`)
  expect(found).toEqual([
    'line 2: cloud.url has to look like mqtt://host:1883, mqtts://host:8883, ws://host/mqtt or wss://host/mqtt',
    'line 3: cloud.code has to be the machine code: 19 digits',
    'line 2: cloud.secret is missing; write it here or name a file with it as secretFile',
    'line 5: connections[0].host is missing',
    'line 7: connections[0].port has to be a whole number from 1 to 65535, not 70000',
    'line 10: connections[0].tags[0].address is "holdin:100"; write area:number (holding, input, coil, discrete; 0 to 65535), or holding:10.3 for a bit',
    'line 9: connections[0].tags[0].name cannot have a "/" in it; that is for the group',
    'line 13: connections[0].tags[1].type has to be bool for a single bit',
    expect.stringMatching(
      /^line 6: connections\[0\]\.pollInterval is not known here; known are driver, name, /,
    ),
    'line 14: connections[1].driver is "opc-da"; possible are modbus-tcp, simulated, modbus-rtu, opcua, s7',
  ])
})

test.each([
  [
    '{ name: a, address: "holding:65535", type: int32 }',
    'address begins too late: the value ends after 65535',
  ],
  ['{ name: a, address: "holding:1", type: bool }', 'name the bit, as in holding:10.3'],
  ['{ name: a, address: "holding:1", type: string:0 }', 'a string has 1 to 250 bytes'],
  ['{ name: a, address: "holding:1", textEncoding: gbk }', 'textEncoding is for strings, not for uint16'],
  ['{ name: a, address: "holding:1", type: real }', 'type is "real"; possible are bool, int16,'],
  ['{ name: a, address: "input:1", readOnly: false }', 'nobody can write to input'],
  ['{ name: a, address: "coil:1", factor: 2 }', 'factor does not apply to bool'],
  ['{ name: a, address: "holding:1", heartbeatMs: 61000 }', 'from 1000 to 60000, not 61000'],
  ['{ name: a, address: "holding:1", deadband: -1 }', 'deadband cannot be below 0'],
  ['{ name: a, address: "holding:1", min: 2, max: 1 }', 'min is greater than max'],
  ['{ name: a, address: "holding:1", unit: [x] }', 'unit has to be a text'],
  ['{ name: a, address: "holding:1", keyTag: 1 }', 'keyTag has to be true or false, not "1"'],
  ['{ name: x, group: Alarms, address: "holding:1" }', 'makes "Alarms/x", which is reserved'],
  ['{ name: a, address: "holding:1", alarm: { level: major } }', 'alarm is for bool, not for uint16'],
  ['{ name: a, address: "coil:1", alarm: { text: hot } }', 'alarm.level is missing'],
  [`{ name: a, address: "coil:1", alarm: { level: info, id: ${'热'.repeat(43)} } }`, 'longer than 128 bytes'],
  [
    '{ name: a, group: x, address: "coil:1", alarm: { level: info } }\n' +
      '      - { name: a, group: y, address: "coil:2", alarm: { level: info } }',
    '"a" is taken by connections[0].tags[0]; give it an id of its own',
  ],
  ['{ name: bdSeq, address: "holding:1" }', 'makes "bdSeq", which is reserved'],
  ['just text', 'has to be fields with names'],
  [
    '{ name: a, address: "holding:1" }\n      - { name: a, address: "holding:2" }',
    '"a" is taken by connections[0].tags[0]',
  ],
])('%s', (tag, message) => {
  expect(problems(modbus(tag)).join('\n')).toContain(message)
})

test('an alarm without words takes the name of its tag', () => {
  const alarmOf = (tag: string) => parseConfig(modbus(tag)).connections[0]?.tags[0]?.alarm
  expect(
    alarmOf('{ name: low, address: "coil:1", displayName: { cn: 低 }, alarm: { level: major } }'),
  ).toEqual({
    id: 'low',
    level: 'major',
    text: { any: 'low', cn: '低' },
  })
  expect(alarmOf('{ name: low, address: "coil:1", alarm: { id: E7, level: info, text: Too cold } }')).toEqual(
    {
      id: 'E7',
      level: 'info',
      text: { any: 'Too cold' },
    },
  )
})

test('no cloud, no file, no YAML, credentials in the address', () => {
  expect(problems('connections: []')).toEqual([
    'line 1: cloud is missing: where to send values (url, code, secret)',
  ])
  expect(problems('')).toEqual(['the file is empty'])
  expect(problems('cloud: [')[0]).toMatch(/^line 1: the file is not YAML here: /)
  expect(problems(cloud.replace('127.0.0.1', 'me:pw@127.0.0.1')).join()).toContain(
    'cannot hold a user name or password',
  )
})

test('more than 5,000 tags are refused', () => {
  const tags = Array.from(
    { length: 2_501 },
    (_, index) => `      - { name: t${index}, address: "holding:1" }`,
  ).join('\n')
  const connection = (group: string) =>
    `  - driver: modbus-tcp\n    host: plc\n    tags:\n${tags.replaceAll('{ name', `{ group: ${group}, name`)}\n`
  expect(problems(`${cloud}connections:\n${connection('a')}${connection('b')}`)).toEqual([
    'connections have 5002 tags together, at most 5000 are possible',
  ])
})

test('the secret may be in a file beside the configuration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-agent-'))
  try {
    const path = join(folder, 'agent.yaml')
    await writeFile(path, `${cloud.replace('secret: s3cret', 'secretFile: the-secret')}connections: []\n`)
    await expect(loadConfig(path)).rejects.toThrow('cloud.secretFile cannot be read')
    await writeFile(join(folder, 'the-secret'), 'from-file\n')
    expect((await loadConfig(path)).cloud.secret).toBe('from-file')
    await expect(loadConfig(join(folder, 'absent.yaml'))).rejects.toThrow('the file cannot be read')
  } finally {
    await rm(folder, { recursive: true })
  }
})
