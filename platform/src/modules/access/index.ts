/** Who may do what to a machine now: one function, asked by every door. */
import type { ErrorCode, MachineRight } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import { type Access, decideAccess, whyNotEnter } from './access-rules.ts'
import { findMachineIdByCode, findMachineIdByGrant, listAccessFacts } from './access-store.ts'

export type { Access } from './access-rules.ts'

/** What every door asks before it opens. */
export interface AccessDoor {
  /** What the user may do to each machine; machines that do not exist are left out. */
  list(userId: number, machineIds: readonly number[], now: number): Promise<Map<number, Access>>
  /** True when the user has the right over every one of the machines. */
  has(userId: number, right: MachineRight, machineIds: readonly number[], now: number): Promise<boolean>
  /** Why the user may not enter a machine; a missing machine is told like a stranger's. */
  whyNot(userId: number, machineId: number, now: number): Promise<ErrorCode>
  machineOfCode(code: string): Promise<number | undefined>
  machineOfGrant(grantId: number): Promise<number | undefined>
}

/** `demo`: whether this platform was started for demo. */
export function createAccess(db: Kysely<DB>, options: { demo: boolean }): AccessDoor {
  async function list(
    userId: number,
    machineIds: readonly number[],
    now: number,
  ): Promise<Map<number, Access>> {
    if (machineIds.length === 0) return new Map()
    const facts = await listAccessFacts(db, userId, machineIds)
    return new Map([...facts].map(([id, fact]) => [id, decideAccess(fact, now, options.demo)]))
  }
  return {
    list,
    async has(userId, right, machineIds, now) {
      const access = await list(userId, machineIds, now)
      return machineIds.length > 0 && machineIds.every((id) => access.get(id)?.rights.has(right))
    },
    async whyNot(userId, machineId, now) {
      const facts = (await listAccessFacts(db, userId, [machineId])).get(machineId)
      return facts ? whyNotEnter(facts, now, options.demo) : 'GENERAL_USER'
    },
    machineOfCode: (code) => findMachineIdByCode(db, code),
    machineOfGrant: (grantId) => findMachineIdByGrant(db, grantId),
  }
}
