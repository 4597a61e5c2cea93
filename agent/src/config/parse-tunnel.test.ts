import { expect, test } from 'vitest'
import { ConfigError } from './config-text.ts'
import { parseConfig } from './parse-config.ts'

function parse(lines: string, cloud = 'url: mqtt://127.0.0.1:1883') {
  return parseConfig(`cloud:
  ${cloud}
  code: "1000000000000000001"
  secret: s3cret
connections: []
${lines}
`)
}

function problems(lines: string, cloud?: string): string {
  try {
    parse(lines, cloud)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

test('the tunnel goes to the web port values go to, and nowhere when that is not known', () => {
  const tunnelOf = (cloud: string) => parse('', cloud).cloud.tunnel
  expect(tunnelOf('url: wss://cloud.example/mqtt?x=1')).toBe('wss://cloud.example/tunnel')
  expect(tunnelOf('url: ws://127.0.0.1:8080/mqtt')).toBe('ws://127.0.0.1:8080/tunnel')
  expect(tunnelOf('url: mqtts://cloud.example')).toBe(null)
  expect(tunnelOf('url: mqtt://h\n  tunnel: wss://other.example/tunnel')).toBe('wss://other.example/tunnel')
  expect(problems('', 'url: mqtt://h\n  tunnel: https://h/tunnel')).toContain(
    'line 3: cloud.tunnel has to look like',
  )
  expect(problems('', 'url: mqtt://h\n  tunnel: wss://me:pw@h/tunnel')).toContain('cannot hold a user name')
})

test('targets are read', () => {
  const fingerprint = 'AB:'.repeat(31)
  const { targets } = parse(`targets:
  - { name: hmi, url: "http://192.168.0.20" }
  - { name: drive-2, url: "https://192.168.0.21:8443/", readOnly: enforced, fingerprint: "${fingerprint}CD" }`)
  expect(targets).toEqual([
    { name: 'hmi', url: 'http://192.168.0.20', readOnly: 'none', insecure: false },
    {
      name: 'drive-2',
      url: 'https://192.168.0.21:8443/',
      readOnly: 'enforced',
      insecure: false,
      fingerprint: `${'ab'.repeat(31)}cd`,
    },
  ])
})

test.each([
  ['{ name: page, url: "http://h" }', 'targets[0].name cannot be "page"'],
  ['{ name: agent, url: "http://h" }', 'targets[0].name cannot be "agent"'],
  ['{ name: a--b, url: "http://h" }', 'targets[0].name has to be 1 to 31 of a-z'],
  ['{ name: Hmi, url: "http://h" }', 'targets[0].name has to be'],
  ['{ url: "http://h" }', 'targets[0].name is missing'],
  ['{ name: a, url: "http://h" }\n  - { name: a, url: "http://i" }', 'targets[1].name "a" is there twice'],
  ['{ name: a, url: "ftp://h" }', 'targets[0].url has to look like'],
  ['{ name: a, url: "http://h/path" }', 'targets[0].url has to look like'],
  ['{ name: a, url: "http://me:pw@h" }', 'targets[0].url has to look like'],
  [
    '{ name: a, url: "http://h", readOnly: yes }',
    'targets[0].readOnly is "yes"; possible are enforced, none',
  ],
  ['{ name: a, url: "http://h", insecure: true }', 'targets[0].insecure is for https'],
  ['{ name: a, url: "https://h", fingerprint: abc }', 'targets[0].fingerprint has to be'],
  [
    `{ name: a, url: "https://h", insecure: true, fingerprint: "${'0'.repeat(64)}" }`,
    'targets[0].insecure and fingerprint are both there',
  ],
  ['{ name: a, url: "http://h", hidden: 1 }', 'targets[0].hidden is not known here'],
])('%s', (target, message) => {
  expect(problems(`targets:\n  - ${target}`)).toContain(message)
})
