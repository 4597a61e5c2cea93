import type { ErrorCode, MachineRight, MemberRight } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import {
  type Access,
  type AccessFacts,
  decideAccess,
  entryDenial,
  keyDenial,
  maySet,
} from './access-rules.ts'
import {
  findMachineIdByCode,
  findMachineIdByGrant,
  listAccessFacts,
  listAlarmFacts,
  listAudienceFacts,
  listHolderFacts,
  listKeyFacts,
  listPairFacts,
  type PairFacts,
} from './access-store.ts'
import { listAlarmMachines, type MachineSpace, type SpaceMachine } from './alarm-machines.ts'
import { type EnterpriseList, holdsIn } from './holds-in.ts'
import { listColleagues } from './person-names.ts'

/** A person, a machine, and the person's rights to it. */
export interface PairAccess {
  readonly userId: number
  readonly machineId: number
  readonly access: Access
}

/** A person who holds a machine's key. */
export interface MachineKey {
  readonly userId: number
  readonly key: 'A' | 'B'
}

/** The questions about rights that routes, push, visits and the gateway ask. */
export interface AccessPort {
  /** The same questions within a transaction, whose own writes and locks they see. */
  on(trx: Kysely<DB>): AccessPort
  /** The user's right to each machine; machines that do not exist are left out. */
  list(userId: number, machineIds: readonly number[], now: number): Promise<Map<number, Access>>
  /** The machines of these whose values the user may see. */
  listVisible(userId: number, machineIds: readonly number[], now: number): Promise<Set<number>>
  /** The rights of each of these persons to a machine, with one query; machines that do not exist are left out. */
  listPairs(
    pairs: readonly { readonly userId: number; readonly machineId: number }[],
    now: number,
  ): Promise<PairAccess[]>
  /** The right of each person who has one of the machines in the list. */
  listAudience(machineIds: readonly number[], now: number): Promise<PairAccess[]>
  /** The rights of the owners, the maintainers and the people with a grant; of grants the `count` oldest. */
  listHolders(machineId: number, count: number, now: number): Promise<PairAccess[]>
  /** The rights of everybody who may be notified of alarms of one of the machines. */
  listAlarmAudience(machineIds: readonly number[], now: number): Promise<PairAccess[]>
  /** Akeys and Bkeys of a machine, those of its enterprise included. */
  listKeys(machineId: number, now: number): Promise<MachineKey[]>
  /** The same of several machines; one without a key is left out. */
  listKeysOfEach(machineIds: readonly number[], now: number): Promise<Map<number, MachineKey[]>>
  /**
   * True when the user has the right over every one of the machines, or instead of it `orMember` in the enterprise that
   * owns the machine.
   */
  has(
    userId: number,
    right: MachineRight,
    machineIds: readonly number[],
    now: number,
    orMember?: MemberRight,
  ): Promise<boolean>
  /** True when the user may change the settings of every one of the machines (`maySet`). */
  maySet(userId: number, machineIds: readonly number[], now: number, orMember?: MemberRight): Promise<boolean>
  /**
   * Why the user may not enter a machine, or lacks another right to it; a missing machine is answered like a
   * stranger's.
   */
  denialReason(userId: number, machineId: number, now: number, right?: MachineRight): Promise<ErrorCode>
  /** Machines of a space whose alarms the user may see; thousands of them with one query. */
  listAlarmMachines(userId: number, space: MachineSpace, now: number): Promise<SpaceMachine[]>
  /** Decides for machines of an enterprise's list whether the user holds them; with a few queries for any number. */
  holdsIn(userId: number, list: EnterpriseList, now: number): Promise<(machineId: number) => boolean>
  /** Those of these people who are in an enterprise of the user. */
  listColleagues(userId: number, people: readonly (number | null)[]): Promise<ReadonlySet<number>>
  machineOfCode(code: string): Promise<number | undefined>
  machineOfGrant(grantId: number): Promise<number | undefined>
}

/** The keys of machines; one without a key is left out. A demo gives nobody a key. */
async function listKeysOfEach(
  db: Kysely<DB>,
  machineIds: readonly number[],
  now: number,
): Promise<Map<number, MachineKey[]>> {
  const keys = new Map<number, MachineKey[]>()
  if (machineIds.length === 0) return keys
  for (const { userId, machineId, facts } of await listKeyFacts(db, machineIds, now)) {
    const { rights } = decideAccess(facts, now, false)
    if (!rights.has('bkey+')) continue
    const key = { userId, key: rights.has('akey') ? 'A' : 'B' } as const
    keys.set(machineId, [...(keys.get(machineId) ?? []), key])
  }
  return keys
}

/** Akeys and Bkeys of a machine, those of its enterprise included. */
export const listKeys = async (db: Kysely<DB>, machineId: number, now: number): Promise<MachineKey[]> =>
  (await listKeysOfEach(db, [machineId], now)).get(machineId) ?? []

/**
 * The rights to machines. One is made for the platform, which knows whether it was started for demo; parts of it ask by
 * this one, in a transaction by its `on`.
 */
export function createAccess(db: Kysely<DB>, options: { readonly demo?: boolean } = {}): AccessPort {
  const { demo = false } = options
  const decide = (facts: AccessFacts, now: number) => decideAccess(facts, now, demo)
  const decideEach = (pairs: readonly PairFacts[], now: number): PairAccess[] =>
    pairs.map(({ userId, machineId, facts }) => ({ userId, machineId, access: decide(facts, now) }))

  async function list(
    userId: number,
    machineIds: readonly number[],
    now: number,
  ): Promise<Map<number, Access>> {
    if (machineIds.length === 0) return new Map()
    const facts = await listAccessFacts(db, userId, machineIds, now)
    return new Map([...facts].map(([id, fact]) => [id, decide(fact, now)]))
  }

  return {
    on: (trx) => createAccess(trx, options),
    list,
    async listVisible(userId, machineIds, now) {
      const rights = await list(userId, machineIds, now)
      return new Set(machineIds.filter((id) => rights.get(id)?.rights.has('visitor+')))
    },
    listPairs: async (pairs, now) =>
      pairs.length === 0 ? [] : decideEach(await listPairFacts(db, pairs, now), now),
    listAudience: async (machineIds, now) => decideEach(await listAudienceFacts(db, machineIds, now), now),
    listAlarmAudience: async (machineIds, now) =>
      machineIds.length === 0 ? [] : decideEach(await listAlarmFacts(db, machineIds, now), now),
    listHolders: async (machineId, count, now) =>
      decideEach(await listHolderFacts(db, machineId, count, now), now),
    listKeys: (machineId, now) => listKeys(db, machineId, now),
    listKeysOfEach: (machineIds, now) => listKeysOfEach(db, machineIds, now),
    async has(userId, right, machineIds, now, orMember) {
      const access = await list(userId, machineIds, now)
      const isLet = (machineId: number) => {
        const own = access.get(machineId)
        return own?.rights.has(right) || (orMember !== undefined && own?.memberRights.includes(orMember))
      }
      return machineIds.length > 0 && machineIds.every(isLet)
    },
    async maySet(userId, machineIds, now, orMember) {
      const access = await list(userId, machineIds, now)
      return machineIds.every((machineId) => maySet(access.get(machineId), orMember))
    },
    async denialReason(userId, machineId, now, right = 'visitor+') {
      const facts = (await listAccessFacts(db, userId, [machineId], now)).get(machineId)
      if (!facts) return 'GENERAL_USER'
      const isOfKeys = right === 'bkey+' || right === 'akey'
      return (isOfKeys ? keyDenial : entryDenial)(facts, now, demo)
    },
    listAlarmMachines: (userId, space, now) => listAlarmMachines(db, userId, space, { now, demo }),
    holdsIn: (userId, list, now) => holdsIn(db, userId, list, { now, demo }),
    listColleagues: (userId, people) => listColleagues(db, userId, people),
    machineOfCode: (code) => findMachineIdByCode(db, code),
    machineOfGrant: (grantId) => findMachineIdByGrant(db, grantId),
  }
}
