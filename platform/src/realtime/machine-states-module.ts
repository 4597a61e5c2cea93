import type { GatewayModule } from '../edge/gateway-module.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { queueLength } from '../kernel/metrics/index.ts'
import type { Module } from '../kernel/module.ts'
import type { AccessDoor } from '../modules/access/index.ts'
import { MachineStates } from './machine-states.ts'

interface Deps {
  readonly access: AccessDoor
  readonly gateway: GatewayModule
}

/** Tells pages of machines' states; it outlives the push sockets, so that the last states are stored. */
export function createMachineStatesModule(kernel: Kernel, { access, gateway }: Deps): Module {
  const { db, bus, logger, rights, now } = kernel
  const isOnline = (machineId: number) => gateway.gateway.presence.isOnline(machineId)
  const states = new MachineStates({ db, bus, logger, access, rights, isOnline, now })
  return {
    name: 'machineStates',
    roles: ['realtime'],
    follows: [states.follower],
    start: () => states.start(),
    stop: () => states.stop(),
    metrics: () => [queueLength('machine_states', states.waiting)],
    figures: () => ({ queues: [{ name: 'machineStates', length: states.waiting }] }),
  }
}
