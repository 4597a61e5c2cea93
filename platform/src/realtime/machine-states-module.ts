import type { EdgeLink } from '../edge-link/edge-link.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { queueLength } from '../kernel/metrics/index.ts'
import type { Module } from '../kernel/module.ts'
import type { AccessPort } from '../modules/access/index.ts'
import { MachineStates } from './machine-states.ts'

interface Deps {
  readonly access: AccessPort
  readonly link: EdgeLink
}

/** Publishes machines' states to pages; it stops after the push sockets, so that the last states are stored. */
export function createMachineStatesModule(kernel: Kernel, { access, link }: Deps): Module {
  const { db, bus, logger, rights, now } = kernel
  const states = new MachineStates({ db, bus, logger, access, rights, link, now })
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
