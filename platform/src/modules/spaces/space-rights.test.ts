import { createEnterprise, createMember, createUser } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideInSpace, findRight, requireEditable, requireSeen } from './space-rights.ts'

const member = { role: 'member', rights: [] } as const
const manager = { role: 'member', rights: ['manage'] } as const
const admin = { role: 'admin', rights: [] } as const

test.each([
  ['a person in their own space', { userId: 1 }, undefined, 'manage', { mayEdit: true }],
  ['a person in another’s', { userId: 2 }, undefined, 'manage', undefined],
  ['an administrator in a person’s', { userId: 2 }, admin, 'manage', undefined],
  ['a stranger in an enterprise', { enterpriseId: 1 }, undefined, 'manage', undefined],
  ['a member', { enterpriseId: 1 }, member, 'manage', { mayEdit: false }],
  ['a member with the right', { enterpriseId: 1 }, manager, 'manage', { mayEdit: true }],
  ['the same for what administrators change', { enterpriseId: 1 }, manager, 'admin', { mayEdit: false }],
  ['an administrator', { enterpriseId: 1 }, admin, 'admin', { mayEdit: true }],
] as const)('%s', (_, space, membership, edit, right) => {
  expect(decideInSpace(space, 1, membership, edit)).toEqual(right)
})

describe('a thing of an enterprise', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  test('is missing for strangers, and for its members while the enterprise is locked', async () => {
    const { db } = database
    const { eid } = await createEnterprise(db)
    const [stranger, mate] = [await createUser(db), await createMember(db, eid, 'member', ['manage'])]
    const thing = { userId: null, enterpriseId: eid }
    const seen = (userId: number) => requireSeen(db, userId, thing)
    await expect(seen(mate.userId)).resolves.toMatchObject({ mayEdit: true })
    await expect(seen(stranger.userId)).rejects.toMatchObject({ code: '404' })
    await expect(requireSeen(db, mate.userId, undefined)).rejects.toMatchObject({ code: '404' })
    await db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', eid).execute()
    await expect(seen(mate.userId)).rejects.toMatchObject({ code: '404' })
    expect(await findRight(db, mate.userId, { enterpriseId: eid })).toBeUndefined()
  })

  test('is refused to a member who only sees it', async () => {
    const { db } = database
    const { eid } = await createEnterprise(db)
    const mate = await createMember(db, eid)
    const thing = { userId: null, enterpriseId: eid }
    await expect(requireEditable(db, mate.userId, thing)).rejects.toMatchObject({ code: '403' })
  })
})
