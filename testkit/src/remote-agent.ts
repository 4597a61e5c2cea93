import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '@busbar/agent/agent.ts'
import { type Clock, systemClock } from '@busbar/agent/clock.ts'
import { loadConfig } from '@busbar/agent/config/load-config.ts'
import { tunnelPath } from '@busbar/link'
import type { TestMachine } from './builders.ts'

/** The platform's addresses for an agent. */
export interface AgentSite {
  readonly url: string
  readonly mqttUrl: string
}

/** A real agent with nothing but its way to the platform. */
export interface TestRemoteAgent {
  /** Ends the time in which a change has to work. */
  skipTrial(): void
  stop(): Promise<void>
}

/** Starts an agent that may be configured from the platform; `remote` false: its file does not say so. `more` are further lines of it. */
export async function startRemoteAgent(
  site: AgentSite,
  machine: Pick<TestMachine, 'code' | 'secret'>,
  { remote = true, more = '' }: { remote?: boolean; more?: string } = {},
): Promise<TestRemoteAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-agent-'))
  const path = join(folder, 'agent.yaml')
  const tunnel = `${site.url.replace(/^http/, 'ws')}${tunnelPath}`
  const own = remote
    ? 'remote: drivers\nnetworks: [127.0.0.0/8]\nports: { modbus-tcp: [1-65535], opcua: [1-65535], s7: [1-65535] }'
    : 'connections: []'
  await writeFile(
    path,
    `cloud: { url: "${site.mqttUrl}", tunnel: "${tunnel}", code: "${machine.code}", secret: "${machine.secret}" }\n${own}\n${more}\n`,
  )
  let skippedMs = 0
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skippedMs }
  const agent = await startAgent(await loadConfig(path), {
    clock,
    log: () => undefined,
    random: Math.random,
  })
  return {
    skipTrial() {
      skippedMs += 61_000
    },
    async stop() {
      await agent.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
