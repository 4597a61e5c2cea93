import { createClient, smsStock } from '@busbar/contract'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createUser,
} from '@busbar/testkit'
import { expect, it } from 'vitest'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }

/** An operator recharges a balance. */
async function recharge(owner: { eid: number } | { userId: number }, count: number): Promise<void> {
  const { token, userId } = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', userId).execute()
  const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })
  await client.call(smsStock.changeStock, { ...owner, type: 'recharge', count, note: 'PO 4711' })
}

it(
  'a person sees recharge and balance, switches SMS of a device, and adds a recipient who agrees by the mail',
  () =>
    withView(browser, site, desk, async (view) => {
      const { page, t } = view
      const words = t.notifications
      const person = await signInDirectly(view, site, db)
      await createMachine(db, { name: 'Filler 5', owner: person.userId })
      await recharge({ userId: person.userId }, 300)
      await page.goto('/alarmCenter/notifications?eid=0')
      const balance = page.getByRole('region', { name: words.balance.title })
      await balance.getByText(/^300/).waitFor()
      const device = page.getByRole('switch', { name: words.devices.switchSms('Filler 5') })
      await device.click()
      await page.getByText(words.devices.done).first().waitFor()
      await page.goto('/alarmCenter/notifications?eid=0&list=sales')
      await page.getByText('PO 4711').first().waitFor()
      await page.goto('/alarmCenter/notifications?eid=0&list=sent')
      await page.getByText(words.sent.empty).waitFor()

      const email = `shift-${person.userId}@example.test`
      await page.goto('/alarmCenter/notifications?eid=0&part=email')
      await page.getByRole('button', { name: words.contacts.add }).first().click()
      const dialog = page.getByRole('dialog', { name: words.contacts.add })
      await dialog.getByRole('textbox', { name: words.contacts.name }).fill('Night shift')
      await dialog.getByRole('textbox', { name: words.contacts.email }).fill(email)
      await dialog.getByText('Filler 5').first().click()
      await dialog.getByRole('button', { name: words.contacts.add }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(words.contacts.states.asked, { exact: true }).first().waitFor()
      const { text } = await db
        .selectFrom('outgoing')
        .select('text')
        .where('recipient', '=', email)
        .executeTakeFirstOrThrow()
      const [, token = ''] = /\/contact\/([\w-]+)/.exec(text) ?? []
      await page.goto(`/contact/${token}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.getByRole('main').getByRole('button').last().click()
      await expect
        .poll(async () => {
          const row = db.selectFrom('alarm_contacts').select('confirmed_at').where('email', '=', email)
          return (await row.executeTakeFirst())?.confirmed_at ?? null
        })
        .not.toBeNull()
      await page.goto('/alarmCenter/notifications?eid=0&part=email')
      await page.getByText(words.contacts.states.confirmed, { exact: true }).first().waitFor()
      expect(view.complaints).toEqual([])
    }),
  120_000,
)

it(
  'an enterprise allocates SMS to a member and reclaims some, and the record says both',
  () =>
    withView(browser, site, desk, async (view) => {
      const { page, t } = view
      const words = t.notifications
      const { eid, owner } = await createEnterprise(db)
      await signInDirectly(view, site, db, owner)
      await createEnterpriseMachine(db, eid)
      const member = await createMember(db, eid, 'member', ['alarm'])
      await db.updateTable('users').set({ name: 'Chen Bo' }).where('id', '=', member.userId).execute()
      await recharge({ eid }, 100)

      const move = async (button: string, dialogName: string, submit: string, count: string) => {
        await page.getByRole('button', { name: button }).click()
        const dialog = page.getByRole('dialog', { name: dialogName })
        await dialog.getByRole('spinbutton', { name: words.members.count }).fill(count)
        await dialog.getByRole('button', { name: submit, exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await page.goto(`/alarmCenter/notifications?eid=${eid}&list=members`)
      const balance = page.getByRole('region', { name: words.balance.title })
      await balance.getByText(/^100/).waitFor()
      const { giveTo, reclaimFrom, give, reclaim } = words.members
      await move(giveTo('Chen Bo'), giveTo('Chen Bo'), give, '30')
      await balance.getByText(/^70/).waitFor()
      await move(reclaimFrom('Chen Bo'), reclaimFrom('Chen Bo'), reclaim, '10')
      await balance.getByText(/^80/).waitFor()

      await page.goto(`/alarmCenter/notifications?eid=${eid}&list=allocations`)
      await page.getByRole('gridcell', { name: words.allocations.acts.give }).first().waitFor()
      await page.getByRole('gridcell', { name: words.allocations.acts.takeBack }).first().waitFor()
      await page.goto(`/alarmCenter/notifications?eid=${eid}&list=sales`)
      await page.getByText('PO 4711').first().waitFor()
      expect(view.complaints).toEqual([])
    }),
  120_000,
)
