import { limits } from '@busbar/contract'
import type { Bus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Aside, FactKind, NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { putIntoList } from '../machine-lists/index.ts'
import type { ApplicationUpdate, Mailbox, NewMessage } from '../messages/index.ts'
import { lockEnterprises } from '../spaces/index.ts'
import type { AccessPort } from './access-port.ts'
import { type Access, noAccess } from './access-rules.ts'
import { messagesAbout } from './applications/application-messages.ts'
import * as store from './grants-store.ts'

/** The parts that a change of rights uses. */
export interface RightsDeps {
  readonly db: store.Db
  readonly bus: Bus
  readonly mailbox: Mailbox
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  readonly access: AccessPort
}

/** A fact about the changing machine, without the fields that its scope adds: the machine, the actor, and the time. */
export type MachineFact<Kind extends FactKind = FactKind> = Kind extends FactKind
  ? Omit<NewFact<Kind>, 'machineId' | 'machineCode' | 'by' | 'at'>
  : never

/** The machine whose rights are being changed, locked against other changes. */
export interface RightsChange {
  readonly trx: store.Trx
  readonly machineId: number
  readonly machine: NonNullable<Awaited<ReturnType<typeof store.lockMachine>>>
  /** The caller's right to the machine. */
  readonly access: Access
  readonly isAkey: boolean
  /** A person's right to the machine, after what was changed so far. */
  rightsOf(userId: number): Promise<Access>
  /** Records an act on the machine: open pages, audit log and people's messages follow it at this commit. */
  record(fact: MachineFact, aside?: Pick<Aside, 'words'>): Promise<void>
  /** Writes the messages of a change of owner. */
  writeMessages(
    messages: readonly Omit<NewMessage, 'machineId'>[],
    updates?: readonly Omit<ApplicationUpdate, 'machineId' | 'machineCode'>[],
  ): Promise<void>
  /** Puts the machine into a person's list. Throws 01010307 when that list is full. */
  putIntoListOf(userId: number): Promise<void>
}

/**
 * One change of a machine's rights: one transaction under the machine's row lock, so that two keys never act at once;
 * the caller's own right is checked again under it, so that a removed key cannot change anything. Throws 403 if the
 * caller lacks `right`, or with `refuse` the reason as one of `auditErrors`.
 */
export async function changeRights<T>(
  deps: RightsDeps,
  caller: Caller & { readonly right: 'bkey+' | 'akey'; readonly refuse?: 'audit' },
  machineId: number,
  change: (scope: RightsChange) => Promise<T>,
): Promise<T> {
  return changeMachine(deps, caller, machineId, async (scope) => {
    if (scope.access.rights.has(caller.right)) return change(scope)
    const access = deps.access.on(scope.trx)
    throw new Failure(
      caller.refuse ? await access.denialReason(caller.userId, machineId, caller.now, caller.right) : '403',
    )
  })
}

/**
 * Changes the caller's own data about a machine, in the same way, without a right to it: `change` decides whether they
 * may. Throws 403 if the machine does not exist.
 */
export async function changeMachine<T>(
  { db, mailbox, facts, access: port }: RightsDeps,
  caller: Caller & {
    /** Enterprises whose people the change asks about: they stay as they are until it is done. */
    readonly eids?: readonly number[]
  },
  machineId: number,
  change: (scope: RightsChange) => Promise<T>,
): Promise<T> {
  return withTransaction(db, async (trx) => {
    await lockEnterprises(trx, caller.eids ?? [])
    const machine = await store.lockMachine(trx, machineId)
    if (!machine) throw new Failure('403')
    const rightsOf = async (userId: number) =>
      (await port.on(trx).list(userId, [machineId], caller.now)).get(machineId) ?? noAccess
    const access = await rightsOf(caller.userId)
    const about = { machineId, machineCode: machine.code }
    return change({
      trx,
      machineId,
      machine,
      access,
      isAkey: access.rights.has('akey'),
      rightsOf,
      record(fact, aside) {
        const whole = { ...fact, ...about, by: caller.userId, at: caller.now } as NewFact
        return facts.record(trx, whole, { ...aside, address: caller.address })
      },
      async writeMessages(messages, updates = []) {
        await mailbox.write(trx, new Date(caller.now), messagesAbout(about, { messages, updates }))
      },
      async putIntoListOf(userId) {
        const entry = { userId, machineId, entriesMax: limits.machinesPerList }
        if (!(await putIntoList(trx, entry))) throw new Failure('01010307')
      },
    })
  })
}
