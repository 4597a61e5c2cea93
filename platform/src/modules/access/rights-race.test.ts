import { aside, countLockWaits } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '../../kernel/http/failure.ts'
import { createMailbox } from '../messages/index.ts'
import { createAccess } from './access-port.ts'
import { addBkey, updateLevel } from './applications/index.ts'
import { addVisitor } from './holders-service.ts'
import type { RightsDeps } from './rights-change.ts'
import { addToBlacklist, endVisitTime, removeVisitor, updateVisitTime } from './visitors-service.ts'

/* Below the route: it has let both in already when they meet. */

const site = useSite()
let deps: RightsDeps
beforeAll(async () => {
  const { bus, facts } = site.platform
  deps = { db: site.db, bus, mailbox: createMailbox(site.db), facts, access: createAccess(site.db) }
})

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Failure) return error.code
      throw error
    },
  )

const caller = ({ userId }: { userId: number }, now = Date.now()) => ({ userId, address: '', now })

async function createSetup() {
  const [akey, bkey, guest] = [await site.createUser(), await site.createUser(), await site.createUser()]
  const { machineId } = await site.createMachine({ owner: akey.userId })
  const bkeyGrant = await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
  return { akey, bkey, guest, machineId, bkeyGrant }
}

const listGrants = (machineId: number, userId: number) =>
  site.db
    .selectFrom('machine_grants')
    .select(['id', 'role', 'until'])
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .execute()

const listReasons = async (machineId: number, userId: number) => {
  const rows = await site.db
    .selectFrom('right_changes')
    .select('reason')
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ reason }) => reason)
}

describe('two keys at once', () => {
  test('a Bkey demoted after the check of the right cannot change anything', async () => {
    const { akey, bkey, guest, machineId, bkeyGrant } = await createSetup()
    const visitorGrant = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
    const calls = [
      () => endVisitTime(deps, caller(bkey), { id: visitorGrant, machineId }),
      () => updateVisitTime(deps, caller(bkey), { id: visitorGrant, visitTime: -1 }),
      () => removeVisitor(deps, caller(bkey), visitorGrant),
      () => addToBlacklist(deps, caller(bkey), { machineId, userId: guest.userId }),
      () => updateLevel(deps, caller(bkey), visitorGrant, 0),
    ]
    for (const call of calls) {
      let late: Promise<string> | undefined
      await site.db.transaction().execute(
        aside(async (trx) => {
          await sql`select from machines where id = ${machineId} for no key update`.execute(trx)
          late = codeOf(call())
          await expect.poll(() => countLockWaits(site.db), { timeout: 10_000 }).toBe(1)
          await trx.deleteFrom('machine_grants').where('id', '=', bkeyGrant).execute()
        }),
      )
      expect(await late).toBe('403')
      await sql`insert into machine_grants (machine_id, user_id, role, id) overriding system value
        values (${machineId}, ${bkey.userId}, 'bkey', ${bkeyGrant})`.execute(site.db)
    }
    expect(await listReasons(machineId, guest.userId)).toEqual([])
    expect(await codeOf(removeVisitor(deps, caller(akey), visitorGrant))).toBe('ok')
  })

  test('that let the same person in: one right, one message', async () => {
    const { akey, bkey, guest, machineId } = await createSetup()
    const input = { machineID: machineId, account: guest.email, countryCode: '86', validTime: 60 } as const
    const codes = await Promise.all([
      codeOf(addVisitor(deps, caller(akey), { ...input, mode: 'ro' })),
      codeOf(addVisitor(deps, caller(bkey), { ...input, mode: 'rw' })),
    ])
    expect(codes.sort()).toEqual(['01010305', 'ok'])
    expect(await listGrants(machineId, guest.userId)).toHaveLength(1)
    expect(await listReasons(machineId, guest.userId)).toEqual(['granted'])
  })

  test('that end the same visit time: the later one gets the error that it was over', async () => {
    const { akey, bkey, guest, machineId } = await createSetup()
    const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
    // With two instants the earlier could come second: its end would not be over yet.
    const now = Date.now()
    const codes = await Promise.all(
      [akey, bkey].map((key) => codeOf(endVisitTime(deps, caller(key, now), { id, machineId }))),
    )
    expect(codes.sort()).toEqual(['01010408', 'ok'])
    expect(await listReasons(machineId, guest.userId)).toEqual(['visitTime'])
  })

  test('the Akey lifts a visitor while a Bkey blacklists them: no Bkey stands on the blacklist', async () => {
    for (let round = 0; round < 5; round++) {
      const { akey, bkey, guest, machineId } = await createSetup()
      const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
      const lift = round % 2 === 0
      const input = { machineID: machineId, account: guest.email, countryCode: '86' }
      const [lifted, blacklisted] = await Promise.all([
        codeOf(lift ? updateLevel(deps, caller(akey), id, 2) : addBkey(deps, caller(akey), input)),
        codeOf(addToBlacklist(deps, caller(bkey), { machineId, userId: guest.userId })),
      ])
      const grants = await listGrants(machineId, guest.userId)
      if (lifted === 'ok') {
        expect([blacklisted, grants.map(({ role }) => role)]).toEqual(['01010306', ['bkey']])
      } else {
        expect([lifted, blacklisted, grants]).toEqual([lift ? '403' : 'PERSON_BLACKLISTED', 'ok', []])
      }
    }
  })

  test('the Akey demotes a Bkey who is making a change: the messages follow the decision', async () => {
    const { akey, bkey, guest, machineId, bkeyGrant } = await createSetup()
    const input = { machineID: machineId, account: guest.email, countryCode: '86' } as const
    const [added, lowered] = await Promise.all([
      codeOf(addVisitor(deps, caller(bkey), { ...input, validTime: -1, mode: 'rw' })),
      codeOf(updateLevel(deps, caller(akey), bkeyGrant, 0)),
    ])
    expect(lowered).toBe('ok')
    const { rows } = await sql<{ reason: string }>`
      select reason from right_changes where machine_id = ${machineId} order by id`.execute(site.db)
    const reasons = rows.map(({ reason }) => reason)
    expect([added, reasons]).toEqual(added === 'ok' ? ['ok', ['granted', 'lowered']] : ['403', ['lowered']])
  })
})

test('a change is recorded in the transaction that makes it', async () => {
  const { akey, guest, machineId } = await createSetup()
  const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
  await updateVisitTime(deps, caller(akey), { id, visitTime: Date.now() + 3_600_000 })
  const { rows } = await sql<{ same: boolean }>`
    select change.xmin::text = held.xmin::text as same
    from right_changes change join machine_grants held using (machine_id, user_id)
    where change.machine_id = ${machineId}`.execute(site.db)
  expect(rows).toEqual([{ same: true }])
})
