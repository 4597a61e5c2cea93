import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ClientHttp2Session } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { RemoteDocument, RemoteFields, RemoteState } from '@busbar/link'
import { agentConfigPath, tunnelTarget } from '@busbar/link'
import type { Agent } from '../agent.ts'
import { startAgent } from '../agent.ts'
import type { Clock } from '../clock.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/load-config.ts'
import { TestBroker } from './test-broker.ts'
import { startTunnelPlatform } from './tunnel-platform.ts'

/** A real agent that may be configured remotely, and the platform's ends of its two lines. */
export interface RemoteAgent {
  readonly broker: TestBroker
  /** Asks the agent as the platform does. */
  ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ status: number; body: T }>
  state(): Promise<RemoteState>
  apply(connections: readonly RemoteFields[], base?: number): Promise<{ status: number; body: unknown }>
  /** The state when no change is being tried any more. */
  settled(): Promise<RemoteState>
  /** The time of a trial is over. */
  skipTrial(): void
  /** Ends it as a crash does, as far as the disk is concerned, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

const code = '1000000000000000001'

/** `more` are further lines of its file. */
export async function startRemoteAgent(more = ''): Promise<RemoteAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-remote-'))
  const broker = await TestBroker.start()
  const platform = await startTunnelPlatform()
  await writeFile(
    join(folder, 'agent.yaml'),
    `cloud: { url: "${broker.url}", tunnel: "${platform.url}", code: "${code}", secret: s }
remote: drivers
networks: [127.0.0.0/8]
${/^ports:/m.test(more) ? '' : 'ports: { modbus-tcp: [1-65535], modbus-rtu: [1-65535], opcua: [1-65535], s7: [1-65535] }'}
${more}
`,
  )
  let skippedMs = 0
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skippedMs }
  let agent: Agent
  let session: ClientHttp2Session

  async function start(): Promise<void> {
    const next = platform.nextSession()
    agent = await startAgent(await loadConfig(join(folder, 'agent.yaml')), {
      clock,
      log: () => undefined,
      random: Math.random,
    })
    session = await next
  }

  async function ask<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const stream = session.request({ ':method': method, ':path': path, ':authority': tunnelTarget.agent })
    const answered = new Promise<number>((resolve) => {
      stream.once('response', (headers) => resolve(Number(headers[':status'])))
    })
    stream.end(body === undefined ? undefined : JSON.stringify(body))
    const [status, answer] = await Promise.all([answered, text(stream)])
    return { status, body: (answer.startsWith('{') ? JSON.parse(answer) : answer) as T }
  }
  const state = async (): Promise<RemoteState> => (await ask<RemoteState>('GET', agentConfigPath.state)).body

  await start()
  let changes = 0
  return {
    broker,
    ask,
    state,
    async apply(connections, base) {
      const document: RemoteDocument = { connections }
      const from = base ?? (await state()).revision
      return ask('POST', agentConfigPath.apply, { base: from, id: `change ${++changes}`, document })
    },
    async settled() {
      for (;;) {
        const now = await state()
        if (now.trial === null) return now
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    skipTrial() {
      skippedMs += 61_000
    },
    async restart() {
      await agent.stop()
      await start()
    },
    async close() {
      await agent.stop()
      await platform.close()
      await broker.close()
      await rm(folder, { recursive: true })
    },
  }
}
