import { type EnterpriseRight, mayInEnterprise } from '@busbar/contract'
import { findMembership } from '../spaces/index.ts'
import { countDevices, type Db } from './spaces-store.ts'

/** The questions about enterprises that the check of a request's rights asks. */
export interface EnterpriseGuards {
  /** The same questions within a transaction. */
  on(trx: Db): EnterpriseGuards
  hasEnterpriseRight(userId: number, eid: number, right: EnterpriseRight): Promise<boolean>
  /** True when every machine is one of the enterprise's devices, owned or maintained. */
  areDevicesOf(eid: number, machineIds: readonly number[]): Promise<boolean>
}

export function createEnterpriseGuards(db: Db): EnterpriseGuards {
  return {
    on: createEnterpriseGuards,
    hasEnterpriseRight: async (userId, eid, right) =>
      mayInEnterprise(await findMembership(db, eid, userId), right),
    areDevicesOf: async (eid, machineIds) =>
      machineIds.length > 0 && (await countDevices(db, eid, machineIds)) === new Set(machineIds).size,
  }
}
