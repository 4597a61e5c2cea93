import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crypto_utils as crypto } from 'node-opcua-client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildOpcUaTag, createTestFolder, openTestDriver } from '../../testing/opcua-client.ts'
import type { TestOpcUaServer } from '../../testing/opcua-server.ts'
import { startOpcUaServer } from '../../testing/opcua-server.ts'
import type { OpcUaConnection } from './opcua-connection.ts'
import { securityPolicies } from './opcua-connection.ts'
import { ownCertificate } from './own-certificate.ts'
import { fingerprintOf } from './server-trust.ts'

let server: TestOpcUaServer
beforeAll(async () => {
  server = await startOpcUaServer({ users: { fitter: 'right' }, variables: { Level: ['Double', 1] } })
})
afterAll(() => server.close())

const user = { kind: 'name', name: 'fitter', password: 'right' } as const
const secured = (fields: Partial<OpcUaConnection> = {}): Partial<OpcUaConnection> => ({
  url: server.url,
  security: 'SignAndEncrypt',
  trust: { kind: 'first' },
  user,
  tags: [buildOpcUaTag('Level')],
  ...fields,
})
const serverFingerprint = () => fingerprintOf(server.server.getCertificate())

test.each(
  (['Sign', 'SignAndEncrypt'] as const).flatMap((security) =>
    securityPolicies.map((policy) => [security, policy] as const),
  ),
)('%s with %s reads', async (security, policy) => {
  const { driver } = await openTestDriver(secured({ security, policy }))
  expect(await driver.poll()).toMatchObject([{ value: 1, quality: 192 }])
})

test('the first certificate of a server is reported and kept; another server in its place is refused', async () => {
  const stateFolder = await createTestFolder()
  const first = await openTestDriver(secured(), { stateFolder })
  await first.driver.poll()
  const { fingerprint } = await first.untilLog('opcua.serverTrusted')
  expect(fingerprint).toBe(serverFingerprint())
  const again = await openTestDriver(secured(), { stateFolder })
  expect(await again.driver.poll()).toMatchObject([{ quality: 192 }])
  expect(again.lines).toEqual([])
  await Promise.all([first.driver.close(), again.driver.close()])

  const { port } = server
  await server.close()
  const impostor = await startOpcUaServer({ port, users: { fitter: 'right' } })
  const cheated = await openTestDriver(secured(), { stateFolder })
  expect(await cheated.driver.poll()).toMatchObject([{ quality: 0 }])
  const { reason } = await cheated.untilLog('controller.away')
  expect(reason).toContain(`than the trusted ${String(fingerprint)}`)
  await cheated.driver.close()
  await impostor.close()
  server = await startOpcUaServer({ users: { fitter: 'right' }, variables: { Level: ['Double', 1] } })
})

test('a fingerprint in the configuration: the right one reads, a wrong one names the one that was shown', async () => {
  const right = await openTestDriver(
    secured({ trust: { kind: 'fingerprint', fingerprint: serverFingerprint() } }),
  )
  expect(await right.driver.poll()).toMatchObject([{ quality: 192 }])
  const wrong = await openTestDriver(
    secured({ trust: { kind: 'fingerprint', fingerprint: 'ab'.repeat(32) } }),
  )
  expect(await wrong.driver.poll()).toMatchObject([{ quality: 0 }])
  expect((await wrong.untilLog('controller.away')).reason).toContain(serverFingerprint())
})

test('a server that does not trust the agent yet says so, and reads once it does', async () => {
  const strict = await startOpcUaServer({ trustsClients: false, variables: { Level: ['Double', 2] } })
  onTestFinished(() => strict.close())
  const stateFolder = await createTestFolder()
  const { driver, until, untilLog } = await openTestDriver(
    secured({ url: strict.url, user: { kind: 'anonymous' } }),
    { stateFolder },
  )
  expect(await driver.poll()).toMatchObject([{ quality: 0 }])
  expect((await untilLog('controller.away')).reason).toMatch(/trust|refuse/)
  const { certificate } = await ownCertificate(stateFolder)
  await strict.server.serverCertificateManager.trustCertificate(certificate)
  expect(await until(({ quality }) => quality === 192)).toMatchObject({ value: 2 })
})

test('a wrong password is reported as such, retried slowly, and never logged', async () => {
  const wrong = await openTestDriver(secured({ user: { ...user, password: 'very-wrong' } }))
  expect(await wrong.driver.poll()).toMatchObject([{ quality: 0 }])
  expect((await wrong.untilLog('controller.away')).reason).toMatch(
    /the user or the password is wrong|may not do that/,
  )
  expect(JSON.stringify(wrong.lines)).not.toContain('very-wrong')
  const anonymous = await openTestDriver(secured({ user: { kind: 'anonymous' } }))
  expect(await anonymous.driver.poll()).toMatchObject([{ quality: 0 }])
  const { reason } = await anonymous.untilLog('controller.away')
  expect(reason).toMatch(/user/i)
})

test('a password in a file, and a person known by a certificate', async () => {
  const configFolder = await createTestFolder()
  await writeFile(join(configFolder, 'password'), 'right\n')
  const named = await openTestDriver(
    secured({ user: { kind: 'name', name: 'fitter', passwordFile: 'password' } }),
    { configFolder },
  )
  expect(await named.driver.poll()).toMatchObject([{ quality: 192 }])

  const key = await crypto.generatePrivateKey(2048)
  const { cert } = await crypto.createSelfSignedCertificate({
    privateKey: key,
    subject: '/CN=fitter',
    notBefore: new Date(),
    validity: 10,
    purpose: crypto.CertificatePurpose.ForUserAuthentication,
  })
  await writeFile(join(configFolder, 'fitter.pem'), cert)
  await writeFile(join(configFolder, 'fitter.key'), (await crypto.privateKeyToPEM(key)).privPem)
  const certified = await openTestDriver(
    secured({ user: { kind: 'certificate', certificateFile: 'fitter.pem', keyFile: 'fitter.key' } }),
    { configFolder },
  )
  expect(await certified.driver.poll()).toMatchObject([{ quality: 192 }])
})

test('a security mode that the server does not offer is reported with those that it offers', async () => {
  const plain = await startOpcUaServer({ variables: { Level: ['Double', 2] }, onlyPlain: true })
  onTestFinished(() => plain.close())
  const { driver, untilLog } = await openTestDriver(secured({ url: plain.url }))
  expect(await driver.poll()).toMatchObject([{ quality: 0 }])
  expect((await untilLog('controller.away')).reason).toBe(
    'the server does not offer SignAndEncrypt with Basic256Sha256; it offers none',
  )
})

test('the agent’s certificate is made once, also by two at the same time, and its key is the agent’s alone', async () => {
  const folder = join(await createTestFolder(), 'opcua')
  const [one, two] = await Promise.all([ownCertificate(folder), ownCertificate(folder)])
  expect(one).toBe(two)
  expect(one.applicationUri).toMatch(/^urn:busbar:agent:[0-9a-f-]{36}$/)
  expect((await stat(join(folder, 'key.pem'))).mode & 0o077).toBe(0)
})
