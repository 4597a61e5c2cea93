import type { EdgeLink } from '../edge-link/edge-link.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { queueLength } from '../kernel/metrics/index.ts'
import type { Module } from '../kernel/module.ts'
import { MachineStates } from './machine-states.ts'

interface Deps {
  readonly link: EdgeLink
}

/** Publishes machines' states to pages; it stops after the push sockets, so that the last states are stored. */
export function createMachineStatesModule(kernel: Kernel, { link }: Deps): Module {
  const { db, bus, logger, rights, config, now } = kernel
  const states = new MachineStates({ db, bus, logger, demo: config.BUSBAR_DEMO, rights, link, now })
  return {
    name: 'machineStates',
    // The process that sees a machine come or go notifies people: its holder, or the job that ends silent nodes.
    roles: ['edge', 'realtime', 'jobs'],
    follows: [states.follower],
    start: () => states.start(),
    stop: () => states.stop(),
    metrics: () => [queueLength('machine_states', states.waiting)],
    figures: () => ({ queues: [{ name: 'machineStates', length: states.waiting }] }),
  }
}
