import { accounts, enterprises, limits, machines } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { uncounted } from '../../../test-support/http/uncounted.ts'
import { createUpload } from '../../modules/uploads/uploads-service.ts'

const site = useSite({}, { rateCounters: uncounted })

const atOnce = 40

/** The number of simultaneous calls that passed. */
async function countPassed(call: (place: number) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, (_, place) => call(place)))
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

describe('40 calls at the same moment', () => {
  test('create 20 enterprises, not 22', async () => {
    const user = await site.createUser()
    const make = (place: number) =>
      site.as(user).call(enterprises.createEnterprise, { name: `Foundry ${place}` })
    expect(await countPassed(make)).toBe(limits.enterprisesPerOwner)
    expect(await site.as(user).call(enterprises.listUserEnterprises, {})).toHaveLength(
      limits.enterprisesPerOwner,
    )
  })

  test('add as many friends as there is place for', async () => {
    const user = await site.createUser()
    const people = await Promise.all(Array.from({ length: atOnce }, () => site.createUser()))
    await sql`
      with made as (
        insert into users (email, name, password_hash, lang)
        select 'crowd' || n || '@example.test', 'Crowd', '', 'en'
        from generate_series(1, ${limits.friendsMax - 3}::int) n returning id
      )
      insert into friends (user_id, friend_id, remark, created_at)
      select ${user.userId}, id, '', now() from made`.execute(site.db)
    const add = (place: number) =>
      site.as(user).call(accounts.addFriend, { account: people[place]?.email ?? '' })
    expect(await countPassed(add)).toBe(3)
  })

  test('keep as many pictures as there is place for', async () => {
    const { userId } = await site.createUser()
    await sql`
      insert into uploads (key, purpose, user_id, kind, content)
      select lpad(to_hex(n), 32, '0'), 'logo', ${userId}, 'svg', decode('3c', 'hex')
      from generate_series(1, ${limits.uploadsPerUser - 3}::int) n`.execute(site.db)
    const bytesOf = (place: number) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><path d="M${place} 0h5"/></svg>`,
      )
    const keep = (place: number) => createUpload(site.db, { userId, purpose: 'logo', bytes: bytesOf(place) })
    expect(await countPassed(keep)).toBe(3)
  })

  test('put as many machines into a list as there is place for', async () => {
    const [user, owner] = [await site.createUser(), await site.createUser()]
    const added = await Promise.all(
      Array.from({ length: atOnce }, () => site.createMachine({ owner: owner.userId })),
    )
    await sql`
      with made as (
        insert into machines (code, type, name, secret_hash)
        select lpad((8000000 + n)::text, 19, '8'), 'machine', 'Machine', decode(repeat('00', 32), 'hex')
        from generate_series(1, ${limits.machinesPerList - 3}::int) n returning id
      )
      insert into machine_list_entries (user_id, machine_id, name)
      select ${user.userId}, id, 'Machine' from made`.execute(site.db)
    const add = (place: number) =>
      site.as(user).call(machines.addMachine, {
        machineName: `Press ${place}`,
        machineCode: added[place]?.code ?? '',
      })
    expect(await countPassed(add)).toBe(3)
  })
})
