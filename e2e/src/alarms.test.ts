import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { lowAlarm, startModbusRig } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, sizes, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }

function withPerson(look: Look, user: TestUser, work: (view: View) => Promise<void>): Promise<void> {
  return withView(browser, site, look, async (view) => {
    await signInDirectly(view, site, db, user)
    await work(view)
    expect(view.complaints).toEqual([])
  })
}

const pane = ({ page }: View) => page.locator('[data-pane]')

/** The figure of a state at the head of the page. */
const figure = ({ page, t }: View, state: 'active' | 'shelved', count: number) =>
  page
    .getByRole('radiogroup', { name: t.alarms.counts.label })
    .getByRole('radio', { name: new RegExp(`^${t.alarms.counts[state]}\\s*${count}$`) })

/** The text of the newest message to a recipient, once it is there. */
async function readMail(recipient: string): Promise<string> {
  const newest = () =>
    db.selectFrom('outgoing').select('text').where('recipient', '=', recipient).orderBy('id', 'desc').limit(1)
  await expect.poll(async () => (await newest().executeTakeFirst())?.text ?? '').not.toBe('')
  return (await newest().executeTakeFirstOrThrow()).text
}

it('an alarm of an agent is counted, listed and mailed live, acknowledged in one browser, shelved and taken out of service in another', async () => {
  const owner = await createUser(db, { name: 'Ann Akey', lang: 'en' })
  const holder = await createUser(db, { name: '王强', lang: 'cn' })
  const { machineId, ...label } = await createMachine(db, { name: 'Pasteuriser 1', owner: owner.userId })
  await grantMachine(db, holder.userId, machineId, { role: 'bkey' })
  const modbusRig = await startModbusRig(site, label)
  try {
    await modbusRig.startAgent()
    await withPerson(desk, owner, (first) =>
      withPerson(phone, holder, async (second) => {
        for (const view of [first, second]) {
          await view.page.goto('/alarmCenter?eid=0')
          await figure(view, 'active', 0).waitFor()
          await view.page.getByText(view.t.alarms.list.empty, { exact: true }).waitFor()
        }

        modbusRig.setAlarm(true)
        await figure(first, 'active', 1).waitFor()
        await figure(second, 'active', 1).waitFor()
        // The first screen of a phone shows the alarm and what to do, above the bar.
        const act = second.page.getByRole('button', { name: second.t.alarms.acts.confirmOne(lowAlarm.cn) })
        const place = await act.boundingBox()
        expect((place?.y ?? sizes.narrow.height) + (place?.height ?? 0)).toBeLessThan(
          sizes.narrow.height - 60,
        )
        await first.page.getByRole('gridcell').getByText(lowAlarm.en).click()
        await pane(first).getByText(first.t.alarms.stages.activeUnacknowledged).waitFor()
        await second.page.getByText(lowAlarm.cn).first().click()
        await pane(second).getByText(second.t.alarms.stages.activeUnacknowledged).waitFor()
        expect(await readMail(owner.email)).toContain('Pasteuriser 1')

        const { acts } = first.t.alarms
        await pane(first).getByRole('button', { name: acts.confirm, exact: true }).click()
        const dialog = first.page.getByRole('dialog', { name: acts.confirmTitle(1) })
        await dialog.getByLabel(acts.note).fill('The steam valve sticks')
        await dialog.getByRole('button', { name: acts.confirm, exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
        await pane(second).getByText(second.t.alarms.stages.activeAcknowledged).waitFor()
        const journal = pane(second).getByRole('region', { name: second.t.alarms.page.journal })
        await journal.getByText('Ann Akey').waitFor()
        await journal.getByText('The steam valve sticks').waitFor()

        const words = second.t.alarms
        await pane(second).getByRole('button', { name: words.acts.shelve, exact: true }).click()
        const shelving = second.page.getByRole('dialog', { name: words.acts.shelveTitle(1) })
        await shelving.getByLabel(words.acts.reason).fill('等待备件')
        await shelving.getByRole('button', { name: words.acts.shelve, exact: true }).click()
        await shelving.waitFor({ state: 'detached' })
        await figure(first, 'shelved', 1).waitFor()
        await pane(first).getByText('王强: 等待备件').waitFor()
        await pane(first).getByRole('button', { name: acts.end, exact: true }).click()
        await pane(second).getByText(words.stages.activeAcknowledged).waitFor()
        await figure(first, 'shelved', 0).waitFor()

        await pane(second).getByRole('button', { name: words.acts.outOfService, exact: true }).click()
        const out = second.page.getByRole('dialog', { name: words.acts.outTitle(1) })
        await out.getByLabel(words.acts.reason).fill('泵已拆除')
        await out.getByRole('button', { name: words.acts.outOfService, exact: true }).click()
        await out.waitFor({ state: 'detached' })
        await pane(first).getByText(first.t.alarms.stages.outOfService, { exact: true }).first().waitFor()
        await pane(first).getByRole('button', { name: acts.inService, exact: true }).click()
        await pane(second).getByText(words.stages.activeAcknowledged).waitFor()

        modbusRig.setAlarm(false)
        await pane(first).getByText(first.t.alarms.stages.normal, { exact: true }).first().waitFor()
        await figure(first, 'active', 0).waitFor()
      }),
    )
  } finally {
    await modbusRig.close()
  }
}, 120_000)
