import { systemClock } from '@busbar/agent/clock.ts'
import type { PortConfig } from '@busbar/agent/config/config.ts'
import { startAgentTunnel } from '@busbar/agent/tunnel/agent-tunnel.ts'
import { countBuffersInHeap, tunnelPath } from '@busbar/link'
import { type Memory, measureMemory } from '../src/memory.ts'
import { serve } from '../src/rpc.ts'
import { BufferedBytes } from './buffered-bytes.ts'
import { benchTargets } from './names.ts'

/* The agent's end of tunnels, as the agent itself runs it, in a separate process. */

export interface AgentsOrder {
  /** The platform's web port, as these agents see it. */
  readonly webPort: number
  readonly pagePort: number
  readonly machines: readonly { readonly code: string; readonly secret: string }[]
  readonly ports?: readonly PortConfig[] | undefined
}

// As in the programs themselves.
countBuffersInHeap()

let stops: (() => void)[] = []
let buffered: BufferedBytes | undefined

serve({
  start({ webPort, pagePort, machines, ports = [] }: AgentsOrder): void {
    const page = `http://127.0.0.1:${pagePort}`
    for (const { code, secret } of machines) {
      const tunnel = startAgentTunnel(
        {
          cloud: {
            url: '',
            code,
            secret,
            outboxSamplesMax: 1_000,
            tunnel: `ws://127.0.0.1:${webPort}${tunnelPath}`,
          },
          targets: [
            { name: benchTargets.change, url: page, readOnly: 'none', insecure: false },
            { name: benchTargets.watch, url: page, readOnly: 'enforced', insecure: false },
          ],
          ports: [...ports],
        },
        {
          page: (_request, answer) => void answer.begin(200, {}).end('page'),
          clock: systemClock,
          log(level, event, fields) {
            if (level === 'error') console.error(event, fields)
          },
          random: Math.random,
        },
      )
      stops.push(() => tunnel.stop())
    }
  },

  memory: (): Memory => measureMemory(),

  /** Bytes of answers that wait in this process, from here on counted. */
  buffered(): number {
    buffered ??= new BufferedBytes()
    return buffered.sum()
  },

  stop(): void {
    for (const stop of stops) stop()
    stops = []
  },
})
