import { setTimeout as delay } from 'node:timers/promises'
import type { DemoPlan, PlannedMachine } from './demo-plan.ts'
import { startEdgeNode } from './edge-node.ts'
import { type MachineNode, type NodeOptions, startTicking } from './machine-node.ts'
import { type ModbusMachine, startModbusMachine } from './modbus-machine.ts'
import { startPlainJsonNode } from './plain-json-node.ts'
import { findTrade } from './trades/index.ts'
import type { Trade } from './trades/trade.ts'

/** All of a plan's machines, running in this process. */
export interface Simulation {
  readonly modbus: ModbusMachine | undefined
  stop(): Promise<void>
}

/** A machine whose past does not get through keeps the next one waiting no longer than this. */
const settleMsMax = 3_000

/**
 * Starts the Modbus machine, and then machine after machine. `onFailure` hears of what ends the whole, a trade nobody
 * knows for one.
 */
export async function startSimulation(
  plan: DemoPlan,
  onFailure: (error: unknown) => void,
): Promise<Simulation> {
  const modbus = plan.modbus === undefined ? undefined : await startModbusMachine(plan.modbus)
  const nodes: MachineNode[] = []
  const pages: { stop(): void }[] = []
  const openPage = await pagesOf(plan)
  const stopTicking = startTicking(nodes)
  let stopped = false
  // One after the other: a machine's past is a second of work, and each is seen as soon as its own is done.
  const starting = (async () => {
    for (const machine of plan.machines) {
      if (stopped) return
      const trade = findTrade(machine.trade)
      if (trade === undefined) throw new Error(`unknown trade: ${machine.trade}`)
      const node = await startNode(plan, machine, trade)
      nodes.push(node)
      if (openPage !== undefined) pages.push(openPage({ node, trade, secret: machine.secret }))
      node.tick()
      // The pasts of all machines at once would take three times the memory.
      if (plan.fillHistory) await Promise.race([node.settled, delay(settleMsMax, undefined, { ref: false })])
    }
  })()
  starting.catch(onFailure)
  return {
    modbus,
    async stop() {
      stopped = true
      stopTicking()
      for (const page of pages) page.stop()
      await Promise.all([...nodes.map((node) => node.stop()), modbus?.close()])
    },
  }
}

function startNode(plan: DemoPlan, machine: PlannedMachine, trade: Trade): Promise<MachineNode> {
  const options: NodeOptions = {
    mqttUrl: plan.mqttUrl,
    code: machine.code,
    secret: machine.secret,
    trade,
    outages: machine.outages,
    ...(plan.fillHistory ? { historyFromAt: plan.historyFromAt } : {}),
  }
  return trade.speaks === 'sparkplug' ? startEdgeNode(options) : startPlainJsonNode(options)
}

/** Loaded for a plan that wants pages only: the agent's page is a good part of a small process. */
async function pagesOf({ tunnelUrl }: DemoPlan) {
  if (tunnelUrl === undefined) return undefined
  const { startMachinePage } = await import('./machine-page.ts')
  return (machine: Omit<Parameters<typeof startMachinePage>[0], 'tunnelUrl'>) =>
    startMachinePage({ ...machine, tunnelUrl })
}
