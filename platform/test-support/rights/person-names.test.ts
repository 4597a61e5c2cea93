import { alarms, notifications } from '@busbar/contract'
import {
  createEnterprise,
  createEnterpriseMachine,
  createHolder,
  createMember,
  createTeam,
  createUser,
  openWindow,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createAlarm, createContact, createShelve } from './things.ts'

/*
 * Keys of a machine and members of the enterprise that owns it see who was told of its alarms, acknowledged or shelved
 * them; a visitor sees a number or a word (rules/alarms.md: names of people).
 */

const nameOf = { telling: 'Told Zhang', acting: 'Acting Wang', contact: 'Night shift Li' }
const site = useSite()
let machineId: number
let alarmId: number
let acting: TestUser
const readers = new Map<string, { user: TestUser; sees: boolean }>()

beforeAll(async () => {
  const { db } = site
  const { eid, owner } = await createEnterprise(db)
  machineId = (await createEnterpriseMachine(db, eid)).machineId
  const grant = async (role: 'visitor' | 'bkey', name?: string) => {
    const user = await createHolder(db, machineId, { role }, name ? { name } : {})
    return user
  }
  acting = await grant('visitor', nameOf.acting)
  const told = await createUser(db, { name: nameOf.telling })
  const contactId = await createContact(db, { eid }, nameOf.contact)
  readers.set('owner', { user: owner, sees: true })
  readers.set('Bkey', { user: await grant('bkey'), sees: true })
  readers.set('member who views', { user: await createMember(db, eid, 'member', ['view']), sees: true })
  readers.set('member who looks after alarms', {
    user: await createMember(db, eid, 'member', ['alarm']),
    sees: true,
  })
  readers.set('visitor', { user: await grant('visitor'), sees: false })
  alarmId = await createAlarm(db, machineId, 'too hot')
  await createShelve(db, machineId, 'worn')
  await sql`update alarm_shelves set by_user_id = ${acting.userId} where machine_id = ${machineId}`.execute(
    db,
  )
  await site.as(acting).call(alarms.confirmAlarms, { ids: [alarmId] })
  await sql`
    insert into notifications (fact_id, created_at, user_id, contact_id, machine_id, alarm_id, channel, level, state, reason, step)
    select 1, now(), person.user_id, person.contact_id, ${machineId}, ${alarmId}, 'email', 'major', 'sent', '', 0
    from (values (${told.userId}::bigint, null::bigint), (null, ${contactId}::bigint)) person (user_id, contact_id)`.execute(
    db,
  )
})

/** Everything that a person can read about the alarm and those around it. */
async function readAll(user: TestUser, lang: 'cn' | 'en' = 'en'): Promise<string> {
  const client = site.as(user, lang)
  const paging = { page: 1, pageSize: 20 }
  return JSON.stringify([
    await client.call(notifications.listTold, { alarmId, ...paging }),
    await client.call(alarms.getAlarm, { id: alarmId }),
    await client.call(alarms.listAlarms, { machineId, ...paging }),
    await client.call(alarms.listAlarmJournal, { machineId, ...paging }),
    await client.call(alarms.exportAlarms, { machineId }),
    await client.call(alarms.exportAlarmJournal, { machineId }),
    await client.call(alarms.listShelves, { machineId }),
  ])
}

test('keys and members see the names, and a visitor sees none but their own', async () => {
  for (const [who, { user, sees }] of readers) {
    const read = await readAll(user)
    for (const name of Object.values(nameOf)) expect(read.includes(name), `${who}: ${name}`).toBe(sees)
  }
  const own = await readAll(acting)
  expect(own).toContain(nameOf.acting)
  expect(own).not.toContain(nameOf.telling)
})

test('a visitor gets a number for each person told, and a word for one who acted, in their language', async () => {
  const { user } = readers.get('visitor') ?? { user: acting }
  const { list } = await site.as(user).call(notifications.listTold, { alarmId })
  expect(list.map(({ name }) => name)).toEqual(['Person 1', 'Person 2'])
  expect(new Set(list.map(({ who }) => who)).size).toBe(2)
  expect(JSON.stringify(list)).not.toContain(`u${acting.userId}`)
  expect(await site.as(user).call(alarms.getAlarm, { id: alarmId })).toMatchObject({
    confirmedBy: 'Another person',
    shelvedBy: 'Another person',
  })
  expect(await readAll(user, 'cn')).toMatch(/人员 1.*人员 2.*其他人员/)
})

test('members of a maintaining enterprise see each other by name on a customer’s machine, and nobody else', async () => {
  const { db } = site
  const name = 'Engineer Zhao'
  const { eid, owner } = await createEnterprise(db, 'Maker')
  const engineer = await createMember(db, eid, 'member', ['maintain'])
  await sql`update users set name = ${name} where id = ${engineer.userId}`.execute(db)
  await openWindow(db, { eid, machineId, scopes: ['view', 'alarm'] })
  await createTeam(db, { eid, kind: 'maintain', memberIds: [engineer.userId], machineIds: [machineId] })
  const theirs = await createAlarm(db, machineId, 'too cold')
  await site.as(engineer).call(alarms.confirmAlarms, { ids: [theirs] })
  const read = await readAll(owner)
  expect(read).toContain(name)
  for (const other of Object.values(nameOf)) expect(read).not.toContain(other)
  expect(await site.as(owner).call(alarms.getAlarm, { id: theirs })).toMatchObject({ confirmedBy: name })
  const { user: visitor } = readers.get('visitor') ?? { user: acting }
  expect(await readAll(visitor)).not.toContain(name)
})
