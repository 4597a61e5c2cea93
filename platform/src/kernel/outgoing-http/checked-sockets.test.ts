import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AddressPolicy } from './address-policy.ts'
import { parseAllowedNetworks } from './allowed-networks.ts'
import { CheckedSockets, type OutgoingTls } from './checked-sockets.ts'
import { OutgoingCalls } from './outgoing-calls.ts'
import { OutgoingError } from './outgoing-error.ts'
import { parseTypedAddress } from './typed-address.ts'

const space = { userId: 1 }
const publicAddress = '93.184.215.14'
const dir = mkdtempSync(path.join(tmpdir(), 'busbar-outgoing-'))
const read = (name: string) => readFileSync(path.join(dir, name), 'utf8')

beforeAll(() => {
  const openssl = process.env.BUSBAR_OPENSSL ?? 'openssl'
  const run = (...args: string[]) => execFileSync(openssl, args, { cwd: dir, stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc']
  run('req', '-x509', ...newKey, '-subj', '/CN=Their authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  for (const [name, usage] of [
    ['mes.example.com', 'serverAuth'],
    ['busbar', 'clientAuth'],
  ] as const) {
    run('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    writeFileSync(path.join(dir, 'names'), `subjectAltName=DNS:${name}\nextendedKeyUsage=${usage}\n`)
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
    run('x509', '-req', '-in', `${name}.csr`, ...authority, '-extfile', 'names', '-out', `${name}.pem`)
  }
})
afterAll(() => rmSync(dir, { recursive: true }))

async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => open.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that counts who came. */
async function startVictim() {
  const victim = { port: 0, visits: 0 }
  victim.port = await listen(
    createServer((socket) => {
      victim.visits++
      socket.end()
    }),
  )
  return victim
}

const allowing = (allowed: string) => new AddressPolicy(parseAllowedNetworks(allowed))

/** A resolver that answers these in turn, and the last of them from then on. */
function answering(...answers: (readonly string[])[]) {
  const asked: string[] = []
  const resolve = async (name: string) => answers[Math.min(asked.push(name), answers.length) - 1] ?? []
  return { asked, resolve }
}

const faultOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'connected',
    (error) => (error instanceof OutgoingError ? error.message : `not an OutgoingError: ${error}`),
  )

interface Trick {
  readonly host: string
  readonly answers?: readonly (readonly string[])[]
  readonly fault: string
}

/** Ways to have the platform connect to itself; the first answer is for the check when the address is saved. */
const tricks: readonly Trick[] = [
  { host: '127.0.0.1', fault: 'addressRefused loopback 127.0.0.1' },
  { host: '0.0.0.0', fault: 'addressRefused unspecified 0.0.0.0' },
  { host: '::', fault: 'addressRefused unspecified ::' },
  { host: '::ffff:7f00:1', fault: 'addressRefused embedded ::ffff:7f00:1' },
  { host: 'loop.example.com', answers: [['127.0.0.1']], fault: 'addressRefused loopback' },
  {
    host: 'mapped.example.com',
    answers: [['::ffff:127.0.0.1']],
    fault: 'addressRefused embedded',
  },
  {
    host: 'two.example.com',
    answers: [[publicAddress, '127.0.0.1']],
    fault: 'addressRefused loopback',
  },
  {
    host: 'turns.example.com',
    answers: [[publicAddress], ['127.0.0.1']],
    fault: 'addressRefused loopback',
  },
  { host: 'nowhere.example.com', answers: [[]], fault: 'nameUnknown' },
]

/** Plays the tricks; answers how often the victim was reached and what the first trick that failed otherwise met. */
async function playTricks(policy: Pick<AddressPolicy, 'findProblem'>) {
  const victim = await startVictim()
  const met: Record<string, string> = {}
  for (const { host, answers = [] } of tricks) {
    const { resolve } = answering(...answers)
    const sockets = new CheckedSockets({ policy, resolve })
    const place = { host, port: victim.port, isTls: true }
    await sockets.check(place, space).catch(() => undefined)
    met[host] = await faultOf(sockets.open(place, { space, deadlineMs: 15_000 }))
  }
  return { met, visits: victim.visits }
}

test('an address of this machine is refused, whatever form it has, and whenever its name turns to it', async () => {
  const { met, visits } = await playTricks(allowing(''))
  expect(met).toEqual(Object.fromEntries(tricks.map(({ host, fault }) => [host, fault])))
  expect(visits).toBe(0)
})

test('planted: without the policy the same tricks reach this machine', async () => {
  const { visits } = await playTricks({ findProblem: () => undefined })
  expect(visits).toBeGreaterThan(5)
})

test('a name that changes between look-up and connection is asked once, and its first answer is connected to', async () => {
  const { asked, resolve } = answering([publicAddress], ['127.0.0.1'])
  const dialled: string[] = []
  const sockets = new CheckedSockets({
    policy: allowing(''),
    resolve,
    dial: async (addresses) => {
      dialled.push(...addresses)
      throw Object.assign(new Error(), { code: 'ECONNREFUSED' })
    },
  })
  const place = { host: 'mes.example.com', port: 443, isTls: true }
  expect(await faultOf(sockets.open(place, { space }))).toBe('refused ECONNREFUSED')
  expect({ asked, dialled }).toEqual({ asked: ['mes.example.com'], dialled: [publicAddress] })
})

test('a connection that ends elsewhere than at the address that was checked is refused', async () => {
  const victim = await startVictim()
  const { resolve } = answering([publicAddress])
  const sockets = new CheckedSockets({
    policy: allowing(''),
    resolve,
    dial: () =>
      new Promise((done) => {
        const socket = connect(victim.port, '127.0.0.1', () => done(socket))
      }),
  })
  const place = { host: 'mes.example.com', port: victim.port, isTls: true }
  expect(await faultOf(sockets.open(place, { space }))).toBe('addressRefused loopback')
})

test('the next address of a name is tried where one does not answer', async () => {
  const port = await listen(createServer(() => undefined))
  const { resolve } = answering(['::1', '127.0.0.1'])
  const sockets = new CheckedSockets({ policy: allowing(`* 127.0.0.1:${port}, * [::1]:${port}`), resolve })
  const opened = await sockets.open({ host: 'mes.example.com', port, isTls: false }, { space })
  opened.socket.destroy()
  expect(opened.connection.address).toBe('127.0.0.1')
})

test('a name server that never answers, and a server that never speaks TLS, end with the deadline', async () => {
  const port = await listen(createServer(() => undefined))
  const policy = allowing(`* 127.0.0.1:${port}`)
  const silent = new CheckedSockets({ policy, resolve: () => new Promise(() => undefined) })
  const place = { host: 'mes.example.com', port, isTls: true }
  expect(await faultOf(silent.open(place, { space, deadlineMs: 50 }))).toBe('timeout')
  const { resolve } = answering(['127.0.0.1'])
  const mute = new CheckedSockets({ policy, resolve })
  expect(await faultOf(mute.open(place, { space, deadlineMs: 50 }))).toBe('timeout')
})

async function startTls(options: TlsOptions = {}) {
  const own = { cert: read('mes.example.com.pem'), key: read('mes.example.com.key') }
  const port = await listen(
    createTlsServer({ ...own, ...options }, (socket) => socket.on('error', () => undefined)),
  )
  const { resolve } = answering(['127.0.0.1'])
  const sockets = new CheckedSockets({ policy: allowing(`* 127.0.0.1:${port}`), resolve })
  return (host: string, tls?: OutgoingTls) => sockets.open({ host, port, isTls: true }, { space, tls })
}

test('a certificate has to be of a known authority and of this name, or the one that is pinned', async () => {
  const open = await startTls()
  const pin = new X509Certificate(read('mes.example.com.pem')).fingerprint256
  const outcome = async (host: string, tls?: OutgoingTls) =>
    faultOf(open(host, tls).then(({ socket }) => socket.destroy()))
  expect(await outcome('mes.example.com', { ca: read('ca.pem') })).toBe('connected')
  expect(await outcome('mes.example.com')).toBe('tls UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(await outcome('erp.example.com', { ca: read('ca.pem') })).toBe('tls ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await outcome('127.0.0.1', { ca: read('ca.pem') })).toBe('tls ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await outcome('erp.example.com', { pin })).toBe('connected')
  expect(await outcome('erp.example.com', { pin: pin.replaceAll(':', '').toLowerCase() })).toBe('connected')
  expect(await outcome('mes.example.com', { ca: read('ca.pem'), pin: pin.replace(/^../, '00') })).toMatch(
    'PIN_DIFFERS',
  )
})

test('a certificate that is refused is shown', async () => {
  const open = await startTls()
  await expect(open('mes.example.com')).rejects.toMatchObject({
    code: 'tls',
    certificate: {
      subject: 'mes.example.com',
      issuer: 'Their authority',
      fingerprint: expect.stringMatching(/^..:/),
    },
  })
})

test('a server that asks for a certificate gets the one of the destination', async () => {
  const named = Promise.withResolvers<string>()
  const own = { cert: read('mes.example.com.pem'), key: read('mes.example.com.key') }
  const server = createTlsServer({ ...own, ca: read('ca.pem'), requestCert: true }, (socket) => {
    named.resolve(`${socket.getPeerCertificate().subject.CN} ${socket.authorized} ${socket.servername}`)
  })
  const port = await listen(server)
  const { resolve } = answering(['127.0.0.1'])
  const sockets = new CheckedSockets({ policy: allowing(`* 127.0.0.1:${port}`), resolve })
  const tls = { ca: read('ca.pem'), certificate: read('busbar.pem'), privateKey: read('busbar.key') }
  const opened = await sockets.open({ host: 'mes.example.com', port, isTls: true }, { space, tls })
  expect(await named.promise).toBe('busbar true mes.example.com')
  opened.socket.destroy()
})

test('a redirect to another origin does not get the certificate of the destination', async () => {
  const own = { cert: read('mes.example.com.pem'), key: read('mes.example.com.key') }
  const asking = { ...own, ca: read('ca.pem'), requestCert: true, rejectUnauthorized: false }
  const shown: string[] = []
  const elsewhere = await listen(
    createTlsServer(asking, (socket) => shown.push(`elsewhere ${socket.getPeerCertificate().subject?.CN}`)),
  )
  const port = await listen(
    createTlsServer(asking, (socket) => {
      shown.push(`typed ${socket.getPeerCertificate().subject?.CN}`)
      const location = `https://mes.example.com:${elsewhere}/`
      const answer = `HTTP/1.1 307 Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`
      socket.once('data', () => socket.write(answer))
    }),
  )
  const calls = new OutgoingCalls({
    allowed: parseAllowedNetworks(`* 127.0.0.1:${port}, * 127.0.0.1:${elsewhere}`),
    resolve: async () => ['127.0.0.1'],
  })
  onTestFinished(() => calls.close())
  const call = calls.request({
    method: 'GET',
    to: parseTypedAddress(`https://mes.example.com:${port}`, { protocols: ['https'] }),
    space,
    redirectsMax: 1,
    tls: { ca: read('ca.pem'), certificate: read('busbar.pem'), privateKey: read('busbar.key') },
  })
  // The authority is trusted for the place that was typed.
  expect(await faultOf(call)).toContain('tls')
  expect(shown).not.toContain('elsewhere busbar')
})

test('a port without a server, and one without TLS, are told apart', async () => {
  const closed = createServer()
  const free = await listen(closed)
  await new Promise((resolve) => closed.close(resolve))
  const victim = await startVictim()
  const sockets = new CheckedSockets({
    policy: allowing(`* 127.0.0.1:${free}, * 127.0.0.1:${victim.port}`),
    resolve: answering(['127.0.0.1']).resolve,
  })
  const at = (port: number) =>
    faultOf(sockets.open({ host: 'mes.example.com', port, isTls: true }, { space }))
  expect(await at(free)).toBe('refused ECONNREFUSED')
  expect(await at(victim.port)).toMatch(/^reset|^tls/)
})
