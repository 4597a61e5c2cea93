import { systemClock } from '@busbar/agent/clock.ts'
import { startPage } from '@busbar/agent/page/page.ts'
import { startAgentTunnel } from '@busbar/agent/tunnel/agent-tunnel.ts'
import type { MachineNode } from './machine-node.ts'
import type { MachineProfile } from './profiles/profile.ts'
import { SimulatedMachine } from './simulated-machine.ts'

/** Interval at which the machine's line is checked. */
const lineCheckMs = 2_000
const silent = (): void => {}

export interface MachinePageOptions {
  node: MachineNode
  profile: MachineProfile
  secret: string
  /** `ws://…/tunnel` of the platform. */
  tunnelUrl: string
}

/** Lets people enter a simulated machine: the agent's own page, through a tunnel that is up while the machine is. */
export function startMachinePage({ node, profile, secret, tunnelUrl }: MachinePageOptions): { stop(): void } {
  const machine = new SimulatedMachine(node, profile)
  const parts = { clock: systemClock, log: silent, random: Math.random }
  const page = startPage({
    ...parts,
    machine,
    model: profile.model,
    connections: () => [{ name: profile.model, firstTag: 0, tagCount: machine.tags.length }],
    localWrite: false,
  })
  const cloud = { url: '', code: node.code, secret, outboxSamplesMax: 0, tunnel: tunnelUrl }
  let tunnel: { stop(): void } | undefined
  const follow = (): void => {
    if (node.isOnline && tunnel === undefined) {
      tunnel = startAgentTunnel({ cloud, targets: [], ports: [] }, { ...parts, page: page.handler })
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
