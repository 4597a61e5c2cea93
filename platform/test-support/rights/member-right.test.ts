import { nothing, type Route, route } from '@busbar/contract'
import {
  blacklistUser,
  createHolder,
  createMember,
  createTeam,
  grantMachine,
  type TestUser,
} from '@busbar/testkit'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { authorize } from '../../src/kernel/http/authorize.ts'
import type { SignedIn } from '../../src/kernel/http/bind.ts'
import { Failure } from '../../src/kernel/http/failure.ts'
import type { Guards } from '../../src/kernel/http/guards.ts'
import { createAccess } from '../../src/modules/access/index.ts'

/* A route that a Bkey of the machine may call, or instead a member with the right `alarm` of the enterprise that owns it. */

const database = useDatabase()

const shelve: Route = route({
  method: 'POST',
  path: '/api/v1/test',
  who: { right: 'bkey+', orMember: 'alarm', machine: 'machineId' },
  title: { cn: '测试', en: 'Test' },
  request: z.object({ machineId: z.int() }),
  answer: nothing,
  errors: [],
})

/** The answer to a person who names this machine. */
async function ask({ userId }: TestUser, machineId: number): Promise<string> {
  const access = createAccess(database.db)
  const guards = {
    hasMachineRight: access.has,
    maySetMachines: access.maySet,
    machinesOf: async (_, named) => [named as number],
  } satisfies Partial<Guards> as Partial<Guards> as Guards
  try {
    await authorize(shelve, { userId } as SignedIn, { machineId }, guards, Date.now())
    return 'let in'
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

async function createSpace() {
  const { eid, owner } = await database.createEnterprise()
  const { machineId } = await database.createEnterpriseMachine(eid)
  return { eid, owner, machineId }
}

describe('a right over a machine, or instead of it a member’s right', () => {
  test('lets in Bkeys, administrators and members with the right; other members are refused', async () => {
    const { db } = database
    const { eid, owner, machineId } = await createSpace()
    const bkey = await createHolder(db, machineId, { role: 'bkey' })
    const visitor = await createHolder(db, machineId, { role: 'visitor' })
    expect({
      bkey: await ask(bkey, machineId),
      owner: await ask(owner, machineId),
      admin: await ask(await createMember(db, eid, 'admin'), machineId),
      alarm: await ask(await createMember(db, eid, 'member', ['alarm']), machineId),
      others: await ask(await createMember(db, eid, 'member', ['view', 'control', 'sms']), machineId),
      visitor: await ask(visitor, machineId),
    }).toEqual({
      bkey: 'let in',
      owner: 'let in',
      admin: 'let in',
      alarm: 'let in',
      others: '403',
      visitor: '403',
    })
  })

  test('a read-only key changed settings; a member with the right still does, with read-only access or without control', async () => {
    const { db } = database
    const { eid, machineId } = await createSpace()
    const watcher = await createHolder(db, machineId, { role: 'bkey', readOnly: true })
    const hand = await createMember(db, eid, 'member', ['view', 'alarm'])
    const bound = await createMember(db, eid, 'member', ['alarm'])
    await grantMachine(db, bound.userId, machineId, { role: 'bkey', readOnly: true })
    const admin = await createMember(db, eid, 'admin')
    await grantMachine(db, admin.userId, machineId, { role: 'bkey', readOnly: true })
    const manager = await createMember(db, eid, 'member', ['manage'])
    await createTeam(db, { eid, kind: 'manage', memberIds: [manager.userId], machineIds: [machineId] })
    expect({
      watcher: await ask(watcher, machineId),
      hand: await ask(hand, machineId),
      bound: await ask(bound, machineId),
      admin: await ask(admin, machineId),
      manager: await ask(manager, machineId),
    }).toEqual({
      watcher: 'GIVER_READ_ONLY',
      hand: 'let in',
      bound: 'let in',
      admin: 'let in',
      manager: 'let in',
    })
  })

  test('does not apply to the machines of another enterprise, of a locked one, or for a person on the blacklist', async () => {
    const { db } = database
    const { eid, machineId } = await createSpace()
    const elsewhere = await createSpace()
    const hand = await createMember(db, eid, 'member', ['alarm'])
    expect(await ask(hand, elsewhere.machineId)).toBe('403')
    const banned = await createMember(db, eid, 'member', ['alarm'])
    await blacklistUser(db, banned.userId, machineId)
    expect(await ask(banned, machineId)).toBe('403')
    await db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', eid).execute()
    expect(await ask(hand, machineId)).toBe('403')
  })

  test('ends with the deletion that a member requested', async () => {
    const { db } = database
    const { eid, machineId } = await createSpace()
    const leaving = await createMember(db, eid, 'member', ['alarm'])
    await db
      .updateTable('users')
      .set({ state: 'leaving', leaves_at: new Date(Date.now() + 60_000) })
      .where('id', '=', leaving.userId)
      .execute()
    expect(await ask(leaving, machineId)).toBe('403')
  })
})
