import type { ErrorCode, MachineRight } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import { type Access, type AccessFacts, decideAccess, whyNotEnter } from './access-rules.ts'
import {
  findMachineIdByCode,
  findMachineIdByGrant,
  listAccessFacts,
  listAudienceFacts,
  listHolderFacts,
  type PairFacts,
} from './access-store.ts'

/** A person, a machine, and what the one may do to the other. */
export interface PairAccess {
  readonly userId: number
  readonly machineId: number
  readonly access: Access
}

/** What every door asks before it opens. */
export interface AccessDoor {
  /** What the user may do to each machine; machines that do not exist are left out. */
  list(userId: number, machineIds: readonly number[], now: number): Promise<Map<number, Access>>
  /** What everybody who has one of the machines in the list may do to it. */
  listAudience(machineIds: readonly number[], now: number): Promise<PairAccess[]>
  /** What the machine's owner and everybody with a grant may do to it; of grants the `count` oldest. */
  listHolders(machineId: number, count: number, now: number): Promise<PairAccess[]>
  /** True when the user has the right over every one of the machines. */
  has(userId: number, right: MachineRight, machineIds: readonly number[], now: number): Promise<boolean>
  /** Why the user may not enter a machine; a missing machine is told like a stranger's. */
  whyNot(userId: number, machineId: number, now: number): Promise<ErrorCode>
  machineOfCode(code: string): Promise<number | undefined>
  machineOfGrant(grantId: number): Promise<number | undefined>
}

/** `demo`: whether this platform was started for demo. On a transaction it sees what that wrote and locked. */
export function createAccess(db: Kysely<DB>, options: { demo: boolean }): AccessDoor {
  const decide = (facts: AccessFacts, now: number) => decideAccess(facts, now, options.demo)
  const decideEach = (pairs: readonly PairFacts[], now: number): PairAccess[] =>
    pairs.map(({ userId, machineId, facts }) => ({ userId, machineId, access: decide(facts, now) }))

  async function list(
    userId: number,
    machineIds: readonly number[],
    now: number,
  ): Promise<Map<number, Access>> {
    if (machineIds.length === 0) return new Map()
    const facts = await listAccessFacts(db, userId, machineIds)
    return new Map([...facts].map(([id, fact]) => [id, decide(fact, now)]))
  }
  return {
    list,
    listAudience: async (machineIds, now) => decideEach(await listAudienceFacts(db, machineIds), now),
    listHolders: async (machineId, count, now) =>
      decideEach(await listHolderFacts(db, machineId, count), now),
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
