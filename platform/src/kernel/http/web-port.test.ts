import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { silentLogger } from '../logger.ts'
import { Certificates } from './certificates.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'busbar-tls-'))
const file = (name: string) => path.join(dir, name)
const env = {
  TLS_CERT_FILE: file('console.crt'),
  TLS_KEY_FILE: file('console.key'),
  VISIT_TLS_CERT_FILE: file('visits.crt'),
  VISIT_TLS_KEY_FILE: file('visits.key'),
}

function createPair(name: string, host: string): void {
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${host}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)],
  ])
}

let site: TestPlatform
beforeAll(async () => {
  createPair('console', 'console one')
  createPair('visits', '*.visit.localhost')
  createPair('renewed', 'console two')
  site = await startTestPlatform(env)
})
afterAll(async () => {
  await site.stop()
  rmSync(dir, { recursive: true })
})

/** The name on the certificate that is shown to a host's visitors. */
async function nameShown(port: number, servername: string): Promise<string> {
  const socket: TLSSocket = connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  const name = String(socket.getPeerCertificate().subject.CN)
  socket.destroy()
  return name
}

/** A server's answer to raw bytes, until it closes or one answer is complete. */
async function tell(port: number, bytes: string): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return text
}

test('a visit host shows its own certificate, and both are read again when they change', async () => {
  const { certificates } = openCertificates()
  expect(await nameShown(site.webPort, 'localhost')).toBe('console one')
  expect(await nameShown(site.webPort, '1000000000000000001.visit.localhost')).toBe('*.visit.localhost')

  const warnings: string[] = []
  const own = openCertificates((message) => warnings.push(message)).certificates
  const before = own.serverOptions.cert
  writeFileSync(env.TLS_CERT_FILE, 'half a certificate')
  own.reload()
  own.reload()
  expect(own.serverOptions.cert).toBe(before)
  expect(warnings).toEqual(['certificate.refused'])
  // The platform polls by itself.
  copyFileSync(file('renewed.crt'), env.TLS_CERT_FILE)
  copyFileSync(file('renewed.key'), env.TLS_KEY_FILE)
  await expect.poll(() => nameShown(site.webPort, 'localhost'), { timeout: 10_000 }).toBe('console two')
  expect(await nameShown(site.mqttsPort ?? 0, 'localhost')).toBe('console two')
  expect(await nameShown(site.webPort, '1000000000000000001.visit.localhost')).toBe('*.visit.localhost')
  certificates.close()
  own.close()

  const expiries = site.platform.metrics().find(({ name }) => name === 'busbar_certificate_expires_seconds')
  const shown = expiries && 'samples' in expiries ? expiries.samples : []
  expect(shown.map(({ labels }) => labels?.certificate)).toEqual(['console', 'visits'])
  const { validTo } = new X509Certificate(readFileSync(file('renewed.crt')))
  expect(shown[0]?.value).toBe(Date.parse(validTo) / 1_000)
})

function openCertificates(warn: (message: string) => void = () => undefined) {
  const logger = { ...silentLogger, warn: (_: object, message: string) => warn(message) }
  const certificates = Certificates.open(readConfig(env), logger, () => false)
  if (!certificates) throw new Error('no certificates')
  return { certificates }
}

test('a certificate that is not there stops the start, by its setting', () => {
  const config = readConfig({ TLS_CERT_FILE: file('none'), TLS_KEY_FILE: file('none') })
  expect(() => Certificates.open(config, silentLogger, () => false)).toThrow(/^TLS_CERT_FILE: .*ENOENT/)
  const mixed = readConfig({ TLS_CERT_FILE: env.VISIT_TLS_CERT_FILE, TLS_KEY_FILE: file('renewed.key') })
  expect(() => Certificates.open(mixed, silentLogger, () => false)).toThrow(/^TLS_CERT_FILE: /)
})

test('on https the cookies of a visit are bound to their host by name', async () => {
  const answer = await tell(
    site.webPort,
    'GET /x HTTP/1.1\r\nHost: 1000000000000000001.visit.localhost\r\nAccept: text/html\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 303/)
  expect(answer).toMatch(
    /set-cookie: __Host-visit-state=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=300; Secure\r\n/,
  )
  expect(answer).toContain(`location: https://localhost:${site.webPort}/visit/authorize?`)
})

test.each([
  [
    'another site in the request line',
    'GET http://1000000000000000001.visit.localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n',
    400,
  ],
  [
    'two hosts',
    'GET / HTTP/1.1\r\nHost: localhost\r\nHost: 1000000000000000001.visit.localhost\r\n\r\n',
    400,
  ],
  ['a line without a version (HTTP/0.9)', 'GET /\r\n\r\n', 400],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: localhost/visit\r\n\r\n', 400],
  ['CONNECT', 'CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
  ],
  ['TRACE to a machine', 'TRACE / HTTP/1.1\r\nHost: 1000000000000000001.visit.localhost\r\n\r\n', 405],
  [
    'another protocol to a machine',
    'GET / HTTP/1.1\r\nHost: 1000000000000000001.visit.localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    400,
  ],
])('%s is refused', async (_, bytes, status) => {
  expect(await tell(site.webPort, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test('plain bytes on the TLS port do not keep their socket', async () => {
  const socket = connect(site.webPort, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
})

test('servers with TLS tell browsers to use TLS only, except on localhost', async () => {
  const ask = (host: string) =>
    tell(site.webPort, `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  expect(await ask('busbar.example')).toContain('strict-transport-security: max-age=31536000\r\n')
  expect(await ask('localhost')).not.toContain('strict-transport-security')
})
