import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { createTestAuthority, type TestAuthority } from '@busbar/testkit/cluster.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../kernel/logger.ts'
import { NodeCertificate, type NodeCredentials } from '../../kernel/nodes/node-certificate.ts'
import type { Peer } from '../../kernel/nodes/nodes-store.ts'
import { createNodeKeys, Permits } from '../../kernel/nodes/permits.ts'
import { type Role, roles } from '../../kernel/roles.ts'
import { NotReachable } from '../not-reachable.ts'
import { NodeStreams, streamHeaders } from './node-streams.ts'
import { streamAct } from './stream-permit.ts'
import { StreamServer } from './stream-server.ts'

/* The node `edge`, which has a tunnel, and others who ask it for streams, each with what they may have stolen. */

const cancelled = `code ${constants.NGHTTP2_CANCEL}`
const deadline = { timeout: 10_000 }
const tunnel = { machineId: 7, openedAt: 1_700_000_000_000 }
const visit = {
  ':method': 'GET',
  ':path': '/cgi/set?valve=1',
  ':authority': 'page',
  'busbar-visit': '1',
  'busbar-user': 'Somebody',
  'busbar-mode': 'rw',
  'busbar-until': '1700000600000',
}

let authority: TestAuthority
beforeAll(async () => {
  authority = await createTestAuthority()
})
afterAll(() => authority.remove())

async function openPlatform() {
  const rows = new Map<string, Peer>()
  const revoked = new Map<string, Date>()
  const listeners = new Set<() => void>()
  const key = randomBytes(32)
  const directory = {
    peek: (id: string) => rows.get(id),
    find: async (id: string) => rows.get(id),
    refresh: async () => undefined,
    isRevoked: (id: string, from: Date) => from <= (revoked.get(id) ?? new Date(0)),
    onRead(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const revoke = (id: string) => {
    revoked.set(id, new Date())
    for (const listener of listeners) listener()
  }
  const permitsOf = (id: string, own: readonly Role[] = roles) => {
    const self = { id, incarnation: randomUUID(), keys: createNodeKeys() }
    rows.set(id, { id, incarnation: self.incarnation, roles: own, publicKey: self.keys.publicKey })
    return new Permits({ self, directory, key, logger: silentLogger, now: Date.now })
  }
  const agent = await openAgent()
  const certificate = await certificateOf('edge')
  const server = new StreamServer({
    certificate,
    directory,
    permits: permitsOf('edge'),
    tunnels: { find: (machineId) => (machineId === tunnel.machineId ? agent.tunnel : undefined) },
    logger: silentLogger,
  })
  onTestFinished(() => server.stop())
  const address = `127.0.0.1:${await server.listen(0, '127.0.0.1')}`
  return { directory, rows, revoke, permitsOf, address, asked: agent.asked, certificate }
}

async function certificateOf(id: string): Promise<NodeCertificate> {
  const credentials = await authority.sign(id)
  return new NodeCertificate(() => credentials, silentLogger)
}

/** An agent that answers 200 and notes what it was asked. */
async function openAgent() {
  const asked: unknown[] = []
  const server = createServer()
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    asked.push(headers[':path'])
    expect(headers[streamHeaders.permit]).toBeUndefined()
    stream.respond({ ':status': 200 })
    stream.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const session = connect('http://agent', { createConnection: () => connectSocket(port, '127.0.0.1') })
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  return {
    asked,
    tunnel: {
      ...tunnel,
      code: 'm',
      streamCount: 0,
      session,
      info: () => Promise.reject(new Error('not asked')),
      portsNow: async () => [],
      ping: async () => 1,
      request: (headers: OutgoingHttpHeaders) => session.request(headers),
    },
  }
}

async function dial(address: string, credentials: NodeCredentials): Promise<ClientHttp2Session> {
  const session = connect(`https://${address}`, { ...credentials, minVersion: 'TLSv1.3' })
  session.on('error', () => undefined)
  onTestFinished(() => session.destroy())
  return session
}

/** The status of a request, or the code of its end. */
function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, permit?: string): Promise<string> {
  const named = { [streamHeaders.machine]: '7', [streamHeaders.tunnel]: String(tunnel.openedAt) }
  return new Promise((resolve) => {
    if (session.destroyed) return resolve('no line')
    const stream = session.request({
      ...named,
      ...(permit ? { [streamHeaders.permit]: permit } : {}),
      ...headers,
    })
    stream.on('error', () => undefined)
    stream.once('response', (answer) => resolve(String(answer[':status'])))
    stream.once('close', () =>
      resolve(session.closed || session.destroyed ? 'no line' : `code ${stream.rstCode}`),
    )
    stream.end()
  })
}

it('a certificate of a node alone opens nothing: each stream needs a permit for this request, once', async () => {
  const { permitsOf, address, asked } = await openPlatform()
  const permits = permitsOf('visits', ['visits'])
  const other = permitsOf('api', ['api'])
  const session = await dial(address, await authority.sign('visits'))
  const permit = () => permits.issue('edge', streamAct(tunnel, visit))
  expect(await ask(session, visit)).toBe(cancelled)
  const [first, second] = [await permit(), await permit()]
  for (const changed of [
    { 'busbar-mode': 'ro' },
    { 'busbar-user': 'Boss' },
    { 'busbar-visit': '2' },
    { 'busbar-until': '1900000000000' },
    { ':path': '/cgi/set?valve=0' },
    { ':method': 'POST' },
    { ':authority': 'agent' },
    { [streamHeaders.machine]: '8' },
    { [streamHeaders.tunnel]: '1' },
  ])
    expect(await ask(session, { ...visit, ...changed }, first)).toBe(cancelled)
  expect(asked).toEqual([])
  expect(await ask(session, visit, first)).toBe('200')
  expect(await ask(session, visit, first)).toBe(cancelled)
  // That of another node, and one for the agent by a node that only has visits.
  expect(await ask(session, visit, await other.issue('edge', streamAct(tunnel, visit)))).toBe(cancelled)
  const question = { ...visit, ':authority': 'agent' }
  expect(await ask(session, question, await permits.issue('edge', streamAct(tunnel, question)))).toBe(
    cancelled,
  )
  expect(asked).toEqual([visit[':path']])
  expect(await ask(session, visit, second)).toBe('200')
  const api = await dial(address, await authority.sign('api'))
  expect(await ask(api, question, await other.issue('edge', streamAct(tunnel, question)))).toBe('200')
})

it('a line whose streams are not permitted again and again is ended', async () => {
  const { permitsOf, address } = await openPlatform()
  permitsOf('visits')
  const session = await dial(address, await authority.sign('visits'))
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => ask(session, visit)))
  expect(outcomes).not.toContain('200')
  await expect.poll(() => session.destroyed || session.closed, deadline).toBe(true)
})

const wrong: readonly (readonly [string, string, string | undefined])[] = [
  ['of a node that does not live', 'gone', undefined],
  [
    'without clientAuth',
    'visits',
    'extendedKeyUsage=serverAuth\nsubjectAltName=URI:urn:busbar:node:visits,IP:127.0.0.1',
  ],
  ['without any use', 'visits', 'subjectAltName=URI:urn:busbar:node:visits,IP:127.0.0.1'],
  ['without a name of a node', 'visits', 'extendedKeyUsage=clientAuth\nsubjectAltName=IP:127.0.0.1'],
]
it.each(wrong)('a certificate %s opens no line', async (_what, id, extensions) => {
  const { permitsOf, address, asked } = await openPlatform()
  const permits = permitsOf('visits')
  const session = await dial(address, await authority.sign(id, extensions))
  const permit = await permits.issue('edge', streamAct(tunnel, visit))
  expect(await ask(session, visit, permit)).toBe('no line')
  expect(asked).toEqual([])
})

it('a revoked node loses its lines, and opens others with a certificate made afterwards only', async () => {
  const { permitsOf, address, revoke } = await openPlatform()
  const permits = permitsOf('visits')
  const permit = () => permits.issue('edge', streamAct(tunnel, visit))
  const stolen = await authority.sign('visits')
  const session = await dial(address, stolen)
  expect(await ask(session, visit, await permit())).toBe('200')
  revoke('visits')
  await expect.poll(() => session.destroyed, deadline).toBe(true)
  expect(await ask(await dial(address, stolen), visit, await permit())).toBe('no line')
  // Certificates begin at whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await ask(await dial(address, await authority.sign('visits')), visit, await permit())).toBe('200')
})

it('a node asks only the node it means, by the name in its certificate, which must live and not be revoked', async () => {
  const { permitsOf, address, directory, rows, revoke } = await openPlatform()
  const permits = permitsOf('visits')
  permitsOf('other')
  const certificate = await certificateOf('visits')
  const streams = new NodeStreams({ certificate, directory, permits, logger: silentLogger })
  onTestFinished(() => streams.stop())
  const open = async (nodeId: string) => {
    const stream = await streams.open({ ...tunnel, nodeId, address }, visit, { endStream: true })
    const [answer] = await once(stream, 'response')
    return answer[':status']
  }
  expect(await open('edge')).toBe(200)
  await expect(open('other')).rejects.toBeInstanceOf(NotReachable)
  await expect(open('nobody')).rejects.toBeInstanceOf(NotReachable)
  revoke('edge')
  expect(streams.sessions).toBe(0)
  await expect(open('edge')).rejects.toBeInstanceOf(NotReachable)
  rows.delete('edge')
  await expect(open('edge')).rejects.toBeInstanceOf(NotReachable)
})

it('a renewed certificate serves without a restart, and one that names another node does not', async () => {
  let credentials = await authority.sign('visits')
  const certificate = new NodeCertificate(() => credentials, silentLogger)
  const { permitsOf, address, directory } = await openPlatform()
  const permits = permitsOf('visits')
  const streams = new NodeStreams({ certificate, directory, permits, logger: silentLogger })
  onTestFinished(() => streams.stop())
  const open = async () =>
    once(await streams.open({ ...tunnel, nodeId: 'edge', address }, visit, { endStream: true }), 'response')
  await open()
  const first = certificate.credentials.cert
  credentials = await authority.sign('other')
  certificate.reload()
  expect(certificate.credentials.cert).toBe(first)
  credentials = await authority.sign('visits')
  certificate.reload()
  expect(certificate.credentials.cert).not.toBe(first)
  expect(streams.sessions).toBe(0)
  await open()
})
