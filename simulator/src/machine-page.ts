import { systemClock } from '@busbar/agent/clock.ts'
import { startPage } from '@busbar/agent/page/page.ts'
import { startAgentTunnel } from '@busbar/agent/tunnel/agent-tunnel.ts'
import type { MachineNode } from './machine-node.ts'
import { SimulatedMachine } from './simulated-machine.ts'
import type { Trade } from './trades/trade.ts'

/** Interval at which the machine's line is checked. */
const lineCheckMs = 2_000
const silent = (): void => {}

export interface MachinePageOptions {
  node: MachineNode
  trade: Trade
  secret: string
  /** `ws://…/tunnel` of the platform. */
  tunnelUrl: string
}

/** Lets people enter a simulated machine: the agent's own page, through a tunnel that is up while the machine is. */
export function startMachinePage({ node, trade, secret, tunnelUrl }: MachinePageOptions): { stop(): void } {
  const machine = new SimulatedMachine(node, trade)
  const parts = { clock: systemClock, log: silent, random: Math.random }
  const page = startPage({
    ...parts,
    machine,
    model: trade.model,
    connections: () => [{ name: trade.model, firstTag: 0, tagCount: machine.tags.length }],
    localWrite: false,
  })
  const cloud = { url: '', code: node.code, secret, outboxSamplesMax: 0, tunnel: tunnelUrl }
  let tunnel: { stop(): void } | undefined
  const follow = (): void => {
    if (node.isOnline && tunnel === undefined) {
      tunnel = startAgentTunnel({ cloud, targets: [], tcp: [] }, { ...parts, page: page.handler })
    } else if (!node.isOnline && tunnel !== undefined) {
      tunnel.stop()
      tunnel = undefined
    }
  }
  const timer = setInterval(follow, lineCheckMs)
  return {
    stop() {
      clearInterval(timer)
      tunnel?.stop()
      page.close()
      machine.close()
    },
  }
}
