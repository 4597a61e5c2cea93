import { enterprises, machines } from '@busbar/contract'
import type { Text } from '../../shared/i18n/index.ts'
import { toAddress } from '../../shared/session/address.ts'
import type { Machine } from './machine.ts'
import { windowState } from './window-state.ts'

type Signs = Pick<Machine, 'online' | 'cloudService' | 'level' | 'enterprise'>

/** Whether the caller may enter a machine if it were online. */
export function mayEnter({ level, cloudService }: Pick<Machine, 'level' | 'cloudService'>): boolean {
  return level > machines.limitAuthority.ordinary && cloudService
}

/** Why a machine cannot be entered, in words; undefined if it can, as far as the list knows. */
export function enterBlock(machine: Signs, t: Text['visits']['blocked']): string | undefined {
  if (machine.level <= machines.limitAuthority.ordinary) {
    if (!machine.enterprise) return t.ordinary
    if (machine.enterprise.type !== enterprises.deviceTypes.maintenance) return t.noRight
    const { window } = machine.enterprise
    // People who maintain the device may enter an open window: the others are in none of its teams.
    return window && windowState(window, Date.now()) === 'open' ? t.noTeam : t.noWindow
  }
  if (!machine.cloudService) return t.cloudOff
  return machine.online ? undefined : t.offline
}

/** The address that enters a machine, for a new tab. */
export function enterAddress(machineId: number, target?: string): string {
  return toAddress(`/visit/${machineId}${target ? `?${new URLSearchParams({ target })}` : ''}`)
}

/** The same for thousands of rows: the part around the machine's id is computed once. */
export function enterAddresses(): (machineId: number) => string {
  const pattern = toAddress('/visit/machineId')
  return (machineId) => pattern.replace('machineId', String(machineId))
}
