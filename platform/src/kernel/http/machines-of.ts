import { findMachineField, type MachineKind } from '@busbar/contract'
import type { MachineOf, Module } from '../module.ts'
import type { Binding } from './bind.ts'
import type { Guards } from './guards.ts'

type Find = NonNullable<MachineOf[MachineKind]>

/**
 * Finds machines by the ids that the modules can resolve.
 * @throws Error when two modules resolve the same kind, or a route names a kind that none resolves
 */
export function collectMachinesOf(
  modules: readonly Pick<Module, 'name' | 'routes' | 'machineOf'>[],
): Guards['machinesOf'] {
  const known = new Map<MachineKind, { readonly module: string; readonly find: Find }>()
  for (const { name, machineOf = {} } of modules) {
    for (const [kind, find] of Object.entries(machineOf) as [MachineKind, Find][]) {
      const other = known.get(kind)
      if (other) throw new Error(`The machine of "${kind}" is told by ${other.module} and by ${name}.`)
      known.set(kind, { module: name, find })
    }
  }
  for (const { route } of modules.flatMap(({ routes = [] }) => routes)) {
    const kind = machineKindOf(route)
    if (kind !== undefined && !known.has(kind))
      throw new Error(`${route.method} ${route.path}: no module tells the machine of "${kind}".`)
  }
  return async (kind, named) => {
    const found = await known.get(kind)?.find(named as never)
    return typeof found === 'number' ? [found] : found
  }
}

function machineKindOf({ who }: Binding['route']): MachineKind | undefined {
  return typeof who === 'object' && 'right' in who ? findMachineField(who).kind : undefined
}
