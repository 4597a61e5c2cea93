import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { nodeCertificatesCommand } from '../../cli/node-commands.ts'
import { NodeAuthority, nodeExtensions } from './node-authority.ts'
import { isFor, nodeOf } from './node-identity.ts'

const day = 24 * 3_600_000

it('a certificate names its node and hosts, serves both ends, and is signed by the authority for 90 days', async () => {
  const authority = await createTestAuthority()
  onTestFinished(() => authority.remove())
  const hosts = ['node1.internal', '10.0.0.1', '::1']
  const { ca, cert, key } = await authority.sign('node1', nodeExtensions({ id: 'node1', hosts }))
  const made = new X509Certificate(cert)
  expect(nodeOf(made)).toBe('node1')
  for (const host of hosts) expect(made.checkHost(host) ?? made.checkIP(host)).toBe(host)
  expect([isFor(made, 'server'), isFor(made, 'client'), made.ca]).toEqual([true, true, false])
  expect(made.verify(new X509Certificate(ca).publicKey)).toBe(true)
  expect(made.validToDate.getTime() - made.validFromDate.getTime()).toBe(90 * day)
  expect(key).toContain('PRIVATE KEY')
})

it('a certificate of another form names no node', () => {
  for (const subjectAltName of [
    undefined,
    'DNS:node1',
    'URI:urn:busbar:node:',
    'URI:urn:busbar:node:a, URI:urn:busbar:node:b',
    'DNS:"x, URI:urn:busbar:node:a, y"',
    'URI:urn:busbar:nodes:a',
  ])
    expect(nodeOf({ subjectAltName })).toBeUndefined()
})

it('the command keeps its authority, renews certificates, and refuses wrong names', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.stubEnv('PATH', `${process.env.PATH}:${(process.env.BUSBAR_OPENSSL ?? '').replace(/\/openssl$/, '')}`)
  const folder = await mkdtemp(join(tmpdir(), 'busbar-authority-'))
  onTestFinished(async () => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })
  const stamps = async () => {
    await nodeCertificatesCommand.prepare([folder, 'node1=node1.internal', 'nats=nats'])()
    const of = async (file: string) => (await stat(join(folder, file))).ino
    return { ca: await of('nodes-ca.pem'), node: await of('node1.pem'), nats: await of('nats.key') }
  }
  const [first, second] = [await stamps(), await stamps()]
  expect(second.ca).toBe(first.ca)
  expect(second.node).not.toBe(first.node)
  expect((await stat(join(folder, 'nodes-ca.key'))).mode & 0o777).toBe(0o600)
  for (const wrong of [
    [],
    [folder],
    ['a=b'],
    [folder, 'a'],
    [folder, 'a/b=c'],
    [folder, 'a=b\nc'],
    [folder, 'a=-'],
  ])
    expect(() => nodeCertificatesCommand.prepare(wrong)).toThrow(/Give|give|name/)
})

it('without openssl the command says what to install', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-authority-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await expect(NodeAuthority.open(folder, '/nowhere/openssl')).rejects.toThrow('apt install openssl')
})
