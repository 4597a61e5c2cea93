import { machines as contract, enterprises, mayCall } from '@busbar/contract'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { DeviceSpace } from '../space.ts'

export const bulkKinds = ['groups', 'team', 'confirm', 'remove'] as const
/** The actions on several devices. */
export type BulkKind = (typeof bulkKinds)[number]

/** A requested act, and its devices. */
export interface Bulk {
  readonly kind: BulkKind
  readonly machines: readonly Machine[]
}

/** Whether the person may do this to devices of this space. */
function mayDo(kind: BulkKind, space: DeviceSpace): boolean {
  if (space.kind === 'personal') return kind !== 'team'
  const may = (route: Parameters<typeof mayCall>[0]) => mayCall(route, space.permission)
  switch (kind) {
    case 'groups':
      return may(enterprises.updateEnterpriseMachine)
    case 'team':
      return may(enterprises.updateEnterpriseMachine) && may(enterprises.updateTeam)
    case 'confirm':
      return true
    case 'remove':
      return may(enterprises.removeEnterpriseMachine)
  }
}

/** The devices of a selection to which an act applies; if empty, it is not offered. */
export function concerned(
  kind: BulkKind,
  space: DeviceSpace,
  selected: readonly Machine[],
): readonly Machine[] {
  if (!mayDo(kind, space)) return []
  if (kind !== 'confirm') return selected
  return selected.filter(
    ({ openAlarms, level }) => openAlarms > 0 && level > contract.limitAuthority.ordinary,
  )
}
