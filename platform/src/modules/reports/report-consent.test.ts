import {
  alarmContacts,
  reports as contract,
  messages,
  notifications,
  type RequestOf,
  reportLimits,
} from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite({ PUBLIC_URL: 'https://busbar.test' })

let people = 0
async function createReader(): Promise<TestUser & { readonly email: string }> {
  const user = await site.createUser({ lang: 'en' })
  const email = `reader-${++people}@example.test`
  await site.db.updateTable('users').set({ email, lang: 'en' }).where('id', '=', user.userId).execute()
  return { ...user, email }
}

const wishOf = (machineId: number, userIds: readonly number[]): RequestOf<typeof contract.createReport> => ({
  name: 'Account locked: evil.example',
  schedule: { every: 'day', hour: 7, timeZone: 'UTC' },
  content: { machineIds: [machineId], tags: [], parts: ['availability'] },
  formats: ['csv'],
  recipients: { userIds: [...userIds], contactIds: [] },
  enabled: false,
})

/** A key holder of a machine, and people who were made visitors of it unasked. */
async function createSender(visitors: number) {
  const owner = await site.createUser({ name: 'http://evil.example' })
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const readers = await Promise.all(Array.from({ length: visitors }, createReader))
  for (const { userId } of readers) await site.grantMachine(userId, machineId, { role: 'visitor' })
  const make = () =>
    site.as(owner).call(
      contract.createReport,
      wishOf(
        machineId,
        readers.map(({ userId }) => userId),
      ),
    )
  return { owner, machineId, readers, make }
}

async function send(owner: TestUser, id: number): Promise<contract.ReportRun> {
  const { runId } = await site.as(owner).call(contract.runReport, { id, send: true })
  const run = async () =>
    (await site.as(owner).call(contract.listReportRuns, { id })).find((one) => one.id === runId)
  await expect.poll(async () => (await run())?.endedAt, { timeout: 30_000, interval: 50 }).toBeTruthy()
  return (await run()) as contract.ReportRun
}

const mailsTo = (email: string) =>
  site.db
    .selectFrom('outgoing')
    .select(['subject', 'text', 'unsubscribe_url'])
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()

const requestTo = async (reader: TestUser) =>
  (await site.as(reader).call(messages.listMessages, { scene: 'inbox' })).list.filter(
    ({ type }) => type === 'reportRequest',
  )

const statesOf = async (owner: TestUser, machineId: number) => {
  const found = await site.as(owner).call(contract.listReportRecipients, { machineIds: [machineId] })
  return new Map(found.people.map(({ userId, state }) => [userId, state]))
}

const answer = async (reader: TestUser, agree: boolean) => {
  const [request] = await requestTo(reader)
  await site.as(reader).call(contract.answerReportRequest, { id: request?.contactId ?? 0, agree })
}

test('25 mails with a subject of a stranger went to five people who had agreed to nothing', async () => {
  const { owner, readers, make } = await createSender(5)
  const off = readers[0] as (typeof readers)[number]
  await site.as(off).call(notifications.setUserMsgConfig, { userEmailFlag: 0 })
  const { id } = await make()
  // A second report of the same owner asks nobody again.
  const other = await make()
  for (const report of [id, other.id, id, other.id, id]) {
    const { deliveries } = await send(owner, report)
    expect(deliveries.map(({ state }) => state)).toEqual(Array(5).fill('asked'))
  }
  for (const reader of readers) {
    const mails = await mailsTo(reader.email)
    expect(mails).toHaveLength(reader === off ? 0 : 1)
    for (const { subject, text, unsubscribe_url: url } of mails) {
      expect(subject).toBe('Busbar: Confirm that you want to receive scheduled reports')
      expect(text).not.toContain('evil.example')
      expect(url).toContain('/unsubscribe/')
    }
    expect(await requestTo(reader)).toMatchObject([{ mayAnswer: true, outcome: null }])
  }
})

test('a person who agrees gets reports until they unsubscribe or turn e-mails off', async () => {
  const { owner, machineId, readers, make } = await createSender(2)
  const [first, second] = readers as [TestUser & { email: string }, TestUser & { email: string }]
  const { id } = await make()
  expect((await statesOf(owner, machineId)).get(first.userId)).toBe('asked')
  await answer(first, true)
  // The other one agrees by the link of the mail.
  const token =
    /busbar\.test\/contact\/([\w-]+)/.exec((await mailsTo(second.email))[0]?.text ?? '')?.[1] ?? ''
  const nobody = site.as(undefined)
  expect(await nobody.call(alarmContacts.getContactRequest, { token })).toMatchObject({ about: 'reports' })
  await nobody.call(alarmContacts.confirmContact, { token })
  expect((await send(owner, id)).deliveries.map(({ state }) => state)).toEqual(['kept', 'kept'])
  const [, report] = await mailsTo(first.email)
  expect(report?.subject).toMatch(/^Busbar: Scheduled report \([^a-z]*\)$/i)
  expect(await requestTo(first)).toMatchObject([{ mayAnswer: false, outcome: 'accepted' }])

  const leave = report?.unsubscribe_url.split('/').at(-1) ?? ''
  expect(await nobody.call(alarmContacts.getUnsubscribe, { token: leave })).toMatchObject({
    about: 'reports',
    left: false,
  })
  await nobody.call(alarmContacts.unsubscribe, { token: leave })
  await site.as(second).call(notifications.setUserMsgConfig, { userEmailFlag: 0 })
  const { deliveries } = await send(owner, id)
  expect(deliveries.map(({ state }) => state).toSorted()).toEqual(['left', 'off'])
  expect((await statesOf(owner, machineId)).get(first.userId)).toBe('left')
  expect(await mailsTo(first.email)).toHaveLength(2)
  // It was the reports of one owner: the account's switch stays on.
  expect(await site.as(first).call(notifications.getUserMsgConfig, {})).toMatchObject({ userEmailFlag: 1 })
})

test('a person who declined is not asked again, and nobody answers for them', async () => {
  const { owner, machineId, readers, make } = await createSender(1)
  const [reader] = readers as [TestUser & { email: string }]
  await make()
  const [request] = await requestTo(reader)
  const foreign = site
    .as(owner)
    .call(contract.answerReportRequest, { id: request?.contactId ?? 0, agree: true })
  await expect(foreign).rejects.toThrow()
  await answer(reader, false)
  const again = await make()
  await send(owner, again.id)
  expect((await statesOf(owner, machineId)).get(reader.userId)).toBe('left')
  expect(await mailsTo(reader.email)).toHaveLength(1)
  expect(await requestTo(reader)).toMatchObject([{ outcome: 'refused' }])
})

test('an owner’s reports are 50 mails a day at most, also of reports that were deleted; the files are there', async () => {
  const { owner, readers, make } = await createSender(2)
  const { id } = await make()
  for (const reader of readers) await answer(reader, true)
  const hash = Buffer.alloc(32)
  await site.db
    .insertInto('alarm_contact_asks')
    .values(
      Array.from({ length: reportLimits.mailsPerOwner - 1 }, () => ({
        ...{ user_id: owner.userId, email_hash: hash, at: new Date(), is_report: true },
      })),
    )
    .execute()
  const run = await send(owner, id)
  expect(run.deliveries.map(({ state }) => state).toSorted()).toEqual(['kept', 'limited'])
  expect(run.files).toHaveLength(1)
  await site.as(owner).call(contract.deleteReport, { id })
  const next = await make()
  expect((await send(owner, next.id)).deliveries.map(({ state }) => state)).toEqual(['limited', 'limited'])
})
