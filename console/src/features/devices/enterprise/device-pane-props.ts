import type { DeviceType, Permission } from '../../../entities/enterprise/enterprise-queries.ts'
import type { Machine } from '../../../entities/machine/machine.ts'

/** An enterprise's device, and what its reader may do there. */
export interface DevicePaneProps {
  eid: number
  type: DeviceType
  machine: Machine
  permission: Permission
  onClose: () => void
}
