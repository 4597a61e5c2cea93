import { expect, test } from 'vitest'
import { ConfigError } from '../../config/config-text.ts'
import { parseConfigWithDrivers } from '../../config/parse-config.ts'
import { formatNodeAddress, parseNodeAddress } from './node-address.ts'
import type { OpcUaConnection } from './opcua-connection.ts'

const cloud = 'cloud: { url: "mqtt://h", code: "1000000000000000001", secret: s }\n'

async function parse(connection: string): Promise<OpcUaConnection> {
  const text = `${cloud}connections:\n  - { driver: opcua, ${connection} }\n`
  const { connections } = await parseConfigWithDrivers(text)
  return connections[0] as unknown as OpcUaConnection
}

async function problems(connection: string): Promise<string[]> {
  try {
    await parse(connection)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, message }) => `${path} ${message}`)
    throw error
  }
  return []
}

const url = 'url: "opc.tcp://10.0.0.5:4840"'
const tags = 'tags: [{ name: level, nodeId: "ns=2;s=Tank.Level" }]'

test('a whole connection is read, and a short one has defaults', async () => {
  const connection = await parse(
    `${url}, security: Sign, policy: Aes256_Sha256_RsaPss, fingerprint: "${'AB:'.repeat(31)}AB",
      user: { name: fitter, passwordFile: pw }, timeoutMs: 900, samplingIntervalMs: 250, times: agent,
      tags: [{ name: a, nodeId: "nsu=urn:x%3By;i=7", type: int64, samplingIntervalMs: 100 }, { name: b, nodeId: "i=2258" }]`,
  )
  expect(connection).toMatchObject({
    security: 'Sign',
    policy: 'Aes256_Sha256_RsaPss',
    trust: { kind: 'fingerprint', fingerprint: 'ab'.repeat(32) },
    user: { kind: 'name', name: 'fitter', passwordFile: 'pw' },
    timeoutMs: 900,
    samplingIntervalMs: 250,
    times: 'agent',
    tags: [
      { nodeId: { namespace: 'urn:x;y', identifier: 'i=7' }, type: 'int64', isTypeGiven: true },
      { nodeId: { namespace: 0, identifier: 'i=2258' }, isTypeGiven: false },
    ],
  })
  expect(await parse(`${url}, security: none, ${tags}`)).toMatchObject({
    trust: null,
    user: { kind: 'anonymous' },
    times: 'source',
    timeoutMs: 5_000,
  })
})

test('a setting of polled lines is refused with the one of OPC UA', async () => {
  const words = 'is not for OPC UA, which follows values over one session: use samplingIntervalMs'
  expect(await problems(`${url}, security: none, pauseMs: 50, closeAfterPoll: true, ${tags}`)).toEqual([
    `connections[0].pauseMs ${words}`,
    `connections[0].closeAfterPoll ${words}`,
  ])
})

test('trust without a check and a password in the clear must be configured explicitly', async () => {
  expect(await problems(`${url}, security: SignAndEncrypt, ${tags}`)).toEqual([
    'connections[0].fingerprint is missing: the SHA-256 of the server’s certificate, or trust: first to keep the first one that is seen',
  ])
  expect(await problems(`${url}, security: none, user: { name: x, password: y }, ${tags}`)).toEqual([
    'connections[0].user.name needs security: Sign or SignAndEncrypt, since without security others in the network can get at the password; plain: true allows it',
  ])
  expect(
    await problems(`${url}, security: none, user: { name: x, password: y, plain: true }, ${tags}`),
  ).toEqual([])
  expect(await problems(`${url}, ${tags}`)).toEqual([
    'connections[0].security is missing; possible are none, Sign, SignAndEncrypt',
  ])
})

test('every wrong field is explained', async () => {
  const wrong = await problems(
    `url: "http://x", security: Sign, policy: Basic128Rsa15, trust: yes, fingerprint: "12", ${'user: { name: n }'},
      tags: [{ name: a, nodeId: Tank }, { name: b, nodeId: "ns=2;s=x", type: "string:5" }]`,
  )
  const told = wrong.join('\n')
  for (const words of [
    'url has to look like opc.tcp://host:4840',
    'policy is "Basic128Rsa15"; possible are Basic256Sha256',
    'fingerprint has to be the SHA-256',
    'user.password is missing',
    'tags[0].nodeId is "Tank"; write it like ns=2;s=Tank.Level',
    'tags[1].type is a string without a length here',
  ])
    expect(told).toContain(words)
})

test.each([
  'i=2258',
  'ns=2;s=Tank.Level;with=signs',
  'nsu=urn:maker:plc;s="DB1"."Level"',
  'nsu=urn:a%3Bb%25;i=4294967295',
  'ns=3;g=09087e75-8e5e-499b-954f-f2a9603db28a',
  'ns=1;b=M/RbKBsRVkePCePcx24oRA==',
])('%s is a node id, and comes back as it was', (text) => {
  const address = parseNodeAddress(text)
  expect(address && formatNodeAddress(address)).toBe(text)
})

test.each(['', 'Tank.Level', 'ns=x;s=a', 'ns=2', 'ns=2;s=', 'ns=70000;i=1', 'i=4294967296', 'i=-1', 'g=1'])(
  '"%s" is not a node id',
  (text) => {
    expect(parseNodeAddress(text)).toBeNull()
  },
)
