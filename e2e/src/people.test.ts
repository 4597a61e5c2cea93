import {
  createEnterprise,
  createHolder,
  createMachine,
  createUser,
  grantMachine,
  listMachine,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { machineEntry, openMachine } from './devices.ts'
import { findRow } from './rows.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'
import { expectWayIn } from './visits.ts'

/* The people of a machine: who asks, who answers, who becomes a key and who stops being one, and whose it is. */

const { site, browser, db } = await shareSite()

const deadlineMs = 10_000
const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }
const password = 'correct horse battery'

/** A person's browser for as long as `work` takes. */
function withPerson(look: Look, user: TestUser, work: (view: View) => Promise<void>): Promise<void> {
  return withView(browser, site, look, async (view) => {
    await signInDirectly(view, site, db, user)
    await work(view)
    // A page may ask in the moment in which its right ends.
    expect(view.complaints.filter((text) => !text.includes('status of 403'))).toEqual([])
  })
}

/** The row of the one message that is about an application. */
const messageRow = ({ page, t }: View): Locator =>
  page.getByRole('list', { name: t.messages.list }).getByRole('listitem').first()

const messagePane = ({ page }: View): Locator => page.locator('[data-pane]')

/** The bell shows the number of unread messages. */
const bell = ({ page, t }: View, unread: number): Locator =>
  page.getByRole('button', { name: t.app.header.unread(unread), exact: true })

it('an application is shown to both keys immediately, and as answered to the second one', async () => {
  const akey = await createUser(db, { name: 'Ann Akey', lang: 'en' })
  const bkey = await createUser(db, { name: '王强', lang: 'cn' })
  const guest = await createUser(db, { name: 'Gus Guest', lang: 'en' })
  const name = 'Press 7'
  const { machineId } = await createMachine(db, { name, owner: akey.userId })
  await grantMachine(db, bkey.userId, machineId, { role: 'bkey' })
  await listMachine(db, guest.userId, machineId, name)

  await withPerson(desk, akey, (first) =>
    withPerson(phone, bkey, (second) =>
      withPerson(desk, guest, async (asking) => {
        await asking.page.goto('/index/')
        await Promise.all([first, second].map(({ page }) => page.goto('/msgCenter')))
        await Promise.all([first, second].map((view) => bell(view, 0).waitFor()))
        await second.page.getByText(second.t.messages.empty.inbox).waitFor()

        await applyFor(asking, name)
        await machineEntry(asking, name).getByText(asking.t.applications.waitingShort).first().waitFor()

        for (const view of [first, second]) {
          await view.page.bringToFront()
          await bell(view, 1).waitFor({ timeout: deadlineMs })
          await messageRow(view).getByText(view.t.messages.needsAnswer).waitFor({ timeout: deadlineMs })
          await messageRow(view).getByRole('button').first().click()
          await messagePane(view)
            .getByRole('button', { name: view.t.applications.answer.refuse, exact: true })
            .waitFor()
          // Opening it is reading it.
          await bell(view, 0).waitFor({ timeout: deadlineMs })
        }

        await first.page.bringToFront()
        await messagePane(first)
          .getByRole('radio', { name: first.t.access.add.presets['10m'], exact: true })
          .click()
        await messagePane(first).getByRole('button', { name: first.t.applications.answer.letIn.ro }).click()
        await first.page.getByText(first.t.applications.answer.outcomes.passed('Gus Guest')).waitFor()

        await second.page.bringToFront()
        await messagePane(second)
          .getByText(second.t.applications.states[5] ?? '')
          .first()
          .waitFor({ timeout: deadlineMs })
        await messagePane(second)
          .getByRole('list', { name: second.t.applications.steps.label })
          .getByText('Ann Akey')
          .waitFor()
        expect(
          await messagePane(second)
            .getByRole('button', { name: second.t.applications.answer.refuse })
            .count(),
        ).toBe(0)

        await asking.page.bringToFront()
        await machineEntry(asking, name)
          .getByText(asking.t.applications.waitingShort)
          .waitFor({ state: 'detached', timeout: deadlineMs })
        await bell(asking, 1).waitFor({ timeout: deadlineMs })
        await deleteAll(asking)
      }),
    ),
  )
})

/** Applies to visit from the row of a machine. */
async function applyFor(view: View, name: string): Promise<void> {
  const { page, t } = view
  const { apply } = t.applications
  await expectWayIn(view, name, false)
  await page.getByRole('button', { name: apply.openOf(name) }).click()
  const dialog = page.getByRole('dialog', { name: apply.title(name) })
  await dialog.getByLabel(apply.message).fill('Service pump 3')
  await dialog.getByRole('button', { name: apply.submit }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Empties a tab, after the confirmation that names it. */
async function deleteAll(view: View): Promise<void> {
  const { page, t } = view
  await page.goto('/msgCenter?tab=sent')
  await messageRow(view).waitFor()
  await page.getByRole('button', { name: t.messages.more, exact: true }).click()
  await page.getByRole('menuitem', { name: t.messages.removeAll }).click()
  const dialog = page.getByRole('dialog', { name: t.messages.confirm.all(t.messages.tabs.sent, '2') })
  await dialog.getByRole('button', { name: t.messages.confirm.action, exact: true }).click()
  await page.getByText(t.messages.empty.sent).waitFor()
  await bell(view, 0).waitFor({ timeout: deadlineMs })
}

type Tab = 'applications' | 'visitors' | 'bkeys' | 'blacklist' | 'settings'

const openTab = (page: Page, { machineId }: TestMachine, tab: Tab) =>
  page.goto(`/administrateCenter?machineId=${machineId}&tab=${tab}`)

it('a Bkey proposes a Bkey, is lowered by the Akey, who lets in, blacklists and renews the secret', async () => {
  const akey = await createUser(db, { name: 'Ann Akey', password })
  const bkey = await createUser(db, { name: 'Bert Bkey' })
  const friend = await createUser(db, { name: 'Fay Friend' })
  const machine = await createMachine(db, { name: 'Press 7', owner: akey.userId })
  await grantMachine(db, bkey.userId, machine.machineId, { role: 'bkey' })
  await db
    .insertInto('friends')
    .values({ user_id: bkey.userId, friend_id: friend.userId, remark: 'nights', created_at: new Date() })
    .execute()
  await withPerson(desk, akey, (key) =>
    withPerson(desk, bkey, async (other) => {
      await propose(key, other, machine)
      await lower(key, other, machine)
      await letIn(key, machine)
      await block(key, machine)
      await renewSecret(key, machine)
    }),
  )
})

/** The friend that a Bkey proposes becomes a Bkey only with the Akey's consent. */
async function propose(key: View, other: View, machine: TestMachine): Promise<void> {
  const t = key.t.access
  await openTab(key.page, machine, 'applications')
  await openTab(other.page, machine, 'bkeys')
  await other.page.getByRole('button', { name: t.bkeys.propose }).click()
  await pickFriend(other, 'night', 'Fay Friend')
  await other.page.getByRole('button', { name: t.add.submitPropose, exact: true }).click()
  await other.page.getByText(t.add.doneProposed('Fay Friend')).waitFor()
  const row = findRow(key.page, 'Fay Friend')
  await row.getByText(t.applications.proposedBy('Bert Bkey')).waitFor()
  expect(await findRow(other.page, 'Fay Friend').count()).toBe(0)
  await row.getByRole('button', { name: key.t.applications.answer.makeBkey, exact: true }).click()
  await findRow(other.page, 'Fay Friend').waitFor()
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
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe(name)
}

/** A Bkey cannot lower a Bkey; the Akey can, and the page that the lowered person has open says so. */
async function lower(key: View, lowered: View, machine: TestMachine): Promise<void> {
  const t = key.t.access
  await lowered.page.getByText(t.bkeys.akeyOnly).waitFor()
  expect(await lowered.page.getByRole('button', { name: t.more('Fay Friend') }).count()).toBe(0)
  expect(await lowered.page.getByRole('button', { name: t.bkeys.add }).count()).toBe(0)
  await openTab(key.page, machine, 'bkeys')
  await key.page.getByRole('button', { name: t.more('Bert Bkey') }).click()
  await key.page.getByRole('menuitem', { name: t.bkeys.lower }).click()
  await key.page.getByRole('button', { name: t.confirm.lower.action, exact: true }).click()
  await findRow(key.page, 'Bert Bkey').waitFor({ state: 'detached' })
  await lowered.page.getByText(t.noAccess.title).waitFor()
}

/** A visitor is added by the account, and a change of the right is taken back. */
async function letIn({ page, t: { access: t, notices } }: View, machine: TestMachine): Promise<void> {
  const visitor = await createUser(db, { name: 'Vic Visitor' })
  await openTab(page, machine, 'visitors')
  await page.getByRole('button', { name: t.visitors.add }).click()
  const account = page.getByLabel(t.add.account, { exact: true })
  const submit = page.getByRole('button', { name: t.add.submitVisitor, exact: true })
  await account.fill('nobody@example.test')
  await submit.click()
  await page.getByText('User not found').waitFor()
  expect(await account.inputValue()).toBe('nobody@example.test')
  await account.fill(visitor.email)
  await page.getByRole('radio', { name: t.add.presets['10m'] }).click()
  await submit.click()
  const row = findRow(page, 'Vic Visitor')
  await row.getByText(/^9\smin \d\d\ss left$/).waitFor()
  await row.getByRole('radio', { name: t.modes.rw }).click()
  await page.getByText(t.undo.mode.rw('Vic Visitor')).waitFor()
  await page.getByRole('button', { name: notices.undo, exact: true }).click()
  await row.locator('[role="radio"][aria-checked="true"]', { hasText: t.modes.ro }).waitFor()
}

/** Several are added to the blacklist, and removed from it, in one step. */
async function block({ page, t: { access: t, table } }: View, machine: TestMachine): Promise<void> {
  await createHolder(db, machine.machineId, { role: 'visitor' }, { name: 'Vera Visitor' })
  // Written past the platform, so that no page is told.
  await openTab(page, machine, 'visitors')
  const bar = page.getByRole('toolbar', { name: table.bulk })
  const select = async () => {
    for (const name of ['Vera Visitor', 'Vic Visitor'])
      await page.getByRole('checkbox', { name: table.select(name) }).check()
  }
  await select()
  await bar.getByRole('button', { name: t.visitors.block }).click()
  const asked = page.getByRole('dialog', { name: t.bulk.titles.block(2) })
  await asked.getByRole('button', { name: t.visitors.block }).click()
  await page.getByText(t.visitors.empty).waitFor()
  await openTab(page, machine, 'blacklist')
  await select()
  await bar.getByRole('button', { name: t.blacklist.lift }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.blacklist.lift }).click()
  await page.getByText(t.blacklist.empty, { exact: true }).waitFor()
}

/** A new secret is shown once, after the password. */
async function renewSecret(view: View, machine: TestMachine): Promise<void> {
  const { page, t } = view
  const words = t.access.settings.secretDialog
  const digits = machine.code.slice(-4)
  await openTab(page, machine, 'settings')
  await page.getByRole('button', { name: t.access.settings.secretRenew }).click()
  await page.getByLabel(words.confirm(digits)).fill(digits)
  await page.getByRole('dialog').getByRole('button', { name: words.action, exact: true }).click()

  const proof = page.getByLabel(t.access.proof.password, { exact: true })
  await proof.fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Incorrect password').waitFor()
  // Beside its field, which has the focus again.
  await proof.and(page.locator('[aria-invalid="true"]:focus')).waitFor()
  await prove(view)

  const shown = page.getByRole('dialog', { name: words.shownTitle })
  expect(await shown.locator('code').textContent()).toMatch(/^[\w-]{43}$/)
  await page.keyboard.press('Escape')
  expect(await shown.isVisible()).toBe(true)
  await shown.getByRole('button', { name: words.close }).click()
  await shown.waitFor({ state: 'detached' })
}

/** Confirms the password where the console asks for it. */
async function prove({ page, t }: View): Promise<void> {
  await page.getByLabel(t.access.proof.password, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

it('a machine goes from a person to an enterprise by its number, and back, under one name', async () => {
  const name = '3#泵 (东)'
  const giver = await createUser(db, { name: 'Gina Giver', password })
  const { eid, owner } = await createEnterprise(db, 'Foundry of the pump')
  const { machineId } = await createMachine(db, { name, owner: giver.userId })
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', giver.userId)
    .executeTakeFirstOrThrow()
  await db.updateTable('users').set({ password_hash }).where('id', '=', owner.userId).execute()

  await withView(browser, site, { ...phone, lang: 'en', theme: 'light' }, (person) =>
    withView(browser, site, { ...desk, lang: 'cn', theme: 'dark' }, async (boss) => {
      await signInDirectly(person, site, db, giver)
      await signInDirectly(boss, site, db, owner)
      const [offer, answer] = [person.t.machineEdit, boss.t.machineEdit.transfer]
      await boss.page.goto(`/device/?type=1&eid=${eid}`)
      await boss.page.getByText(boss.t.enterprises.devices.empty.owned).waitFor()

      await person.page.goto('/index/')
      const label = offer.menu.label(name)
      await machineEntry(person, name).getByRole('button', { name: label }).click()
      await person.page.getByRole('menuitem', { name: offer.menu.transfer }).click()
      const dialog = person.page.getByRole('dialog', { name: offer.transfer.title(name) })
      await dialog.getByRole('radio', { name: offer.transfer.enterprise }).click()
      await dialog.getByLabel(offer.transfer.number).fill('999999999')
      await dialog.getByRole('button', { name: offer.transfer.submit }).click()
      await prove(person)
      await dialog.getByText('Enterprise not found').waitFor()
      await dialog.getByLabel(offer.transfer.number).fill(String(eid))
      await dialog.getByRole('button', { name: offer.transfer.submit }).click()
      // People who are not members of the enterprise read only its number.
      await person.page.getByText(offer.transfer.outgoing(name, `#${eid}`)).waitFor()

      await boss.page.getByText(answer.incomingOfSpace('Gina Giver', name)).waitFor()
      await boss.page.getByRole('button', { name: answer.accept, exact: true }).click()
      await machineEntry(boss, name).waitFor()
      await person.page.getByText(offer.transfer.outgoing(name, `#${eid}`)).waitFor({ state: 'detached' })
      await machineEntry(person, name)
        .getByText(person.t.machines.roles[0] ?? '', { exact: true })
        .waitFor()

      const words = boss.t.enterprises.devices
      await machineEntry(boss, name).getByText(name).click()
      await boss.page.getByRole('tab', { name: words.edit }).click()
      // A machine with another key cannot be removed: the refusal leads to the transfer.
      await grantMachine(db, (await createUser(db)).userId, machineId, { role: 'bkey' })
      await boss.page.getByRole('button', { name: words.remove }).click()
      const removal = boss.page.getByRole('dialog', { name: words.removeTitle(name) })
      await removal.getByRole('button', { name: words.remove }).click()
      await removal.getByRole('button', { name: boss.t.machineEdit.remove.release }).waitFor()
      await removal.getByRole('button', { name: boss.t.machineEdit.remove.transfer }).click()
      const back = boss.page.getByRole('dialog', { name: answer.title(name) })
      await back.getByLabel(answer.account).fill(giver.email)
      await back.getByRole('button', { name: answer.submit }).click()
      await prove(boss)
      await back.waitFor({ state: 'detached' })
      await boss.page.getByRole('button', { name: words.transfer }).click()
      await back.getByText('Gina Giver').waitFor()

      await person.page.getByText(offer.transfer.incoming('Foundry of the pump', name)).waitFor()
      await person.page.getByRole('button', { name: offer.transfer.accept, exact: true }).click()
      const pane = await openMachine(person, name)
      await pane.getByRole('button', { name: label }).waitFor()
      // The dialog of the offer disappears, because the machine has a new owner by now.
      await back.waitFor({ state: 'detached' })
      await boss.page.getByText(words.empty.owned).waitFor()
      expect([...person.complaints, ...boss.complaints]).toEqual([])
    }),
  )
})
