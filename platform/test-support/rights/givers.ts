import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createTeam,
  createUser,
  grantMachine,
  listMachine,
  openWindow,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'

/** Kinds of givers by the rights they can give: an Akey's and an administrator's own bits do not limit them. */
export type GiverKind = 'akey' | 'owner' | 'admin' | 'key' | 'watches' | 'deaf' | 'none'

/** A machine, the holder of its Akey, and a person who tries to give a right over it. */
export interface GiverSetup {
  readonly machine: TestMachine
  readonly akey: TestUser
  readonly giver: TestUser
}

/** The machine's password at every setup. */
export const machinePassword = 'label-password-1'

interface Bits {
  readonly readOnly?: boolean
  readonly alarms?: boolean
}

/** A grant with both of its bits; answers its id. */
export async function grant(
  db: Database,
  userId: number,
  machineId: number,
  role: 'bkey' | 'visitor',
  { readOnly = false, alarms = true, until }: Bits & { readonly until?: Date } = {},
): Promise<number> {
  const id = await grantMachine(db, userId, machineId, { role, readOnly, ...(until ? { until } : {}) })
  await db.updateTable('machine_grants').set({ alarms }).where('id', '=', id).execute()
  return id
}

type Make = (db: Database) => Promise<GiverSetup>

/** A person with a grant of a person's machine, or without one. */
const guest =
  (role?: 'bkey' | 'visitor', bits: Bits = {}): Make =>
  async (db) => {
    const [akey, giver] = [await createUser(db), await createUser(db)]
    const machine = await createMachine(db, { owner: akey.userId, password: machinePassword })
    if (role) await grant(db, giver.userId, machine.machineId, role, bits)
    else await listMachine(db, giver.userId, machine.machineId)
    return { machine, akey, giver }
  }

/** A member of the enterprise that owns the machine, who also got these bits from a key. */
const member =
  (
    role: 'owner' | 'admin' | 'member',
    rights: Parameters<typeof createMember>[3] = [],
    { bits, isInTeam = false }: { bits?: Bits; isInTeam?: boolean } = {},
  ): Make =>
  async (db) => {
    const { eid, owner } = await createEnterprise(db)
    const machine = await createEnterpriseMachine(db, eid)
    const { machineId } = machine
    const giver = await createMember(db, eid, role, rights)
    if (isInTeam)
      await createTeam(db, { eid, kind: 'manage', memberIds: [giver.userId], machineIds: [machineId] })
    if (bits) await grant(db, giver.userId, machineId, 'visitor', bits)
    return { machine, akey: owner, giver }
  }

const akeyItself: Make = async (db) => {
  const setup = await guest()(db)
  return { ...setup, giver: setup.akey }
}

const maintainer: Make = async (db) => {
  const setup = await guest()(db)
  const { eid, owner } = await createEnterprise(db)
  await openWindow(db, { eid, machineId: setup.machine.machineId, scopes: ['view', 'control'] })
  return { ...setup, giver: owner }
}

const set: Bits = { readOnly: true, alarms: false }

export const givers: readonly (readonly [who: string, kind: GiverKind, make: Make])[] = [
  ['the Akey', 'akey', akeyItself],
  ['an enterprise’s owner, whose own bits are set', 'owner', member('owner', [], { bits: set })],
  ['an enterprise’s administrator, whose own bits are set', 'admin', member('admin', [], { bits: set })],
  ['a Bkey', 'key', guest('bkey')],
  ['a member of the management team', 'key', member('member', ['manage'], { isInTeam: true })],
  ['a Bkey who may only watch', 'watches', guest('bkey', { readOnly: true })],
  [
    'a member of the management team who may only watch',
    'watches',
    member('member', ['manage', 'control'], { isInTeam: true, bits: { readOnly: true } }),
  ],
  ['a Bkey without alarms', 'deaf', guest('bkey', { alarms: false })],
  ['a visitor', 'none', guest('visitor')],
  ['a visitor who may only watch', 'none', guest('visitor', { readOnly: true })],
  ['an ordinary user', 'none', guest()],
  ['a member with every right, in no team', 'none', member('member', ['view', 'control', 'manage'])],
  ['a member who controls', 'none', member('member', ['control'])],
  ['who maintains the machine, in the window', 'none', maintainer],
]
