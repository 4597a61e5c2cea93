import type { Lang } from '@busbar/contract'
import { enterpriseMachinesQuery, machineListQuery } from '../../entities/machine/machine-queries.ts'
import type { DeviceSpace } from './space.ts'

/** The list of a space. */
export function spaceListQuery(space: DeviceSpace, lang: Lang) {
  return space.kind === 'personal'
    ? machineListQuery(lang)
    : enterpriseMachinesQuery(space.eid, space.type, lang)
}
