import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import {
  type AgentInfo,
  agentPath,
  portsPath,
  TunnelStream,
  TunnelWindows,
  tunnelPath,
  tunnelProtocol,
  tunnelSessionOptions,
  tunnelSettings,
  tunnelTarget,
} from '@busbar/link'
import { WebSocket } from 'ws'
import type { TestMachine } from './builders.ts'
import type { TestPlatform } from './platform.ts'

const deadlineMs = 10_000

/** The agent's end of a machine's tunnel, without an agent. */
export interface TestTunnel {
  /** Resolves with the WebSocket's code once the platform closed it, or the line broke. */
  readonly closed: Promise<number>
  close(): void
}

export interface TestTunnelOptions {
  /** In addition to `page`, or instead of it. */
  targets?: AgentInfo['targets']
  ports?: AgentInfo['ports']
  /** For a platform whose host is another name of 127.0.0.1. */
  url?: string
}

type StreamHandler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void

/**
 * Opens a machine's tunnel whose every stream goes to `handler`, WebSockets (`:protocol`) and CONNECT
 * included; `options` answers for the agent's offers. Resolves when the platform has the tunnel.
 */
export async function openTestTunnel(
  site: TestPlatform,
  machine: TestMachine,
  handler: StreamHandler,
  options: TestTunnelOptions = {},
): Promise<TestTunnel> {
  const ws = serveTestTunnel(site, machine, handler, options)
  const closed = new Promise<number>((resolve) => ws.once('close', resolve))
  await opened(site, machine, ws)
  return { closed, close: () => ws.terminate() }
}

/** The same for a platform in another process, which does not tell when it has the tunnel. */
export function serveTestTunnel(
  site: Pick<TestPlatform, 'url'>,
  machine: Pick<TestMachine, 'code' | 'secret'>,
  handler: StreamHandler,
  options: TestTunnelOptions = {},
): WebSocket {
  const info: AgentInfo = {
    version: 'test',
    targets: options.targets ?? [{ name: tunnelTarget.page, readOnly: true }],
    ports: options.ports ?? [],
  }
  const server = createServer({
    ...tunnelSessionOptions,
    settings: { ...tunnelSettings, enableConnectProtocol: true },
  })
  let windows: TunnelWindows | undefined
  server.on('session', (session) => {
    session.on('error', () => undefined)
    windows = new TunnelWindows(session, () => performance.now())
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined)
    windows?.add(stream)
    if (headers[':authority'] !== tunnelTarget.agent) return handler(stream, headers)
    const path = String(headers[':path'])
    stream.respond({ ':status': [agentPath.info, portsPath].includes(path) ? 200 : 404 })
    stream.end(JSON.stringify(path === portsPath ? { ports: info.ports } : info))
  })
  const ws = dialTestTunnel(site, machine, options.url)
  ws.once('open', () => server.emit('connection', new TunnelStream(ws, (bytes) => windows?.received(bytes))))
  return ws
}

/** Resolves when the platform has a new tunnel of the machine. */
async function opened(site: TestPlatform, machine: TestMachine, ws: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`no tunnel within ${deadlineMs} ms`)), deadlineMs)
  const stop = site.platform.tunnels.onChange((machineId, tunnel) => {
    if (machineId === machine.machineId && tunnel) resolve()
  })
  ws.once('error', reject)
  ws.once('close', (code) => reject(new Error(`the tunnel was closed with ${code}`)))
  try {
    await promise
  } finally {
    clearTimeout(timer)
    stop()
  }
}

/** A WebSocket to `/tunnel` as a machine opens it, without any data. */
export function dialTestTunnel(
  site: Pick<TestPlatform, 'url'>,
  machine: Pick<TestMachine, 'code' | 'secret'>,
  url: string = site.url,
): WebSocket {
  return new WebSocket(`${url.replace(/^http/, 'ws')}${tunnelPath}`, tunnelProtocol, {
    auth: `${machine.code}:${machine.secret}`,
    perMessageDeflate: false,
  })
}
