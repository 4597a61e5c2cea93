import {
  alarmLimits,
  alarms,
  alarmContacts as contract,
  notifications,
  smsSegments,
  timing,
} from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { uncounted } from '../../../test-support/http/uncounted.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { createAccess } from '../access/index.ts'
import { writeAlarms } from '../alarms/index.ts'
import { openUnsubscribe, sealUnsubscribe } from '../outgoing/index.ts'
import { listToldContacts } from './contacts-service.ts'
import { createAlarmLinks } from './links-service.ts'

const hourMs = 3_600_000
let ahead = 0
const now = () => Date.now() + ahead
const lines: string[] = []
const note = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`)
const logger: Logger = { debug: note, info: note, warn: note, error: note }
const site = useSite(
  { PUBLIC_URL: 'https://busbar.example', SMS_URL: 'smpp://busbar@127.0.0.1:1' },
  { now, logger, rateCounters: uncounted },
)

let contactsMade = 0
const freshAddress = () => `contact-${++contactsMade}@example.test`

async function createOwned() {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  return { owner, machineId }
}

/** The token of the newest mail to an address. */
async function tokenOf(email: string): Promise<string> {
  const row = await site.db
    .selectFrom('outgoing')
    .select('text')
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const token = /https:\/\/busbar\.example\/contact\/([\w-]+)/.exec(row.text)?.[1]
  if (!token) throw new Error(`No link in: ${row.text}`)
  return token
}

const mailsTo = async (email: string) =>
  (await site.db.selectFrom('outgoing').select('id').where('recipient', '=', email).execute()).length

async function createConfirmed(owner: TestUser, machineId: number, mayConfirm = false) {
  const email = freshAddress()
  const { id } = await site
    .as(owner)
    .call(contract.createContact, { name: 'Night shift', email, machineIds: [machineId], mayConfirm })
  await site.as(undefined).call(contract.confirmContact, { token: await tokenOf(email) })
  return { contactId: id, email }
}

const toldOf = async (machineId: number) => {
  const access = createAccess(site.db)
  return (await listToldContacts({ access }, site.db, [machineId], now())).map(({ contactId }) => contactId)
}

async function raise(machineId: number, key = 'E1'): Promise<number> {
  const at = now()
  const event = {
    machineId,
    key,
    level: 'major' as const,
    text: { en: 'Too hot', cn: '过热' },
    state: 'raised' as const,
    isRepeat: false,
    late: false,
    at,
    receivedAt: at,
    standing: undefined,
  }
  const [change] = await withTransaction(site.db, (trx) =>
    writeAlarms(
      {
        query: async (text: string, values: unknown[]) =>
          trx.executeQuery({ sql: text, parameters: values } as never),
      } as never,
      [event],
      site.platform.facts,
    ),
  )
  if (!change) throw new Error('No alarm was raised.')
  return change.alarmId
}

const linkTo = async (alarmId: number, to: Parameters<typeof createAlarmLinks>[1][number]['to']) => {
  const [token = ''] = await withTransaction(site.db, (trx) =>
    createAlarmLinks(trx, [{ alarmId, to }], now()),
  )
  return token
}

const confirmerOf = (alarmId: number) =>
  site.db
    .selectFrom('alarms')
    .select(['confirmed_by', 'confirmed_contact_id', 'confirmed_at'])
    .where('id', '=', alarmId)
    .executeTakeFirstOrThrow()

describe('a contact', () => {
  test('gets alarms only after confirming the address, and until leaving', async () => {
    const { owner, machineId } = await createOwned()
    const email = freshAddress()
    const { id } = await site
      .as(owner)
      .call(contract.createContact, { name: 'Night shift', email, machineIds: [machineId] })
    expect(await toldOf(machineId)).toEqual([])
    const token = await tokenOf(email)
    const nobody = site.as(undefined)
    expect(await nobody.call(contract.getContactRequest, { token })).toMatchObject({ confirmed: false })
    expect(await toldOf(machineId)).toEqual([])
    await nobody.call(contract.confirmContact, { token })
    expect(await toldOf(machineId)).toEqual([id])
    await site.db.updateTable('alarm_contacts').set({ left_at: new Date() }).where('id', '=', id).execute()
    expect(await toldOf(machineId)).toEqual([])
    const [row] = await site.as(owner).call(contract.listContacts, {})
    expect(row).toMatchObject({ id, state: 'left', machineIds: [machineId] })
  })

  test('is one by e-mail, whatever its letters’ size, within its person', async () => {
    const [{ owner, machineId }, other] = [await createOwned(), await createOwned()]
    const email = freshAddress()
    const request = { name: 'Night shift', email, machineIds: [machineId] }
    await site.as(owner).call(contract.createContact, request)
    const again = await failureOf(site.as(owner), contract.createContact, {
      ...request,
      email: email.toUpperCase(),
    })
    expect(again.code).toBe('CONTACT_EXISTS')
    await site.as(other.owner).call(contract.createContact, { ...request, machineIds: [other.machineId] })
  })

  test('of a machine that the caller does not hold is refused, and so is a change to one', async () => {
    const [mine, others] = [await createOwned(), await createOwned()]
    const { contactId } = await createConfirmed(mine.owner, mine.machineId)
    const both = [mine.machineId, others.machineId]
    const made = await failureOf(site.as(mine.owner), contract.createContact, {
      name: 'Other',
      email: freshAddress(),
      machineIds: both,
    })
    const changed = await failureOf(site.as(mine.owner), contract.updateContact, {
      id: contactId,
      machineIds: both,
    })
    expect([made.code, changed.code]).toEqual(['403', '403'])
    const foreign = await failureOf(site.as(others.owner), contract.removeContact, { id: contactId })
    expect(foreign.code).toBe('404')
  })

  test('with another e-mail is confirmed anew, and the old link is void', async () => {
    const { owner, machineId } = await createOwned()
    const { contactId, email } = await createConfirmed(owner, machineId)
    const former = await tokenOf(email)
    await site.as(owner).call(contract.updateContact, { id: contactId, email: freshAddress() })
    expect(await toldOf(machineId)).toEqual([])
    expect(await site.refusalOf(undefined, contract.confirmContact, { token: former })).toBe('LINK_UNKNOWN')
  })

  test('is sent again at most once an hour, with a link that is valid for seven days', async () => {
    const { owner, machineId } = await createOwned()
    const email = freshAddress()
    const { id } = await site
      .as(owner)
      .call(contract.createContact, { name: 'Night shift', email, machineIds: [machineId] })
    expect(await site.refusalOf(owner, contract.askContact, { id })).toBe('CONTACT_ASKED')
    try {
      ahead = hourMs + 1_000
      const former = await tokenOf(email)
      await site.as(owner).call(contract.askContact, { id })
      const token = await tokenOf(email)
      const nobody = site.as(undefined)
      expect((await failureOf(nobody, contract.confirmContact, { token: former })).code).toBe('LINK_UNKNOWN')
      ahead += timing.contactLinkMs + 1_000
      expect((await failureOf(nobody, contract.confirmContact, { token })).code).toBe('LINK_UNKNOWN')
    } finally {
      ahead = 0
    }
  })

  test('a stranger does not get endless mails: deleting and adding a contact anew sends no more a day', async () => {
    const email = freshAddress()
    for (let tried = 0; tried <= alarmLimits.contactMailsPerAddress; tried++) {
      const { owner, machineId } = await createOwned()
      const request = { name: 'Night shift', email, machineIds: [machineId] }
      if (tried === alarmLimits.contactMailsPerAddress) {
        const refused = await failureOf(site.as(owner), contract.createContact, request)
        expect(refused.code).toBe('CONTACT_MAILS_FULL')
      } else {
        const { id } = await site.as(owner).call(contract.createContact, request)
        await site.as(owner).call(contract.removeContact, { id })
      }
    }
    expect(await mailsTo(email)).toBe(alarmLimits.contactMailsPerAddress)
  })

  test('that left was asked again once it was deleted and added, and its old link was unknown', async () => {
    const { owner, machineId } = await createOwned()
    const { contactId, email } = await createConfirmed(owner, machineId)
    const nobody = site.as(undefined)
    const { unsubscribe_url: url } = await site.db
      .selectFrom('outgoing')
      .select('unsubscribe_url')
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow()
    const token = url.split('/').at(-1) ?? ''
    await nobody.call(contract.unsubscribe, { token })
    await site.as(owner).call(contract.removeContact, { id: contactId })
    const kept = await site.db.selectFrom('former_contacts').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(email)
    expect(await nobody.call(contract.getUnsubscribe, { token })).toMatchObject({
      left: true,
      emailMasked: '',
    })
    const request = { name: 'Night shift', email: email.toUpperCase(), machineIds: [machineId] }
    const { id } = await site.as(owner).call(contract.createContact, request)
    expect(await site.as(owner).call(contract.listContacts, {})).toMatchObject([{ id, state: 'left' }])
    expect(await site.refusalOf(owner, contract.askContact, { id })).toBe('CONTACT_LEFT')
    expect(await mailsTo(email)).toBe(1)
    // A year later the owner may ask again.
    const longAgo = new Date(now() - 367 * 24 * hourMs)
    for (const table of ['former_contacts', 'alarm_contacts'] as const)
      await site.db.updateTable(table).set({ left_at: longAgo }).where('left_at', 'is not', null).execute()
    await site.as(owner).call(contract.removeContact, { id })
    await site.as(owner).call(contract.createContact, request)
    expect(await mailsTo(email)).toBe(2)
  })

  test('that was deleted and added again leaves by the link of a mail from before', async () => {
    const { owner, machineId } = await createOwned()
    const { contactId, email } = await createConfirmed(owner, machineId)
    const { unsubscribe_url: url } = await site.db
      .selectFrom('outgoing')
      .select('unsubscribe_url')
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow()
    await site.as(owner).call(contract.removeContact, { id: contactId })
    await site.as(owner).call(contract.createContact, { name: 'Shift', email, machineIds: [machineId] })
    await site.as(undefined).call(contract.confirmContact, { token: await tokenOf(email) })
    expect(await toldOf(machineId)).toHaveLength(1)
    await site.as(undefined).call(contract.unsubscribe, { token: url.split('/').at(-1) ?? '' })
    expect(await toldOf(machineId)).toEqual([])
  })

  test('loses a machine that changes hands, and one whose person lost the right', async () => {
    const { owner, machineId } = await createOwned()
    const visitor = await site.createUser()
    const grantId = await site.grantMachine(visitor.userId, machineId, { role: 'visitor' })
    const ofVisitor = await createConfirmed(visitor, machineId)
    const ofOwner = await createConfirmed(owner, machineId)
    expect(await toldOf(machineId)).toContain(ofOwner.contactId)
    await site.db.deleteFrom('machine_grants').where('id', '=', grantId).execute()
    expect(await toldOf(machineId)).not.toContain(ofVisitor.contactId)
    const fact = { kind: 'machine.ownerChanged', machineId, at: now(), isFirst: false } as never
    await withTransaction(site.db, (trx) => site.platform.facts.record(trx, fact))
    expect(await toldOf(machineId)).toEqual([])
  })

  test('of an enterprise can be created with the right sms alone, for devices that it owns', async () => {
    const { eid } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const [writer, reader] = [
      await site.createMember(eid, 'member', ['sms']),
      await site.createMember(eid, 'member', ['view']),
    ]
    const request = { eid, name: 'Gate', email: freshAddress(), machineIds: [machineId] }
    expect(await site.refusalOf(reader, contract.createEnterpriseContact, request)).toBe('403')
    const { id } = await site.as(writer).call(contract.createEnterpriseContact, request)
    expect((await site.as(reader).call(contract.listEnterpriseContacts, { eid }))[0]?.id).toBe(id)
    await site.as(undefined).call(contract.confirmContact, { token: await tokenOf(request.email) })
    expect(await toldOf(machineId)).toEqual([id])
    const mayConfirm = await failureOf(site.as(writer), contract.updateEnterpriseContact, {
      eid,
      id,
      mayConfirm: true,
    })
    expect(mayConfirm.code).toBe('CONTACT_CONFIRM_KEY')
  })
})

describe('a link of a mail', () => {
  test('changes nothing when a scanner follows it, however often, and confirms at a press', async () => {
    const { owner, machineId } = await createOwned()
    const { contactId, email } = await createConfirmed(owner, machineId, true)
    const confirmToken = await tokenOf(email)
    const alarmId = await raise(machineId)
    // The alarm's own mail has a link as well.
    await expect.poll(() => mailsTo(email), { timeout: 10_000, interval: 5 }).toBe(2)
    const token = await linkTo(alarmId, { contactId })
    const stored = async () => [
      await confirmerOf(alarmId),
      await site.db.selectFrom('alarm_contacts').selectAll().where('id', '=', contactId).execute(),
      await site.db.selectFrom('alarm_links').selectAll().where('alarm_id', '=', alarmId).execute(),
    ]
    const before = await stored()
    const paths = [`alarm/link/${token}`, `alarm/contact/confirm/${confirmToken}`]
    for (const path of [...paths, ...paths])
      expect((await fetch(`${site.url}/api/v1/${path}`)).status).toBe(200)
    for (const page of [`alarm/link/${token}`, `unsubscribe/${token}`]) await fetch(`${site.url}/${page}`)
    expect(await stored()).toEqual(before)
    const nobody = site.as(undefined)
    expect(await nobody.call(contract.getAlarmLink, { token })).toMatchObject({
      text: 'Too hot',
      mayConfirm: true,
    })
    expect(await nobody.call(contract.confirmAlarmLink, { token })).toEqual({ confirmed: true })
    expect(await nobody.call(contract.confirmAlarmLink, { token })).toEqual({ confirmed: false })
    expect(await confirmerOf(alarmId)).toMatchObject({ confirmed_contact_id: contactId, confirmed_by: null })

    // The owner reads in the journal and on the alarm's page who it was.
    const { list } = await site.as(owner).call(alarms.listAlarmJournal, { alarmId })
    expect(list[0]).toMatchObject({ kind: 'confirmed', by: 'Night shift', isContact: true })
    expect((await site.as(owner).call(alarms.getAlarm, { id: alarmId })).confirmedBy).toBe('Night shift')
  })

  test('is in an SMS where that is switched on for the device, and its segments count', async () => {
    const phone = `138${String(20_000_000 + ++contactsMade)}`
    const owner = await site.createUser({ phone, lang: 'cn' })
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await sql`insert into sms_stocks (user_id, stock, created_at) values (${owner.userId}, 100, now())`.execute(
      site.db,
    )
    const smsOf = async (alarmId: number) => {
      const found = () =>
        site.db
          .selectFrom('notifications')
          .innerJoin('outgoing', 'outgoing.notification_id', 'notifications.id')
          .select(['outgoing.text', 'notifications.segments'])
          .where('notifications.alarm_id', '=', alarmId)
          .where('notifications.channel', '=', 'sms')
          .execute()
      await expect.poll(found, { timeout: 10_000, interval: 5 }).toHaveLength(1)
      return (await found())[0]
    }
    const usual = await smsOf(await raise(machineId))
    expect(usual?.text).not.toContain('https://')

    await site.as(owner).call(notifications.setMachineSmsFlag, { machineIds: [machineId], linkFlag: 1 })
    const { list } = await site.as(owner).call(notifications.listPersonalMachine, {})
    expect(list).toMatchObject([{ machineId, smsFlag: 1, emailFlag: 1, linkFlag: 1 }])
    // Its window is over by then, so that the alarm is a first again.
    ahead = hourMs
    try {
      const alarmId = await raise(machineId, 'E2')
      const linked = await smsOf(alarmId)
      const token = /确认： https:\/\/busbar\.example\/alarm\/link\/([\w-]+)$/.exec(linked?.text ?? '')?.[1]
      expect(linked?.segments).toBe(smsSegments(linked?.text ?? ''))
      expect(linked?.segments).toBeGreaterThan(usual?.segments ?? 0)
      expect(await site.as(undefined).call(contract.confirmAlarmLink, { token: token ?? '' })).toEqual({
        confirmed: true,
      })
      expect((await confirmerOf(alarmId)).confirmed_by).toBe(owner.userId)
    } finally {
      ahead = 0
    }
  })

  test('asks the right again at the press: of a person who lost it, it is unknown', async () => {
    const { machineId } = await createOwned()
    const bkey = await site.createUser()
    const grantId = await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
    const [first, second] = [await raise(machineId, 'A'), await raise(machineId, 'B')]
    const [used, kept] = [
      await linkTo(first, { userId: bkey.userId }),
      await linkTo(second, { userId: bkey.userId }),
    ]
    const nobody = site.as(undefined)
    await nobody.call(contract.confirmAlarmLink, { token: used })
    expect((await confirmerOf(first)).confirmed_by).toBe(bkey.userId)
    await site.db.deleteFrom('machine_grants').where('id', '=', grantId).execute()
    for (const route of [contract.getAlarmLink, contract.confirmAlarmLink])
      expect((await failureOf(nobody, route, { token: kept })).code).toBe('LINK_UNKNOWN')
    expect((await confirmerOf(second)).confirmed_at).toBeNull()
  })

  test('of a contact confirms only if an Akey allowed it', async () => {
    const { owner, machineId } = await createOwned()
    const { contactId } = await createConfirmed(owner, machineId)
    const token = await linkTo(await raise(machineId), { contactId })
    const nobody = site.as(undefined)
    expect((await nobody.call(contract.getAlarmLink, { token })).mayConfirm).toBe(false)
    expect((await failureOf(nobody, contract.confirmAlarmLink, { token })).code).toBe('LINK_NOT_ALLOWED')
    const visitor = await site.createHolder(machineId, { role: 'visitor' })
    const request = { name: 'Gate', email: freshAddress(), machineIds: [machineId], mayConfirm: true }
    expect(await site.refusalOf(visitor, contract.createContact, request)).toBe('CONTACT_CONFIRM_KEY')
  })

  test('that expired, is another’s or never existed is answered alike', async () => {
    const { owner, machineId } = await createOwned()
    const token = await linkTo(await raise(machineId), { userId: owner.userId })
    const answerOf = async (path: string) => {
      const answer = await fetch(`${site.url}/api/v1/${path}`)
      return [answer.status, await answer.text()]
    }
    const unknown = await answerOf(`alarm/link/${'a'.repeat(43)}`)
    try {
      ahead = timing.alarmLinkMs + 1_000
      expect(await answerOf(`alarm/link/${token}`)).toEqual(unknown)
    } finally {
      ahead = 0
    }
    await site.db
      .updateTable('machines')
      .set({ owned_since: new Date(now() + 1) })
      .where('id', '=', machineId)
      .execute()
    expect(await answerOf(`alarm/link/${token}`)).toEqual(unknown)
    expect(await answerOf(`alarm/contact/confirm/${token}`)).toEqual(unknown)
    expect(await answerOf(`alarm/unsubscribe/${token}`)).toEqual(unknown)
  })

  test('lets a contact leave by one click of a mail program, and is void for another address', async () => {
    const box = createSecretBox(Buffer.alloc(32, 7))
    const token = sealUnsubscribe(box, { contactId: 12, email: 'a@example.test' })
    expect(openUnsubscribe(box, token)).toMatchObject({ kind: 'contactId', id: 12 })
    expect(openUnsubscribe(box, token)?.isFor('A@example.test')).toBe(true)
    expect(openUnsubscribe(box, token)?.isFor('b@example.test')).toBe(false)
    expect(openUnsubscribe(createSecretBox(), token)).toBeUndefined()
    const clicked = await fetch(`${site.url}/unsubscribe/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect((await clicked.json()) as object).toMatchObject({ error: { code: 'LINK_UNKNOWN' } })
  })

  test('in a mail to a person switches the e-mails of their account off with one press, and no other person’s', async () => {
    const { owner, machineId } = await createOwned()
    const email = freshAddress()
    await site.db.updateTable('users').set({ email }).where('id', '=', owner.userId).execute()
    await raise(machineId)
    await expect.poll(() => mailsTo(email), { timeout: 10_000, interval: 5 }).toBe(1)
    const row = site.db.selectFrom('outgoing').select('unsubscribe_url').where('recipient', '=', email)
    const { unsubscribe_url: url } = await row.executeTakeFirstOrThrow()
    const token = url.split('/').at(-1) ?? ''
    const shown = await site.as(undefined).call(contract.getUnsubscribe, { token })
    expect(shown).toMatchObject({ about: 'account', left: false, from: '' })
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const pressed = await fetch(`${site.url}/unsubscribe/${token}`, { method: 'POST', headers, body })
    expect(pressed.status).toBe(200)
    expect(await site.as(owner).call(notifications.getUserMsgConfig, {})).toMatchObject({ userEmailFlag: 0 })
    await fetch(`${site.url}/unsubscribe/${token}`, { method: 'POST', headers, body })
    const told = site.db.selectFrom('messages').select('type').where('user_id', '=', owner.userId)
    expect((await told.execute()).filter(({ type }) => type === 'mailsOff')).toHaveLength(1)
    const other = freshAddress()
    await site.db.updateTable('users').set({ email: other }).where('id', '=', owner.userId).execute()
    const { code } = await failureOf(site.as(undefined), contract.getUnsubscribe, { token })
    expect(code).toBe('LINK_UNKNOWN')
  })

  test('stores no token and writes none into the log', async () => {
    const { owner, machineId } = await createOwned()
    const token = await linkTo(await raise(machineId), { userId: owner.userId })
    await fetch(`${site.url}/api/v1/alarm/link/${token}`)
    const rows = await site.db.selectFrom('alarm_links').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(lines.some((line) => line.includes(token))).toBe(false)
    expect(lines.some((line) => line.includes('/api/v1/alarm/link/:token'))).toBe(true)
  })
})
