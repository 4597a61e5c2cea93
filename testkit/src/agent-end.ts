import { systemClock } from '@busbar/agent/clock.ts'
import type { AgentConfig, PortConfig } from '@busbar/agent/config/config.ts'
import { startAgentTunnel } from '@busbar/agent/tunnel/agent-tunnel.ts'
import type { PageHandler } from '@busbar/agent/tunnel/page-handler.ts'
import { tunnelPath } from '@busbar/link'
import type { TestMachine } from './builders.ts'
import type { TestPlatform } from './platform.ts'

const deadlineMs = 10_000

/** A port of this computer, as an agent's file has it: without more fields as its address alone. */
export const localPort = (port: number, fields: Partial<PortConfig> = {}): PortConfig => ({
  ...{ name: `127.0.0.1:${port}`, host: '127.0.0.1', port },
  ...{ kind: 'other', note: '', look: 'nobody', connections: 4 },
  ...fields,
})

/** Opens a machine's tunnel with the real agent's end of it. Resolves when the platform knows it. */
export async function openAgentTunnel(
  site: TestPlatform,
  machine: TestMachine,
  config: Partial<Pick<AgentConfig, 'targets' | 'ports'>> & { page?: PageHandler } = {},
): Promise<{ stop(): void }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`no tunnel within ${deadlineMs} ms`)), deadlineMs)
  const forget = site.platform.tunnels.onChange((machineId, tunnel) => {
    if (machineId === machine.machineId && tunnel) resolve()
  })
  const tunnel = startAgentTunnel(
    {
      cloud: {
        url: '',
        code: machine.code,
        secret: machine.secret,
        outboxSamplesMax: 1_000,
        tunnel: `${site.url.replace(/^http/, 'ws')}${tunnelPath}`,
      },
      targets: config.targets ?? [],
      ports: config.ports ?? [],
    },
    {
      page: config.page ?? ((_request, answer) => void answer.begin(200, {}).end('page')),
      clock: systemClock,
      log: () => undefined,
      random: Math.random,
    },
  )
  try {
    await promise
    return tunnel
  } catch (error) {
    tunnel.stop()
    throw error
  } finally {
    clearTimeout(timer)
    forget()
  }
}
