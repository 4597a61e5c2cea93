import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createTeam,
  createUser,
  grantMachine,
  type TestUser,
} from '@busbar/testkit'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { machineEntry } from './devices.ts'
import { readDownload } from './downloads.ts'
import { createFleet, fleetName } from './fleet.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, looksOf, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const english: Look = { lang: 'en', theme: 'light', size: 'wide' }
/** Long enough for a busy machine. */
const patience = { timeout: 10_000 }
/** Of this file's fleets: another file's have other codes. */
let from = 60_001

let codes = 0
const nextCode = () => `46${String(++codes).padStart(17, '0')}`

/** A person with this many machines in their list; the first one's number. */
async function createOwner(count: number, lang: Look['lang']): Promise<{ user: TestUser; first: number }> {
  const user = await createUser(db, { lang })
  const first = from
  from += count
  await createFleet(db, user.userId, count, first)
  return { user, first }
}

async function withList(user: TestUser, look: Look, work: (view: View) => Promise<void>): Promise<void> {
  await withView(browser, site, look, async (view) => {
    await signInDirectly(view, site, db, user)
    await view.page.goto('/index/')
    await work(view)
    expect(view.complaints).toEqual([])
  })
}

const headers = (page: Page) => page.getByRole('columnheader')
const tick = (view: View, name: string) =>
  machineEntry(view, name).getByRole('checkbox', { name: view.t.table.select(name) })
const bar = ({ page, t }: View) => page.getByRole('toolbar', { name: t.table.bulk })

describe('the columns of the device list', () => {
  it('are hidden, shown and made wider by a person, and stay so for them', async () => {
    const { user, first } = await createOwner(3, 'en')
    await withList(user, english, async (view) => {
      const { page, t } = view
      const { columns, facts } = t.machines
      await machineEntry(view, fleetName(first)).waitFor()
      await page.getByRole('button', { name: t.table.view, exact: true }).click()
      const panel = page.getByRole('dialog', { name: t.table.view })
      await panel.getByRole('checkbox', { name: columns.role }).uncheck()
      await panel.getByRole('checkbox', { name: facts.address }).check()
      await panel.getByRole('radio', { name: t.table.densities.compact }).click()
      await page.keyboard.press('Escape')
      await headers(page).filter({ hasText: columns.role }).waitFor({ state: 'detached' })
      await headers(page).filter({ hasText: facts.address }).waitFor()

      const header = headers(page).filter({ hasText: columns.alarms })
      const before = (await header.boundingBox())?.width ?? 0
      await page.getByRole('grid', { name: t.machines.list.label }).focus()
      // The row, its checkbox, the header above it, and to the right the alarms.
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowUp')
      for (const _ of ['name', 'alarms']) await page.keyboard.press('ArrowRight')
      for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowRight')
      await expect.poll(async () => (await header.boundingBox())?.width, patience).toBe(before + 32)

      await page.reload()
      await headers(page).filter({ hasText: facts.address }).waitFor()
      expect(await headers(page).filter({ hasText: columns.role }).count()).toBe(0)
      expect((await header.boundingBox())?.width).toBe(before + 32)
    })
    const other = await createOwner(1, 'en')
    await withList(other.user, english, async (view) => {
      await headers(view.page).filter({ hasText: view.t.machines.columns.role }).waitFor()
    })
  })

  it('keep the order a person chose, until the list is set back', async () => {
    const { user, first } = await createOwner(3, 'en')
    await withList(user, english, async (view) => {
      const { page, t } = view
      // The first row is that of the headers.
      const isFirst = (name: string) => machineEntry(view, '').nth(1).filter({ hasText: name }).waitFor()
      await machineEntry(view, fleetName(first)).waitFor()
      const device = page.getByRole('button', { name: t.machines.columns.device, exact: true })
      await device.click()
      await device.click()
      await isFirst(fleetName(first + 2))
      await page.goto('/index/')
      await isFirst(fleetName(first + 2))
      await page.getByRole('button', { name: t.table.view, exact: true }).click()
      await page.getByRole('button', { name: t.table.reset }).click()
      await isFirst(fleetName(first))
    })
  })

  it('are exported as they are shown, with the devices that the filter leaves', async () => {
    const { user, first } = await createOwner(12, 'en')
    await withList(user, english, async (view) => {
      const { page, t } = view
      await machineEntry(view, fleetName(first)).waitFor()
      await page.getByRole('searchbox', { name: t.machines.list.search }).fill(fleetName(first + 4))
      await machineEntry(view, fleetName(first)).waitFor({ state: 'detached' })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: t.table.export }).click(),
      ])
      const lines = (await readDownload(download)).replace('\uFEFF', '').trimEnd().split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[0]).toContain(`${t.machines.columns.device},${t.machines.facts.code}`)
      expect(lines[1]).toContain(fleetName(first + 4))
      // The browser of this person is in Shanghai.
      expect(lines[1]).toMatch(/T\d\d:\d\d:\d\d\.\d{3}\+08:00$/)
    })
  })
})

describe('several devices in one step', () => {
  it.each(looksOf('many devices'))(
    'come into a group, by a range or by all that the filter leaves, %#',
    async (look) => {
      const { user, first } = await createOwner(9, look.lang)
      const { id: groupId } = await db
        .insertInto('machine_groups')
        .values({ user_id: user.userId, name: 'North' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await withList(user, look, async (view) => {
        const { page, t } = view
        const { bulk } = t.machineEdit
        await machineEntry(view, fleetName(first)).waitFor()
        if (look.size === 'wide') {
          await tick(view, fleetName(first)).check()
          await tick(view, fleetName(first + 3)).click({ modifiers: ['Shift'] })
          await bar(view).getByText(bulk.selected('4')).waitFor()
          await page.getByRole('searchbox', { name: t.machines.list.search }).fill('Press')
          await page.getByRole('checkbox', { name: t.table.selectAll }).check()
        } else {
          await page.getByRole('button', { name: t.machines.list.select }).click()
          await machineEntry(view, fleetName(first)).getByRole('checkbox').click()
          await bar(view).getByText(bulk.selected('1')).waitFor()
          await bar(view).getByRole('button', { name: t.table.selectAll }).click()
        }
        await bar(view).getByText(bulk.selected('9')).waitFor()
        await bar(view).getByRole('button', { name: bulk.groups }).click()
        const dialog = page.getByRole('dialog', { name: bulk.groupsTitle('9') })
        await dialog.getByRole('checkbox', { name: 'North' }).check()
        await dialog.getByRole('button', { name: bulk.save, exact: true }).click()
        await page.getByText(bulk.saved('9')).waitFor()
        await bar(view).getByRole('button', { name: bulk.groups }).waitFor({ state: 'detached' })
      })
      const members = await db
        .selectFrom('machine_list_entry_groups')
        .select('machine_id')
        .where('group_id', '=', groupId)
        .execute()
      expect(members).toHaveLength(9)
    },
  )

  it('are removed with a warning for each identity; those that others hold stay selected, with the reason', async () => {
    const [akey, bkey] = [await createUser(db), await createUser(db)]
    const held = await createMachine(db, { name: 'Held', owner: akey.userId, code: nextCode() })
    await grantMachine(db, bkey.userId, held.machineId, { role: 'bkey' })
    await createMachine(db, { name: 'Free', owner: akey.userId, code: nextCode() })
    const lent = await createMachine(db, { name: 'Lent', owner: bkey.userId, code: nextCode() })
    await grantMachine(db, akey.userId, lent.machineId, { role: 'visitor' })
    await withList(akey, english, async (view) => {
      const { page, t } = view
      const { bulk, remove } = t.machineEdit
      await machineEntry(view, 'Held').waitFor()
      await page.getByRole('checkbox', { name: t.table.selectAll }).check()
      await bar(view).getByRole('button', { name: bulk.remove }).click()
      const dialog = page.getByRole('dialog', { name: bulk.removeTitle('3') })
      await dialog.getByText(bulk.removeLosses[3] ?? '').waitFor()
      await dialog.getByText(bulk.removeLosses[1] ?? '').waitFor()
      await dialog.getByRole('button', { name: remove.actionAkey }).click()
      await dialog.getByText(bulk.partly('2', '1')).waitFor()
      const failures = dialog.getByRole('list', { name: bulk.failures }).getByRole('listitem')
      expect(await failures.allInnerTexts()).toEqual([expect.stringContaining('Held')])
      await failures.getByText(remove.held).waitFor()
      await dialog.getByRole('button', { name: t.app.close }).last().click()
      expect(await tick(view, 'Held').isChecked()).toBe(true)
      await machineEntry(view, 'Free').waitFor({ state: 'detached' })
      await bar(view).getByText(bulk.selected('1')).waitFor()
    })
  })

  it('have their alarms confirmed; devices without alarms are left out', async () => {
    const { user, first } = await createOwner(60, 'en')
    await withList(user, english, async (view) => {
      const { page, t } = view
      const { bulk } = t.machineEdit
      await machineEntry(view, fleetName(first + (50 - (first % 50)))).waitFor()
      await page.getByRole('checkbox', { name: t.table.selectAll }).check()
      await bar(view).getByRole('button', { name: bulk.confirm }).click()
      const alarmed = await db
        .selectFrom('alarms')
        .innerJoin('machines', 'machines.id', 'alarms.machine_id')
        .select('alarms.id')
        .where('owner_user_id', '=', user.userId)
        .execute()
      const count = String(alarmed.length)
      const dialog = page.getByRole('dialog', { name: bulk.confirmTitle(count) })
      await dialog.getByRole('button', { name: bulk.confirmAction }).click()
      await page.getByText(bulk.confirmed(count)).waitFor()
    })
    const open = await db
      .selectFrom('alarms')
      .innerJoin('machines', 'machines.id', 'alarms.machine_id')
      .select('alarms.id')
      .where('owner_user_id', '=', user.userId)
      .where('confirmed_at', 'is', null)
      .execute()
    expect(open).toEqual([])
  })

  it('of an enterprise move to a group and a team; a member without rights is offered nothing', async () => {
    const { eid, owner } = await createEnterprise(db)
    const member = await createMember(db, eid)
    const ovens = [
      await createEnterpriseMachine(db, eid, { name: 'Oven 1' }),
      await createEnterpriseMachine(db, eid, { name: 'Oven 2' }),
    ]
    const teamId = await createTeam(db, { eid, kind: 'manage', name: 'Night shift' })
    await db.insertInto('enterprise_groups').values({ enterprise_id: eid, name: 'Hall 7' }).execute()
    const address = `/device/?type=1&eid=${eid}`
    await withView(browser, site, english, async (view) => {
      await signInDirectly(view, site, db, owner)
      const { page, t } = view
      const { bulk } = t.machineEdit
      await page.goto(address)
      await machineEntry(view, 'Oven 1').waitFor()
      await page.getByRole('checkbox', { name: t.table.selectAll }).check()
      await bar(view).getByRole('button', { name: bulk.groups }).click()
      await page
        .getByRole('dialog', { name: bulk.moveTitle('2') })
        .getByRole('button', { name: bulk.save, exact: true })
        .click()
      await page.getByText(bulk.saved('2')).waitFor()
      const grouped = await db
        .selectFrom('enterprise_machines')
        .select('group_id')
        .where('enterprise_id', '=', eid)
        .where('group_id', 'is not', null)
        .execute()
      expect(grouped).toHaveLength(2)
      await page.getByRole('checkbox', { name: t.table.selectAll }).check()
      await bar(view).getByRole('button', { name: bulk.team }).click()
      const dialog = page.getByRole('dialog', { name: bulk.teamTitle('2') })
      await dialog.getByText('Night shift').waitFor()
      await dialog.getByRole('button', { name: bulk.save, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(view.complaints).toEqual([])
    })
    const looked = await db
      .selectFrom('enterprise_team_machines')
      .select('machine_id')
      .where('team_id', '=', teamId)
      .execute()
    expect(looked.map(({ machine_id }) => machine_id).toSorted()).toEqual(
      ovens.map(({ machineId }) => machineId).toSorted(),
    )
    await withView(browser, site, english, async (view) => {
      await signInDirectly(view, site, db, member)
      await view.page.goto(address)
      await tick(view, 'Oven 1').check()
      await bar(view).getByText(view.t.machineEdit.bulk.selected('1')).waitFor()
      const buttons = await bar(view).getByRole('button').allInnerTexts()
      expect(buttons).toEqual([view.t.table.deselect])
    })
  })
})
