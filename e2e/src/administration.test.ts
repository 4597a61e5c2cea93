import { applications, createClient, machines } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createMachine,
  createUser,
  grantMachine,
  signIn,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { machineEntry, openMachine } from './devices.ts'
import { findRow } from './rows.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { addressOf, type Look, signInByForm, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const english: Look = { lang: 'en', theme: 'light', size: 'wide' }
const chinese: Look = { ...english, lang: 'cn' }
const password = 'correct horse battery'

/** A machine of an Akey who can sign in, with two Bkeys. */
async function createSetup() {
  const akey = await createUser(db, { name: 'Ann Akey', password })
  const bkey = await createUser(db, { name: 'Bert Bkey' })
  const other = await createUser(db, { name: 'Bea Bkey' })
  const name = 'Press 7'
  const machine = await createMachine(db, { name, owner: akey.userId, code: nextCode() })
  for (const { userId } of [bkey, other]) await grantMachine(db, userId, machine.machineId, { role: 'bkey' })
  return { akey, bkey, other, machine, name }
}

let codes = 0
const nextCode = () => `30${String(++codes).padStart(17, '0')}`

type Part = 'applications' | 'visitors' | 'times' | 'bkeys' | 'settings'

async function openAdministration({ page }: View, machine: TestMachine, part?: Part): Promise<void> {
  await page.goto(`/administrateCenter?machineId=${machine.machineId}${part ? `&tab=${part}` : ''}`)
}

/** A person's row in the open list. */
function personRow({ page }: View, name: string): Locator {
  return findRow(page, name)
}

/** Two people, each in a separate browser. */
function withTwo(users: [TestUser, TestUser], work: (views: [View, View]) => Promise<void>): Promise<void> {
  return withView(browser, site, english, async (first) => {
    await signInDirectly(first, site, db, users[0])
    await withView(browser, site, english, async (second) => {
      await signInDirectly(second, site, db, users[1])
      await work([first, second])
    })
  })
}

/** Finds a friend by part of the own name for them, with the keyboard alone; Esc closes the list, not the dialog. */
async function pickFriend({ page, t }: View, part: string, name: string): Promise<void> {
  const field = page.getByRole('combobox', { name: t.access.add.account })
  const option = page.getByRole('option', { name })
  await field.pressSequentially('nobody like that')
  // Pressed immediately, while the list still shows the friends for the letters before.
  await page.keyboard.press('Enter')
  await page.getByText(t.account.picker.problems.nobodyPicked).waitFor()
  await field.clear()
  await field.pressSequentially(part)
  await option.waitFor()
  await page.keyboard.press('Escape')
  await option.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await option.and(page.locator('[aria-selected="true"]')).waitFor()
  expect(await findFaults(page, 'a picker of friends')).toEqual([])
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe(name)
}

/** Presses Tab until this has the focus. */
async function tabTo({ page }: View, element: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await element.and(page.locator(':focus')).count()) === 1) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${element}`)
}

describe('a visitor added by a key', () => {
  it('sees each step in the open list without reload: added, read-write, ended', async () => {
    const { akey, machine, name } = await createSetup()
    const visitor = await createUser(db, { name: 'Vic Visitor' })
    await withTwo([akey, visitor], async ([key, guest]) => {
      const t = key.t.access
      await guest.page.goto('/index/')
      await guest.page.getByText(guest.t.machines.empty.title).waitFor()

      await openAdministration(key, machine, 'visitors')
      await key.page.getByRole('button', { name: t.visitors.add }).click()
      await key.page.getByLabel(t.add.account, { exact: true }).fill(visitor.email)
      await key.page.getByRole('radio', { name: t.add.presets['10m'] }).click()
      await key.page.getByRole('button', { name: t.add.submitVisitor, exact: true }).click()
      const row = personRow(key, 'Vic Visitor')
      await row.getByText(/^9 min \d\d s left$/).waitFor()

      const entry = machineEntry(guest, name)
      await entry.getByText(guest.t.machines.roles[1] ?? '', { exact: true }).waitFor()
      const pane = await openMachine(guest, name)
      await pane.getByText(t.right.readOnly, { exact: true }).waitFor()
      await pane.getByText(/^9 min \d\d s left$/).waitFor()

      await row.getByRole('radio', { name: t.modes.rw }).click()
      await key.page.getByText(t.undo.mode.rw('Vic Visitor')).waitFor()
      await pane.getByText(t.right.readWrite, { exact: true }).waitFor()

      await row.getByRole('button', { name: t.visitors.end }).click()
      const asked = key.page.getByRole('dialog', { name: t.confirm.end.title('Vic Visitor') })
      await asked.getByRole('button', { name: t.confirm.end.action, exact: true }).click()
      await row.getByText(t.time.over, { exact: true }).waitFor()
      await pane.getByText(guest.t.machines.ordinary.title).waitFor()
      expect([key.complaints, guest.complaints]).toEqual([[], []])
    })
  })

  it('several are added to the blacklist, and removed from it, in one step', async () => {
    const { akey, machine } = await createSetup()
    const names = ['Vera Visitor', 'Viktor Visitor']
    for (const name of names) {
      const { userId } = await createUser(db, { name })
      await grantMachine(db, userId, machine.machineId, { role: 'visitor' })
    }
    await withView(browser, site, english, async (view) => {
      await signInDirectly(view, site, db, akey)
      const { page } = view
      const { access: t, table } = view.t
      const selectBoth = async () => {
        for (const name of names) await page.getByRole('checkbox', { name: table.select(name) }).check()
      }
      await openAdministration(view, machine, 'visitors')
      await selectBoth()
      const bar = page.getByRole('toolbar', { name: table.bulk })
      await bar.getByRole('button', { name: t.visitors.block }).click()
      expect(await findFaults(page, 'a question about several')).toEqual([])
      const asked = page.getByRole('dialog', { name: t.bulk.titles.block(2) })
      await asked.getByRole('button', { name: t.visitors.block }).click()
      await page.getByText(t.visitors.empty).waitFor()
      await page.goto(`/administrateCenter?machineId=${machine.machineId}&tab=blacklist`)
      await selectBoth()
      await bar.getByRole('button', { name: t.blacklist.lift }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.blacklist.lift }).click()
      await page.getByText(t.blacklist.empty, { exact: true }).waitFor()
      expect(view.complaints).toEqual([])
    })
  })

  it('no panel of the page touches the one below it', async () => {
    const { akey, machine } = await createSetup()
    await withView(browser, site, english, async (view) => {
      await signInDirectly(view, site, db, akey)
      const { page } = view
      for (const tab of ['now', 'applications', 'visitors', 'times', 'bkeys', 'blacklist', 'settings']) {
        await page.goto(`/administrateCenter?machineId=${machine.machineId}&tab=${tab}`)
        await page.locator('main section').first().waitFor()
        await page.locator('main section[aria-busy="true"]').first().waitFor({ state: 'detached' })
        const gaps = await page.evaluate(`(() => {
          const boxes = [...document.querySelectorAll('#content > div > section')].map((one) => one.getBoundingClientRect())
          return boxes.slice(1).map((box, place) => box.top - boxes[place].bottom)
        })()`)
        for (const gap of gaps as number[]) expect(gap, tab).toBeGreaterThanOrEqual(12)
      }
    })
  })

  it('explains beside the account why a person cannot be added', async () => {
    const { akey, bkey, machine } = await createSetup()
    await withView(browser, site, chinese, async (view) => {
      await signInDirectly(view, site, db, akey)
      await openAdministration(view, machine, 'visitors')
      const t = view.t.access
      await view.page.getByRole('button', { name: t.visitors.add }).click()
      const account = view.page.getByLabel(t.add.account, { exact: true })
      const submit = view.page.getByRole('button', { name: t.add.submitVisitor, exact: true })
      await account.fill('nobody@example.test')
      await submit.click()
      await view.page.getByText('用户不存在').waitFor()
      expect(await account.inputValue()).toBe('nobody@example.test')
      await account.fill(bkey.email)
      await submit.click()
      await view.page.getByText('该用户已拥有此权限').waitFor()
    })
  })

  it('can be changed and ended with the keyboard alone, and the change undone', async () => {
    const { akey, machine } = await createSetup()
    const visitor = await createUser(db, { name: 'Vera Visitor' })
    const until = new Date(Date.now() + 3_600_000)
    await grantMachine(db, visitor.userId, machine.machineId, { role: 'visitor', until, readOnly: true })
    await withView(browser, site, english, async (view) => {
      await signInDirectly(view, site, db, akey)
      await openAdministration(view, machine, 'visitors')
      const { page, t } = view
      const row = personRow(view, 'Vera Visitor')
      await row.waitFor()
      const [watch, change] = [t.access.modes.ro, t.access.modes.rw].map((name) =>
        row.getByRole('radio', { name }),
      ) as [Locator, Locator]
      // The list is one tab stop; the controls of the row that its arrow keys chose follow.
      const chooseRow = async () => {
        await tabTo(view, page.getByRole('grid', { name: t.access.tabs.visitors }))
        await page.keyboard.press('ArrowDown')
      }
      await chooseRow()
      await tabTo(view, watch)
      await page.keyboard.press('ArrowRight')
      await page.getByText(t.access.undo.mode.rw('Vera Visitor')).waitFor()
      expect(await change.getAttribute('aria-checked')).toBe('true')
      await tabTo(view, page.getByRole('button', { name: t.notices.undo, exact: true }))
      await page.keyboard.press('Enter')
      await row.locator('[role="radio"][aria-checked="true"]', { hasText: t.access.modes.ro }).waitFor()

      await page.reload()
      const end = row.getByRole('button', { name: t.access.visitors.end })
      await end.waitFor()
      await chooseRow()
      await tabTo(view, end)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await tabTo(view, dialog.getByRole('button', { name: t.access.confirm.end.action, exact: true }))
      await page.keyboard.press('Enter')
      await row.getByText(t.access.time.over, { exact: true }).waitFor()
    })
  })
})

describe('keys of a machine', () => {
  it('a Bkey cannot demote a Bkey; the Akey can, and the demoted person’s open page says so', async () => {
    const { akey, bkey, machine } = await createSetup()
    await withTwo([akey, bkey], async ([key, lowered]) => {
      const t = key.t.access
      await openAdministration(lowered, machine, 'bkeys')
      await personRow(lowered, 'Bea Bkey').waitFor()
      await lowered.page.getByText(t.bkeys.akeyOnly).waitFor()
      const menu = (view: View, name: string) => view.page.getByRole('button', { name: t.more(name) })
      expect(await menu(lowered, 'Bea Bkey').count()).toBe(0)
      expect(await lowered.page.getByRole('button', { name: t.bkeys.add }).count()).toBe(0)

      await openAdministration(key, machine, 'bkeys')
      await menu(key, 'Bert Bkey').click()
      await key.page.getByRole('menuitem', { name: t.bkeys.lower }).click()
      await key.page.getByRole('button', { name: t.confirm.lower.action, exact: true }).click()
      await personRow(key, 'Bert Bkey').waitFor({ state: 'detached' })
      await lowered.page.getByText(t.noAccess.title).waitFor()
    })
  })

  it('renewing the secret asks for the password, continues, and shows it once', async () => {
    const { akey, machine } = await createSetup()
    await withView(browser, site, english, async (view) => {
      await signInDirectly(view, site, db, akey)
      await openAdministration(view, machine, 'settings')
      const { page, t } = view
      const words = t.access.settings.secretDialog
      const digits = machine.code.slice(-4)
      await page.getByRole('button', { name: t.access.settings.secretRenew }).click()
      await page.getByLabel(words.confirm(digits)).fill(digits)
      await page.getByRole('dialog').getByRole('button', { name: words.action, exact: true }).click()

      const proof = page.getByLabel(t.access.proof.password, { exact: true })
      await proof.fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText('Incorrect password').waitFor()
      // Beside its field, which has the focus again.
      await proof.and(page.locator('[aria-invalid="true"]:focus')).waitFor()
      await proof.fill(password)
      await page.keyboard.press('Enter')

      const shown = page.getByRole('dialog', { name: words.shownTitle })
      expect(await shown.locator('code').textContent()).toMatch(/^[\w-]{43}$/)
      await page.keyboard.press('Escape')
      expect(await shown.isVisible()).toBe(true)
      await shown.getByRole('button', { name: words.close }).click()
      await shown.waitFor({ state: 'detached' })
    })
  })
})

/** A person with the machine in their list applies for a visit, as any program would. */
async function askToVisit(user: TestUser, { machineId, code }: TestMachine): Promise<void> {
  const { token } = await signIn(db, user.userId)
  const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })
  await client.call(machines.addMachine, { machineName: 'Press', machineCode: code })
  const request = { machineID: machineId, terminalID: 'test', message: 'Valve check' }
  await client.call(applications.applyForVisit, request)
}

describe('applications', () => {
  it('appear in the open page, are answered in place, and another key sees that it was first', async () => {
    const { akey, bkey, machine } = await createSetup()
    const applicant = await createUser(db, { name: 'Abe Applicant' })
    await withTwo([akey, bkey], async ([key, other]) => {
      const t = key.t.access
      for (const view of [key, other]) {
        await openAdministration(view, machine, 'applications')
        await view.page.getByText(t.applications.none).waitFor()
      }
      await askToVisit(applicant, machine)
      const answers = key.t.applications.answer
      await personRow(other, 'Abe Applicant')
        .getByText(/Valve check/)
        .waitFor()
      const form = key.page.getByRole('group', { name: answers.label('Abe Applicant') })
      await form.getByRole('radio', { name: t.add.presets['10m'] }).click()
      await form.getByRole('button', { name: answers.letIn.ro, exact: true }).click()

      for (const view of [key, other]) {
        await view.page.getByText(t.applications.none).waitFor()
        await personRow(view, 'Abe Applicant')
          .getByText(view.t.applications.states[5] ?? '')
          .waitFor()
      }
      const past = personRow(other, 'Abe Applicant')
      await past.getByRole('button', { name: t.applications.progressOf('Abe Applicant') }).click()
      await past.getByText('Ann Akey (Akey)').waitFor()
      await openAdministration(other, machine, 'times')
      const time = personRow(other, 'Abe Applicant')
      await time.getByText(t.times.statuses.approved, { exact: true }).waitFor()
      await time.getByText(/^9 min \d\d s left$/).waitFor()
      expect([key.complaints, other.complaints]).toEqual([[], []])
    })
  })

  it('a Bkey proposes a Bkey, who becomes one only with the Akey’s consent', async () => {
    const { akey, bkey, machine } = await createSetup()
    const friend = await createUser(db, { name: 'Fay Friend' })
    await db
      .insertInto('friends')
      .values({ user_id: bkey.userId, friend_id: friend.userId, remark: 'nights', created_at: new Date() })
      .execute()
    await withTwo([akey, bkey], async ([key, other]) => {
      const t = key.t.access
      await openAdministration(key, machine, 'applications')
      await openAdministration(other, machine, 'bkeys')
      await other.page.getByRole('button', { name: t.bkeys.propose }).click()
      await pickFriend(other, 'night', 'Fay Friend')
      await other.page.getByRole('button', { name: t.add.submitPropose, exact: true }).click()
      await other.page.getByText(t.add.doneProposed('Fay Friend')).waitFor()
      const row = personRow(key, 'Fay Friend')
      await row.getByText(t.applications.proposedBy('Bert Bkey')).waitFor()
      expect(await personRow(other, 'Fay Friend').count()).toBe(0)
      await row.getByRole('button', { name: key.t.applications.answer.makeBkey, exact: true }).click()
      await personRow(other, 'Fay Friend').waitFor()
    })
  })
})

describe('people without a key', () => {
  it.each([
    [english, 'You do not currently have access to the management device interface'],
    [chinese, '您当前没有设备管理界面的权限'],
  ])('a visitor opening the address is refused, %#', async (look, text) => {
    const { machine } = await createSetup()
    const visitor = await createUser(db)
    await grantMachine(db, visitor.userId, machine.machineId, { role: 'visitor' })
    await withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db, visitor)
      await openAdministration(view, machine)
      await view.page.getByRole('heading', { name: text }).waitFor()
      await view.page.getByRole('link', { name: view.t.access.noAccess.back }).click()
      await machineEntry(view, 'Machine').waitFor()
      expect(view.complaints.filter((complaint) => !/status of 403/.test(complaint))).toEqual([])
    })
  })

  it('a person without a session signs in first and returns to it', async () => {
    const { machine } = await createSetup()
    const { account } = await site.createAccount('keeper@example.test', 'Keeper', 'en').then(async (made) => {
      const user = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', made.account)
        .executeTakeFirstOrThrow()
      await grantMachine(db, user.id, machine.machineId, { role: 'bkey' })
      return { account: made }
    })
    await withView(browser, site, english, async (view) => {
      await openAdministration(view, machine, 'visitors')
      await signInByForm(view, account)
      await view.page.getByRole('heading', { name: view.t.access.tabs.visitors, exact: true }).waitFor()
      expect(addressOf(view.page)).toBe(`/administrateCenter?machineId=${machine.machineId}&tab=visitors`)
    })
  })
})
