import { applications as contract, messages } from '@busbar/contract'
import {
  createMachine,
  createUser,
  grantMachine,
  listMachine,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'

export const machinePassword = 'Kx7-pressline'

/** A machine with its Akey, a Bkey, and a person who has it in the list. */
export interface Setup {
  readonly machineId: number
  readonly code: string
  readonly secret: string
  readonly akey: TestUser
  readonly bkey: TestUser
  readonly asker: TestUser
}

export async function createSetup(
  site: TestPlatform,
  options: { readonly checkType?: number; readonly withoutBkey?: boolean } = {},
): Promise<Setup> {
  const akey = await createUser(site.db, { name: 'Wang Akey' })
  const machine = await createMachine(site.db, { owner: akey.userId, password: machinePassword })
  const checkType = { check_type: options.checkType ?? 0 }
  await site.db.updateTable('machines').set(checkType).where('id', '=', machine.machineId).execute()
  const bkey = await createUser(site.db, { name: 'Zhao Bkey' })
  if (!options.withoutBkey) await grantMachine(site.db, bkey.userId, machine.machineId, { role: 'bkey' })
  return { ...machine, akey, bkey, asker: await createAsker(site, machine.machineId) }
}

/** Another person who has the machine in the list. */
export async function createAsker(
  site: TestPlatform,
  machineId: number,
  name = 'Chen Lan',
): Promise<TestUser> {
  const asker = await createUser(site.db, { name })
  await listMachine(site.db, asker.userId, machineId)
  return asker
}

/** Asks as `asker`; answers the application's id, 0 for none, and its state. */
export async function ask(
  site: TestPlatform,
  { machineId, asker }: Pick<Setup, 'machineId' | 'asker'>,
  kind: 'bind' | 'visit',
  more: { readonly ticket?: string; readonly mode?: 'ro' | 'rw' } = {},
): Promise<{ applyId: number; auditState: number }> {
  const call = site.as(asker)
  const applied =
    kind === 'bind'
      ? await call.call(contract.applyForBind, { machineID: machineId, message: '我是白班', ...more })
      : await call.call(contract.applyForVisit, { machineID: machineId, terminalID: 'terminal', ...more })
  return { applyId: applied.applyId ?? 0, auditState: applied.auditState }
}

/** A key's answer; answers the state. */
export async function verify(
  site: TestPlatform,
  key: TestUser,
  kind: 'bind' | 'visit',
  verdict: { applyId: number; pass: boolean; blacklist?: boolean; validTime?: number; mode?: 'ro' | 'rw' },
): Promise<number> {
  const call = site.as(key)
  const { auditState } =
    kind === 'bind'
      ? await call.call(contract.verifyBind, verdict)
      : await call.call(contract.verifyVisit, { ...(verdict.pass ? { validTime: 60 } : {}), ...verdict })
  return auditState
}

/** A person's right to a machine as it is stored; undefined for none. */
export function findGrant(site: TestPlatform, machineId: number, { userId }: TestUser) {
  return site.db
    .selectFrom('machine_grants')
    .select(['role', 'until', 'read_only', 'alarms'])
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Kinds of a person's messages, oldest first. */
export async function listKinds(site: TestPlatform, { userId }: TestUser): Promise<string[]> {
  const rows = await site.db
    .selectFrom('messages')
    .select('type')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

export async function countUnread(site: TestPlatform, person: TestUser): Promise<number> {
  return (await site.as(person).call(messages.getTotalUnread, {})).totalUnreadMsg
}

/** Lets time pass for a person's applications for a machine: all of them were made this much earlier. */
export async function ageApplications(site: TestPlatform, machineId: number, ms: number): Promise<void> {
  const rows = await site.db
    .selectFrom('applications')
    .select(['id', 'created_at', 'expires_at'])
    .where('machine_id', '=', machineId)
    .execute()
  for (const row of rows) {
    const times = {
      created_at: new Date(row.created_at.getTime() - ms),
      expires_at: new Date(row.expires_at.getTime() - ms),
    }
    await site.db.updateTable('applications').set(times).where('id', '=', row.id).execute()
  }
}
