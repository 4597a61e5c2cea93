import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createToken, hashToken } from '@busbar/platform/modules/accounts/index.ts'
import { createAlarmLinks } from '@busbar/platform/modules/notifications/links-service.ts'
import { createMachine, createUser } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { linkWords } from './alarm-link-screens.ts'
import { findFaults } from './axe.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import type { Lang } from './texts.ts'
import { looksOf, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const alarmText = { cn: '保温温度过低', en: 'Holding temperature too low' } as const

/** An alarm of a fresh machine, and the token of the link in the mail to its owner. */
async function mailAlarm(lang: Lang) {
  const owner = await createUser(db, { name: lang === 'cn' ? '陈晓燕' : 'Maria Clarke', lang })
  const name = lang === 'cn' ? '二号杀菌机' : 'Plate pasteuriser'
  const { machineId } = await createMachine(db, { name, owner: owner.userId })
  const at = new Date()
  const { id: alarmId } = await db
    .insertInto('alarms')
    .values({
      ...{ machine_id: machineId, key: 'LOW', level: 'critical', text: JSON.stringify(alarmText) },
      ...{ value: '71.2', limit_value: '72', raised_at: at, received_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [token = ''] = await db
    .transaction()
    .execute((trx) => createAlarmLinks(trx, [{ alarmId, to: { userId: owner.userId } }], Date.now()))
  const confirmedAt = async () =>
    (await db.selectFrom('alarms').select('confirmed_at').where('id', '=', alarmId).executeTakeFirstOrThrow())
      .confirmed_at
  return { token, name, confirmedAt }
}

describe.each(looksOf('alarm-links'))('by a link in a mail, without a session, $lang $size', (look) => {
  const t = linkWords[look.lang]

  it('an alarm is shown without a change, and is confirmed by the press', () =>
    withView(browser, site, look, async ({ page, complaints }) => {
      const { token, name, confirmedAt } = await mailAlarm(look.lang)
      for (const _ of ['a mail scanner', 'the person']) {
        const answer = await page.goto(`/alarm/link/${token}`)
        expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
        await page.getByRole('button', { name: t.alarm.submit }).waitFor()
        expect(await confirmedAt()).toBeNull()
      }
      for (const said of [name, alarmText[look.lang], t.alarm.levels.critical, '71.2', '72'])
        await page.getByText(said, { exact: true }).waitFor()
      expect(await findFaults(page, 'alarm by link')).toEqual([])
      await page.getByRole('button', { name: t.alarm.submit }).click()
      await page.getByRole('heading', { name: t.alarm.doneTitle }).waitFor()
      expect(await confirmedAt()).not.toBeNull()
      expect(await page.getByRole('button', { name: t.alarm.submit }).count()).toBe(0)
      expect(await findFaults(page, 'alarm acknowledged')).toEqual([])
      expect(complaints).toEqual([])
    }))

  it('a contact agrees to get alarms', () =>
    withView(browser, site, look, async ({ page, complaints }) => {
      const owner = await createUser(db, { name: 'Wei Zhang', lang: look.lang })
      const token = createToken()
      const now = new Date()
      const { id } = await db
        .insertInto('alarm_contacts')
        .values({
          ...{ user_id: owner.userId, name: 'Night shift', email: `links-${look.lang}@example.test` },
          ...{ lang: look.lang, token_hash: hashToken(token), asked_at: now, created_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const confirmedAt = async () =>
        (
          await db
            .selectFrom('alarm_contacts')
            .select('confirmed_at')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).confirmed_at
      await page.goto(`/contact/${token}`)
      await page.getByRole('heading', { name: t.contact.alarms.title }).waitFor()
      expect(await confirmedAt()).toBeNull()
      expect(await findFaults(page, 'contact by link')).toEqual([])
      await page.getByRole('button', { name: t.contact.alarms.submit }).click()
      await page.getByRole('heading', { name: t.contact.alarms.doneTitle }).waitFor()
      expect(await confirmedAt()).not.toBeNull()
      expect(complaints).toEqual([])
    }))

  it.each(['/alarm/link/', '/contact/', '/unsubscribe/'])(
    'an unknown token of %s is reported as invalid',
    (begin) =>
      withView(browser, site, look, async ({ page }) => {
        await page.goto(`${begin}${createToken()}`)
        await page.getByRole('heading', { name: t.unknownTitle }).waitFor()
        expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
        expect(await findFaults(page, 'unknown link')).toEqual([])
      }),
  )
})
