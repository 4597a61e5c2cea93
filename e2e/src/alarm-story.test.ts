import {
  alarmContacts,
  alarmRules,
  type Client,
  createClient,
  notifications,
  smsStock,
} from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, grantMachine, type TestMachine, type TestUser } from '@busbar/testkit'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkWords } from './alarm-link-screens.ts'
import { type Exim, mailDomain, startExim } from './exim.ts'
import type { Mail } from './mail.ts'
import { holdTemperatureTag, type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import { type OwnSite, startSite } from './site.ts'
import { type SmppServer, startSmppServer } from './smpp-server.ts'
import { noteSpoken, waitForSpoken } from './spoken.ts'
import { startTestClock, type TestClock } from './test-clock.ts'
import { type Look, signInDirectly, withView } from './view.ts'

/* An alarm from the register of a PLC to people, with a real mail server and a message centre of Perl's. */

const desk: Look = { lang: 'cn', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'en', theme: 'light', size: 'narrow' }
const minuteMs = 60_000
/** Long enough for a busy machine. */
const deadlineMs = 30_000
/** SMS segments. */
const bought = 20
/** The usual hold temperature, in °C. */
const warm = 75
const rulesOfFlood = 50
const rounds = 4
const floodAlarms = rulesOfFlood * rounds

let clock: TestClock
let exim: Exim
let centre: SmppServer
let site: OwnSite
let browser: Browser
let db: Database
let owner: TestUser
let colleague: TestUser
let machine: TestMachine
let modbusRig: ModbusRig

beforeAll(async () => {
  ;[clock, exim, centre, { browser }] = await Promise.all([
    startTestClock(),
    startExim(),
    startSmppServer(),
    shareSite(),
  ])
  const port = await findFreePort('127.0.0.1')
  site = await startSite({
    env: {
      ...clock.env,
      ...centre.env,
      SMTP_URL: exim.url,
      EMAIL_SENDER: `alarm@${mailDomain}`,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
    },
  })
  db = await site.openDatabase()
  // The owner is without a phone number.
  owner = await createUser(db, { name: '王强', lang: 'cn', email: `wang@${mailDomain}` })
  const contact = { email: `ann@${mailDomain}`, phone: '13800138000' }
  colleague = await createUser(db, { name: 'Ann Clarke', lang: 'en', ...contact })
  machine = await createMachine(db, { name: '二号杀菌机', owner: owner.userId })
  await grantMachine(db, colleague.userId, machine.machineId, { role: 'bkey' })
  await db
    .updateTable('machine_list_entries')
    .set({ name: 'Pasteuriser 2', is_named: true })
    .where('user_id', '=', colleague.userId)
    .execute()
  modbusRig = await startModbusRig(site, machine, { env: clock.env })
  modbusRig.setHoldTemperature(warm)
  await modbusRig.startAgent()
})

afterAll(async () => {
  await modbusRig?.close()
  await db?.destroy()
  await site?.stop()
  await Promise.all([exim?.close(), centre?.close(), clock?.close()])
})

const as = ({ token }: TestUser): Client =>
  createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })

/** Polls the database until the row appears, and returns it. */
async function untilRow<Row>(
  read: () => Promise<Row | undefined>,
  isIt: (row: Row) => boolean,
): Promise<Row> {
  for (const until = Date.now() + deadlineMs; ; ) {
    const row = await read()
    if (row !== undefined && isIt(row)) return row
    if (Date.now() > until) throw new Error(`It stayed at ${JSON.stringify(row)}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const tagOf = (name: string) =>
  untilRow(
    () =>
      db
        .selectFrom('tags')
        .select('id')
        .where('machine_id', '=', machine.machineId)
        .where('name', '=', name)
        .executeTakeFirst(),
    () => true,
  )

const untilAlarms = (raised: number, active: number) =>
  untilRow(
    async () =>
      (
        await sql<{ raised: number; active: number }>`
          select count(*)::int as raised, count(*) filter (where cleared_at is null)::int as active
          from alarms where machine_id = ${machine.machineId}`.execute(db)
      ).rows[0],
    (now) => now.raised === raised && now.active === active,
  )

/** The results of the messages about the machine: how many of each person, channel, state and reason. */
async function countOutcomes(): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; many: number }>`
    select concat_ws(' ', users.name, channel, note.state, nullif(reason, '')) as what, count(*)::int as many
    from notifications note join users on users.id = note.user_id
    where machine_id = ${machine.machineId} group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ what, many }) => [what, many]))
}

const countMails = async ({ email }: TestUser) => (await exim.mailsTo(email)).length

const linkOf = ({ text }: Mail): string => {
  const link = /\S+\/alarm\/link\/[\w-]+/.exec(text)?.[0]
  if (!link) throw new Error(`The mail has no link:\n${text}`)
  return link
}

it('an alarm of a PLC is shown, spoken and sent, escalates, is acknowledged from a mail, and 200 more are one digest', async () => {
  const operator = await createUser(db, { name: 'Olga Op' })
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
  await as(operator).call(smsStock.changeStock, {
    ...{ userId: owner.userId, type: 'recharge', count: bought, note: 'PO 4711' },
  })
  const { id: tagId } = await tagOf(holdTemperatureTag)
  await as(owner).call(alarmRules.createAlarmRule, {
    ...{ machineId: machine.machineId, kind: 'threshold', tagId, op: '<', limit: 72, deadband: 1 },
    ...{ level: 'critical', onDelay: 0, offDelay: 0 },
    text: { cn: '保温温度过低', en: 'Holding temperature too low' },
    instruction: '检查蒸汽阀和进料温度。',
  })
  await as(owner).call(alarmContacts.putEscalation, {
    machineId: machine.machineId,
    steps: [
      { afterMinutes: 5, who: 'keys', userIds: [], contactIds: [], how: ['push', 'voice'] },
      {
        ...{ afterMinutes: 1, who: 'userIds', userIds: [colleague.userId], contactIds: [] },
        how: ['sms', 'email'],
      },
    ],
  })

  await withView(browser, site, desk, async (desktop) => {
    const { page, t } = desktop
    await noteSpoken(page)
    await signInDirectly(desktop, site, db, owner)
    await page.goto('/alarmCenter/notifications?eid=0&part=settings')
    const voice = page.getByRole('switch', { name: t.notifications.settings.voice })
    await voice.click()
    await page.getByText(t.notifications.settings.saved).waitFor()
    await page.goto('/alarmCenter?eid=0')
    await page.getByText(t.alarms.list.empty, { exact: true }).waitFor()

    // The value crosses the limit.
    modbusRig.setHoldTemperature(68.4)
    const [spoken] = await waitForSpoken(page, 1)
    expect(spoken).toMatchObject({ lang: 'zh-CN' })
    expect(spoken?.text).toBe('二号杀菌机：保温温度过低')
    await page.getByRole('gridcell').getByText('保温温度过低').click()
    const pane = page.locator('[data-pane]')
    await pane.getByText(t.alarms.stages.activeUnacknowledged).waitFor()

    const [sms] = await centre.waitForSms(1)
    expect(sms?.to).toBe('8613800138000')
    for (const part of ['Pasteuriser 2', 'Holding temperature too low', '68.4 °C', '72 °C'])
      expect(sms?.text).toContain(part)
    const [mail] = await exim.waitForMails(colleague.email, 1)
    expect(mail?.subject).toContain('Critical alarm of Pasteuriser 2')
    expect(mail?.text).toContain('68.4 °C')
    const [ownMail] = await exim.waitForMails(owner.email, 1)
    expect(ownMail?.subject).toContain('二号杀菌机紧急报警')

    // Without a reaction, the first step speaks again and the second writes to the colleague again.
    await clock.putForward(5 * minuteMs)
    await waitForSpoken(page, 2)
    expect(centre.received()).toHaveLength(1)
    await clock.putForward(minuteMs)
    await centre.waitForSms(2)
    const [, escalated] = await exim.waitForMails(colleague.email, 2)
    if (!escalated) throw new Error('The colleague has one mail only.')

    // The colleague opens the link in the mail, on a phone and without a session.
    await withView(browser, site, phone, async (mobile) => {
      const words = linkWords.en.alarm
      // A mail scanner opens it before: the alarm changes by the press alone.
      for (const _ of ['scanner', 'person']) {
        const answer = await mobile.page.goto(linkOf(escalated))
        expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
        await mobile.page.getByRole('button', { name: words.submit }).waitFor()
      }
      expect(await pane.getByText(t.alarms.stages.activeUnacknowledged).count()).toBe(1)
      await mobile.page.getByRole('button', { name: words.submit }).click()
      await mobile.page.getByRole('heading', { name: words.doneTitle }).waitFor()
      const { confirmed_at: confirmedAt } = await untilRow(
        () =>
          db
            .selectFrom('alarms')
            .select('confirmed_at')
            .where('machine_id', '=', machine.machineId)
            .executeTakeFirst(),
        (row) => row.confirmed_at !== null,
      )
      const time = {
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZone: 'Asia/Shanghai',
      } as const
      const at = new Intl.DateTimeFormat('en-GB', time).format(confirmedAt ?? 0)
      await mobile.page.getByText(new RegExp(`Ann Clarke, .*${at}`)).waitFor()
      const confirmed = pane.getByText(new RegExp(`Ann Clarke.*${at}`)).first()
      await confirmed.waitFor()
      await pane.getByText(t.alarms.told.step('2')).waitFor()
      await pane.getByText(t.alarms.stages.activeAcknowledged).waitFor()
      await signInDirectly(mobile, site, db, colleague)
      await mobile.page.goto('/alarmCenter?eid=0')
      await mobile.page.getByText('Holding temperature too low').first().click()
      await mobile.page
        .locator('[data-pane]')
        .getByText(new RegExp(`Ann Clarke, .*${at}`))
        .waitFor()
      expect(mobile.complaints).toEqual([])
    })

    // 200 more alarms of the machine within a minute.
    modbusRig.setHoldTemperature(warm)
    await untilAlarms(1, 0)
    const lines = Array.from({ length: rulesOfFlood }, (_, place) => {
      const limit = 80 + place / 10
      return `${holdTemperatureTag},threshold,>,${limit},major,温度高于 ${limit},Temperature above ${limit}`
    })
    const { created } = await as(owner).call(alarmRules.importAlarmRules, {
      machineId: machine.machineId,
      csv: ['tag,kind,op,limit,level,cn,en', ...lines].join('\n'),
    })
    expect(created).toBe(rulesOfFlood)
    const tookMs = await calmMsOf(async () => {
      for (let round = 1; round <= rounds; round++) {
        modbusRig.setHoldTemperature(90)
        await untilAlarms(1 + round * rulesOfFlood, rulesOfFlood)
        modbusRig.setHoldTemperature(warm)
        await untilAlarms(1 + round * rulesOfFlood, 0)
      }
    })
    expect(tookMs).toBeLessThan(minuteMs)
    await clock.putForward(10 * minuteMs)
    const texts = await centre.waitForSms(3)
    expect(texts[2]?.text).toContain(`${floodAlarms} alarms`)
    const mails = await exim.waitForMails(colleague.email, 3)
    expect(mails[2]?.subject).toContain(`${floodAlarms} alarms of Pasteuriser 2`)
    const ownMails = await exim.waitForMails(owner.email, 2)
    expect(ownMails[1]?.subject).toContain(`二号杀菌机：${floodAlarms} 条报警`)

    // The log explains every message that was sent or not sent.
    const outcomes = await untilRow(
      countOutcomes,
      (rows) =>
        rows['Ann Clarke sms delivered digest'] === floodAlarms &&
        !Object.keys(rows).some((outcome) => outcome.includes('queued')),
    )
    const pushed = (name: string) =>
      (outcomes[`${name} push sent`] ?? 0) + (outcomes[`${name} push skipped limited`] ?? 0)
    // All alarms, and the first step of the first one.
    expect([pushed('王强'), pushed('Ann Clarke')]).toEqual([floodAlarms + 2, floodAlarms + 2])
    expect(Object.fromEntries(Object.entries(outcomes).filter(([what]) => !what.includes('push')))).toEqual({
      'Ann Clarke email sent': 2,
      'Ann Clarke email sent digest': floodAlarms,
      'Ann Clarke message sent': floodAlarms + 1,
      'Ann Clarke sms delivered': 2,
      'Ann Clarke sms delivered digest': floodAlarms,
      '王强 email sent': 1,
      '王强 email sent digest': floodAlarms,
      '王强 message sent': floodAlarms + 1,
      '王强 sms skipped noAddress': floodAlarms + 1,
      '王强 voice sent': 2,
    })
    expect([centre.received().length, await countMails(colleague), await countMails(owner)]).toEqual([
      3, 3, 2,
    ])

    // The balance is the number bought without the segments sent, and the console shows both.
    const used = centre.received().reduce((sum, { parts }) => sum + parts, 0)
    expect(centre.receiptsTaken()).toBe(used)
    const { stock } = await as(owner).call(notifications.getUserMsgConfig, {})
    const {
      rows: [records],
    } = await sql<{ sum: number }>`
      select coalesce(sum(change), 0)::int as sum from sms_stock_records`.execute(db)
    expect([stock, records?.sum]).toEqual([bought - used, bought - used])
    await page.goto('/alarmCenter/notifications?eid=0&list=sent')
    await page.getByText(t.notifications.reasonsOf.sms.noAddress).first().waitFor()
    expect(desktop.complaints).toEqual([])
  })
  await withView(browser, site, phone, async (mobile) => {
    await signInDirectly(mobile, site, db, colleague)
    await mobile.page.goto('/alarmCenter/notifications?eid=0&list=sent')
    await mobile.page.getByText(mobile.t.notifications.sent.digest(String(floodAlarms))).waitFor()
    const delivered = mobile.page.getByText(mobile.t.notifications.states.delivered, { exact: true })
    expect(await delivered.count()).toBe(3)
    expect(mobile.complaints).toEqual([])
  })
}, 120_000)
