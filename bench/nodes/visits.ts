import type { AgentsOrder } from '../tunnel/agents.ts'
import { type benchTargets, type PageAddress, visitHostOf } from '../tunnel/names.ts'
import type { EnterOrder } from '../tunnel/platform.ts'
import type { BenchMachine } from '../tunnel/site.ts'
import type { BenchNode, BenchNodes } from './bench-nodes.ts'

/** Opens the tunnels of machines at one node, and lets people in at another. */
export async function createVisits(nodes: BenchNodes, edge: BenchNode, visits: BenchNode) {
  const page = await nodes.startWorker('tunnel/page.ts')
  const pagePort = await page.call<number>('listen')
  const agents = await nodes.startWorker('tunnel/agents.ts')
  const load = await nodes.startWorker('tunnel/load.ts')
  return {
    agents,
    load,
    async openTunnels(machines: readonly BenchMachine[]) {
      const order: AgentsOrder = { webPort: edge.webPort, pagePort, machines }
      await agents.call('start', order)
      for (const { machineId } of machines) await edge.worker.call('awaitTunnel', { machineId })
    },
    async enter(
      { userId, sessionId }: { userId: number; sessionId: number },
      { machineId, code }: BenchMachine,
      target: keyof typeof benchTargets = 'change',
    ): Promise<PageAddress> {
      const host = visitHostOf(code, target)
      const order: EnterOrder = { userId, sessionId, machineId, host, target }
      const cookie = await visits.worker.call<string>('enter', order)
      return { port: visits.webPort, host: `${host}:${visits.webPort}`, cookie }
    },
  }
}
