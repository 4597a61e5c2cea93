import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { silentLogger } from '../../kernel/logger.ts'
import { NodeCertificate, type NodeCredentials } from '../../kernel/nodes/node-certificate.ts'
import { roles } from '../../kernel/roles.ts'
import { NotReachable } from '../not-reachable.ts'
import { NodeStreams } from './node-streams.ts'

/* The other node is a process, because only a process can be frozen. */

const peerProgram = `
  const { createSecureServer } = require('node:http2')
  process.once('message', (credentials) => {
    const server = createSecureServer({ ...credentials, minVersion: 'TLSv1.3' })
    const sessions = new Set()
    server.on('session', (session) => sessions.add(session.on('error', () => {})))
    server.on('stream', (stream) => stream.on('error', () => {}).respond({ ':status': 200 }))
    server.listen(0, '127.0.0.1', () => process.send(server.address().port))
    process.on('message', () => {
      for (const session of sessions) session.goaway()
      setImmediate(() => process.kill(process.pid, 'SIGSTOP'))
    })
  })`
const peer = { id: 'node', incarnation: '', roles, publicKey: null }
const directory = {
  peek: () => peer,
  find: async () => peer,
  isRevoked: () => false,
  onRead: () => () => undefined,
}
const pingMs = 5_000
const connectMsMax = 5_000

const stops: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function startPeer(credentials: NodeCredentials): Promise<{ child: ChildProcess; address: string }> {
  const child = fork('--eval', [peerProgram], { execPath: process.execPath })
  stops.push(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  child.send(credentials)
  const [port] = (await once(child, 'message')) as [number]
  return { child, address: `127.0.0.1:${port}` }
}

it('a node that goes away and is frozen before its line has ended ends no other node', async () => {
  const authority = await createTestAuthority()
  stops.push(() => authority.remove())
  const credentials = await authority.sign('node')
  const { child, address } = await startPeer(credentials)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const certificate = new NodeCertificate(() => credentials, silentLogger)
  const permits = { issue: async () => 'permit' }
  const streams = new NodeStreams({ certificate, directory, permits, logger: silentLogger })
  const tunnel = { machineId: 1, openedAt: 1, nodeId: 'node', address }
  stops.push(() => streams.stop())
  const stream = await streams.open(tunnel, { ':path': '/' }, { endStream: true })
  await once(stream, 'response')
  stream.close()
  child.send('go away')
  await expect.poll(() => streams.sessions).toBe(0)
  // A ping on a destroyed session throws, and nobody would catch it.
  for (let beats = 0; beats < 3; beats++) vi.advanceTimersByTime(pingMs)
  // The next one is not on the line that ended, and the frozen node does not answer it.
  const next = streams.open(tunnel, { ':path': '/' }, { endStream: true })
  const refused = expect(next).rejects.toThrow(NotReachable)
  await vi.advanceTimersByTimeAsync(connectMsMax)
  await refused
})
