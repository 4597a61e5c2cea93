import { readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { reports as contract, type RequestOf } from '@busbar/contract'
import { createAlarm } from '@busbar/platform/test-support/rights/things.ts'
import { failureOf, type TestUser } from '@busbar/testkit'
import { readPdf } from '@busbar/testkit/pdf.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test, vi } from 'vitest'
import { queueDue } from './reports-service.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Monday, half past six in the morning. */
const monday = Date.UTC(2026, 10, 23, 6, 30)

let time = monday
const site = useSite({ PUBLIC_URL: 'https://busbar.test' }, { now: () => time })

type Wish = RequestOf<typeof contract.createReport>

const wishOf = (machineIds: number[], more: Partial<Wish> = {}): Wish => ({
  name: 'Daily report',
  schedule: { every: 'day', hour: 7, timeZone: 'UTC' },
  content: { machineIds, tags: [], parts: ['availability', 'alarms'] },
  formats: ['csv'],
  recipients: { userIds: [], contactIds: [] },
  ...more,
})

const runsOf = (user: TestUser, id: number) => site.as(user).call(contract.listReportRuns, { id })

async function finishedRuns(user: TestUser, id: number, count: number): Promise<contract.ReportRun[]> {
  // As the clock job does every 15 seconds.
  await queueDue({ db: site.db, jobs: site.platform.jobs }, time)
  return vi.waitFor(
    async () => {
      const found = await runsOf(user, id)
      expect(found.filter(({ endedAt }) => endedAt !== null)).toHaveLength(count)
      return found
    },
    { timeout: 30_000, interval: 200 },
  )
}

async function download(user: TestUser, fileId: number): Promise<Buffer> {
  const answer = await fetch(`${site.url}/api/v1/reports/files/${fileId}`, {
    headers: { authorization: `Bearer ${user.token}` },
  })
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  return Buffer.from(await answer.arrayBuffer())
}

/** The names of those who acknowledged alarms in spreadsheets, which are archives of deflated files. */
function namesIn(sheets: readonly Buffer[]): Set<string> {
  const names = new Set<string>()
  for (const bytes of sheets)
    for (let at = bytes.indexOf('PK\x03\x04'); at !== -1; at = bytes.indexOf('PK\x03\x04', at + 4)) {
      const begin = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
      const text = inflateRawSync(bytes.subarray(begin)).toString()
      for (const name of text.match(/Acting Wang|Another person/g) ?? []) names.add(name)
    }
  return names
}

const statusOf = async (user: TestUser, fileId: number): Promise<number> => {
  const headers = { authorization: `Bearer ${user.token}` }
  const answer = await fetch(`${site.url}/api/v1/reports/files/${fileId}`, { headers })
  await answer.arrayBuffer()
  return answer.status
}

const mailsTo = (email: string) =>
  site.db
    .selectFrom('outgoing')
    .select(['subject', 'text', 'attachments', 'unsubscribe_url'])
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()

async function keyHolder() {
  const user = await site.createUser()
  const machine = await site.createMachine({ owner: user.userId, name: 'Press 4' })
  return { user, machine, machineId: machine.machineId }
}

describe('on schedule', () => {
  test('a report is made once for its time, is kept for download and goes to its recipients', async () => {
    const { user, machineId } = await keyHolder()
    await site.db
      .updateTable('users')
      .set({ email: 'daily@example.test', lang: 'en' })
      .where('id', '=', user.userId)
      .execute()
    const { id } = await site
      .as(user)
      .call(
        contract.createReport,
        wishOf([machineId], { recipients: { userIds: [user.userId], contactIds: [] } }),
      )
    expect(await site.as(user).call(contract.listReports, {})).toMatchObject([
      { id, nextAt: Date.UTC(2026, 10, 23, 7), lastRun: null, recipients: 1 },
    ])
    time = Date.UTC(2026, 10, 23, 7, 0, 10)
    const [made] = await finishedRuns(user, id, 1)
    expect(made).toMatchObject({
      state: 'done',
      from: Date.UTC(2026, 10, 22),
      to: Date.UTC(2026, 10, 23),
      isAsked: false,
      leftOut: [],
      // No service is set up.
      deliveries: [{ state: 'kept', unseen: 0 }],
    })
    expect((await download(user, made?.files[0]?.id ?? 0)).toString()).toContain('Press 4')
    const mails = await mailsTo('daily@example.test')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.attachments).toMatchObject([
      { name: 'Daily report 2026-11-22.csv', contentType: 'text/csv' },
    ])
    // A second check does not make the same time again.
    await finishedRuns(user, id, 1)
    expect(await mailsTo('daily@example.test')).toHaveLength(1)
    time = monday
  })

  test('times that were missed are made up once', async () => {
    const { user, machineId } = await keyHolder()
    const { id } = await site.as(user).call(contract.createReport, wishOf([machineId]))
    time = monday + 5 * dayMs + hourMs
    const list = await finishedRuns(user, id, 1)
    expect(list.map(({ from }) => from)).toEqual([Date.UTC(2026, 10, 27)])
    const [row] = await site.as(user).call(contract.listReports, {})
    expect(row?.nextAt).toBe(Date.UTC(2026, 10, 29, 7))
    time = monday
  })

  test('a paused report is not made', async () => {
    const { user, machineId } = await keyHolder()
    const { id } = await site.as(user).call(contract.createReport, wishOf([machineId], { enabled: false }))
    const other = await site.as(user).call(contract.createReport, wishOf([machineId]))
    time = monday + dayMs
    await finishedRuns(user, other.id, 1)
    expect(await runsOf(user, id)).toEqual([])
    time = monday
  })
})

describe('rights', () => {
  test('a report is of machines that its writer sees, for people who see one of them', async () => {
    const { user, machineId } = await keyHolder()
    const foreign = await keyHolder()
    const stranger = await site.createUser()
    const machines = wishOf([machineId, foreign.machineId])
    expect(await failureOf(site.as(user), contract.createReport, machines)).toMatchObject({
      code: 'REPORT_MACHINES',
    })
    const recipients = { userIds: [stranger.userId], contactIds: [] }
    const sent = wishOf([machineId], { recipients })
    expect(await failureOf(site.as(user), contract.createReport, sent)).toMatchObject({
      code: 'REPORT_RECIPIENTS',
    })
  })

  test('the choice of recipients showed a visitor who else may enter the device', async () => {
    const { user, machineId } = await keyHolder()
    const [visitor, other] = [await site.createUser(), await site.createUser()]
    for (const { userId } of [visitor, other]) await site.grantMachine(userId, machineId, { role: 'visitor' })
    const peopleFor = async (reader: TestUser) => {
      const wish = { machineIds: [machineId] }
      const { people } = await site.as(reader).call(contract.listReportRecipients, wish)
      return people.map(({ userId }) => userId).sort((a, b) => a - b)
    }
    expect(await peopleFor(visitor)).toEqual([visitor.userId])
    expect(await peopleFor(user)).toEqual([user.userId, visitor.userId, other.userId].sort((a, b) => a - b))
    const wish = wishOf([machineId], { recipients: { userIds: [other.userId], contactIds: [] } })
    expect(await site.refusalOf(visitor, contract.createReport, wish)).toBe('REPORT_RECIPIENTS')
  })

  test('after a lost right the report lists the missing data, and an older file is refused', async () => {
    const { user, machineId } = await keyHolder()
    const other = await keyHolder()
    await site.grantMachine(user.userId, other.machineId, { role: 'visitor' })
    const { id } = await site
      .as(user)
      .call(contract.createReport, wishOf([machineId, other.machineId], { enabled: false }))
    await site.as(user).call(contract.runReport, { id })
    const [before] = await finishedRuns(user, id, 1)
    await site.db.deleteFrom('machine_grants').where('user_id', '=', user.userId).execute()
    await site.as(user).call(contract.runReport, { id })
    const [after] = await finishedRuns(user, id, 2)
    expect(after?.leftOut).toEqual(['1 device: the owner of the report no longer has access'])
    expect((await download(user, after?.files[0]?.id ?? 0)).toString()).toContain('no longer has access')
    const refused = await fetch(`${site.url}/api/v1/reports/files/${before?.files[0]?.id}`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect(refused.status).toBe(403)
    expect(await site.as(user).call(contract.getReport, { id })).toMatchObject({
      hiddenMachines: 1,
      content: { machineIds: [machineId] },
    })
  })

  test('an older file showed the next owner the former one’s time', async () => {
    const { user: former, machineId } = await keyHolder()
    const next = await site.createHolder(machineId, { role: 'visitor' })
    const { id } = await site.as(next).call(contract.createReport, wishOf([machineId], { enabled: false }))
    const make = async (runs: number) => {
      await site.as(next).call(contract.runReport, { id })
      const [made] = await finishedRuns(next, id, runs)
      return made?.files[0]?.id ?? 0
    }
    const before = await make(1)
    await site.db
      .updateTable('machines')
      .set({ owner_user_id: next.userId, owned_since: new Date(time + 1) })
      .where('id', '=', machineId)
      .where('owner_user_id', '=', former.userId)
      .execute()
    expect(await statusOf(next, before)).toBe(403)
    time += 2
    expect(await statusOf(next, await make(2))).toBe(200)
    time = monday
  })

  test('a download went on after the right was lost', async () => {
    const { machineId } = await keyHolder()
    const guest = await site.createHolder(machineId, { role: 'visitor' })
    const { id } = await site.as(guest).call(contract.createReport, wishOf([machineId], { enabled: false }))
    await site.as(guest).call(contract.runReport, { id })
    const [made] = await finishedRuns(guest, id, 1)
    // More bytes than sockets hold on the way.
    const bytes = 64 * 1024 * 1024
    const { key } = await site.db
      .updateTable('files')
      .set({ bytes })
      .where('user_id', '=', guest.userId)
      .returning('key')
      .executeTakeFirstOrThrow()
    const [installation = ''] = await readdir(site.filesDir)
    await truncate(join(site.filesDir, installation, key), bytes)
    const answer = await fetch(`${site.url}/api/v1/reports/files/${made?.files[0]?.id}`, {
      headers: { authorization: `Bearer ${guest.token}` },
    })
    const reader = answer.body?.getReader()
    await reader?.read()
    await site.db.deleteFrom('machine_grants').where('user_id', '=', guest.userId).execute()
    time += 2_000
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(rest()).rejects.toThrow('terminated')
    time = monday
  })

  test('of an enterprise’s report each member gets the devices that they may see, and no names of others', async () => {
    const { eid, owner } = await site.createEnterprise()
    const guest = await site.createMember(eid, 'member', [])
    const mate = await site.createMember(eid, 'member', ['view'])
    const machine = await site.createEnterpriseMachine(eid)
    for (const [who, email] of [
      [guest, 'guest@example.test'],
      [mate, 'mate@example.test'],
    ] as const)
      await site.db.updateTable('users').set({ email, lang: 'en' }).where('id', '=', who.userId).execute()
    const { id } = await site.as(owner).call(contract.createReport, {
      eid,
      ...wishOf([machine.machineId], {
        recipients: { userIds: [guest.userId, mate.userId], contactIds: [] },
      }),
    })
    await site.db.updateTable('alarm_contacts').set({ confirmed_at: new Date() }).execute()
    await site.as(owner).call(contract.runReport, { id, send: true })
    const [made] = await finishedRuns(owner, id, 1)
    expect(made?.deliveries.map(({ state }) => state).sort()).toEqual(['kept', 'noRight'])
    const reportsTo = async (email: string) =>
      (await mailsTo(email)).filter(({ subject }) => subject.includes('Scheduled report'))
    expect(await reportsTo('guest@example.test')).toEqual([])
    expect(await reportsTo('mate@example.test')).toHaveLength(1)
    expect(await failureOf(site.as(mate), contract.runReport, { id })).toMatchObject({ code: '403' })
  })

  test('a file named the person who acknowledged an alarm to people who see no names', async () => {
    const { user: key, machineId } = await keyHolder()
    const acting = await site.createUser({ name: 'Acting Wang' })
    const visitor = await site.createUser()
    for (const { userId } of [acting, visitor])
      await site.grantMachine(userId, machineId, { role: 'visitor' })
    const alarmId = await createAlarm(site.db, machineId, 'too hot')
    const raisedAt = new Date(monday - 1.5 * dayMs)
    await site.db
      .updateTable('alarms')
      .set({
        raised_at: raisedAt,
        received_at: raisedAt,
        confirmed_at: raisedAt,
        confirmed_by: acting.userId,
      })
      .where('id', '=', alarmId)
      .execute()
    for (const [reader, shown] of [
      [visitor, 'Another person'],
      [acting, 'Acting Wang'],
      [key, 'Acting Wang'],
    ] as const) {
      const { id } = await site
        .as(reader)
        .call(contract.createReport, wishOf([machineId], { enabled: false, formats: ['xlsx'] }))
      await site.as(reader).call(contract.runReport, { id })
      const [made] = await finishedRuns(reader, id, 1)
      const texts = await Promise.all((made?.files ?? []).map((file) => download(reader, file.id)))
      expect(namesIn(texts)).toEqual(new Set([shown]))
    }
    // Of one report each recipient gets their own file.
    await site.db
      .updateTable('users')
      .set({ email: 'guest2@example.test', lang: 'en' })
      .where('id', '=', visitor.userId)
      .execute()
    const recipients = { userIds: [visitor.userId], contactIds: [] }
    const { id } = await site
      .as(key)
      .call(contract.createReport, wishOf([machineId], { enabled: false, formats: ['xlsx'], recipients }))
    await site.db.updateTable('alarm_contacts').set({ confirmed_at: new Date() }).execute()
    await site.as(key).call(contract.runReport, { id, send: true })
    await finishedRuns(key, id, 1)
    const attached = JSON.stringify((await mailsTo('guest2@example.test')).map((mail) => mail.attachments))
    const [, fileId] = /report\/(\d+)\//.exec(attached) ?? []
    const { key: name } = await site.db
      .selectFrom('files')
      .select('key')
      .where('id', '=', Number(fileId))
      .executeTakeFirstOrThrow()
    const [installation = ''] = await readdir(site.filesDir)
    const texts = [await readFile(join(site.filesDir, installation, name))]
    expect(namesIn(texts)).toEqual(new Set(['Another person']))
  })

  test('the list of runs named variables of devices that its reader may not see', async () => {
    const { eid, owner } = await site.createEnterprise()
    const [guest, mate] = [
      await site.createMember(eid, 'member', []),
      await site.createMember(eid, 'member', ['view']),
    ]
    const { machineId } = await site.createEnterpriseMachine(eid)
    const tags = [{ machineId, group: '', tag: 'recipe' }]
    const content: Wish['content'] = { machineIds: [machineId], tags, parts: ['statistics'] }
    const { id } = await site
      .as(owner)
      .call(contract.createReport, { eid, ...wishOf([machineId], { content, enabled: false }) })
    await site.as(owner).call(contract.runReport, { id })
    await finishedRuns(owner, id, 1)
    const leftOutFor = async (reader: TestUser) => (await runsOf(reader, id))[0]?.leftOut.join()
    expect(await leftOutFor(owner)).toContain('recipe')
    expect(await leftOutFor(mate)).toContain('recipe')
    expect(await leftOutFor(guest)).toBe('')
  })

  test('a report fails with the reason if its owner may see none of it', async () => {
    const { user } = await keyHolder()
    const other = await keyHolder()
    await site.grantMachine(user.userId, other.machineId, { role: 'visitor' })
    const { id } = await site
      .as(user)
      .call(contract.createReport, wishOf([other.machineId], { enabled: false }))
    await site.db.deleteFrom('machine_grants').where('user_id', '=', user.userId).execute()
    await site.as(user).call(contract.runReport, { id })
    const [failed] = await finishedRuns(user, id, 1)
    expect(failed).toMatchObject({ state: 'failed', error: 'noMachines', files: [] })
  })
})

test('the pages of a pdf are read by another program, in Chinese with embedded fonts', async () => {
  const { user, machineId } = await keyHolder()
  const wish = wishOf([machineId], { name: '注塑车间日报', formats: ['pdf', 'xlsx'], enabled: false })
  const { id } = await site.as(user, 'cn').call(contract.createReport, wish)
  await site.as(user).call(contract.runReport, { id })
  const [made] = await finishedRuns(user, id, 1)
  const pdf = made?.files.find(({ format }) => format === 'pdf')
  const text = await readPdf(await download(user, pdf?.id ?? 0))
  expect(text).toContain('注塑车间日报')
  expect(text).toContain('设备在线情况')
  expect(text).toContain('Press 4')
  expect(text).toContain('第 1 页，共 1 页')
})

test('a preview has the real pages, before anything is saved', async () => {
  const { user, machineId } = await keyHolder()
  const { name, schedule, content } = wishOf([machineId])
  const preview = await site.as(user).call(contract.previewReport, { name, schedule, content })
  expect(preview).toMatchObject({ pages: 1, from: Date.UTC(2026, 10, 21), nextAt: Date.UTC(2026, 10, 23, 7) })
  expect(preview.pictures[0]).toMatch(/^<svg .*aria-label="Press 4".*<\/svg>$/s)
  expect(await site.as(user).call(contract.listReports, {})).toEqual([])
})

test('a report shows no rise of a variable that falls often', async () => {
  const { user, machine, machineId } = await keyHolder()
  const at = Date.UTC(2026, 10, 21, 12)
  const sent = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    body: JSON.stringify(
      Array.from({ length: 100 }, (_, place) => ({
        ts: at + place * 1_000,
        values: { temp: 10 + (place % 5) * 3, pieces: place % 50 },
      })),
    ),
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')}`,
    },
  })
  expect(sent.status).toBe(200)
  const tags = ['temp', 'pieces'].map((tag) => ({ machineId, group: '', tag }))
  const wish = wishOf([machineId], { enabled: false })
  const { id } = await site.as(user).call(contract.createReport, {
    ...wish,
    content: { ...wish.content, tags, parts: ['statistics'] },
  })
  await site.as(user).call(contract.runReport, { id })
  const [made] = await finishedRuns(user, id, 1)
  const lines = (await download(user, made?.files[0]?.id ?? 0)).toString().split('\r\n')
  const rises = lines.filter((line) => line.includes('Increase')).map((line) => line.split(',').at(-3))
  expect(rises).toEqual(['', '98'])
})
