import { enterprises, mayCall } from '@busbar/contract'
import { createContext, use } from 'react'
import type { DeviceType, Permission } from '../../entities/enterprise/enterprise-queries.ts'

/** The owner of the devices that a list shows: the person, an enterprise, or customers that it maintains. */
export type DeviceSpace =
  | { readonly kind: 'personal' }
  | {
      readonly kind: 'owned' | 'maintained'
      readonly eid: number
      readonly type: DeviceType
      /** The caller's rights there; undefined until known. */
      readonly permission: Permission | undefined
    }

const settingsCalls = [enterprises.updateEnterpriseMachine, enterprises.updateMaintenanceRemark]

/** Whether the caller may add a device, or ask to maintain one. */
export function mayAdd(space: DeviceSpace): boolean {
  if (space.kind === 'personal') return true
  const route = space.kind === 'owned' ? enterprises.addEnterpriseMachine : enterprises.requestMaintenance
  return mayCall(route, space.permission)
}

/** Whether the caller may change what an enterprise notes of its devices. */
export function maySet(space: DeviceSpace): boolean {
  return space.kind !== 'personal' && settingsCalls.some((route) => mayCall(route, space.permission))
}

const context = createContext<DeviceSpace>({ kind: 'personal' })

export const SpaceProvider = context.Provider

/** The space of this list, pane and dialogs. */
export function useDeviceSpace(): DeviceSpace {
  return use(context)
}
