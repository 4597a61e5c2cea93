import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createUser,
} from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { typeMoments } from './date-fields.ts'
import { detailPane, machineEntry, openMachine } from './devices.ts'
import { readCode } from './outbox.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { addressOf, type Look, signInByForm, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const desk: Look = { lang: 'cn', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'en', theme: 'dark', size: 'narrow' }
const enterpriseName = '北方铸造'
/** In place of the brand's name. */
const ownFace = '北铸云'

/** A minute so many days from now. */
const minuteIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16)

/** Opens the space switcher, which a phone has in its header. */
async function openSwitcher({ page, t }: View): Promise<void> {
  await page.getByRole('button', { name: new RegExp(t.app.menu.switchAccount) }).click()
}

/** Becomes a user with the code the platform sent, and is signed in. */
async function register({ page, t }: View, email: string, name: string): Promise<void> {
  const { person, codes, register } = t.joining
  await page.goto('/registerByEmail')
  await page.getByRole('textbox', { name: t.login.email }).fill(email)
  await page.getByRole('textbox', { name: person.name, exact: true }).fill(name)
  for (const label of [person.password, person.passwordRepeat])
    await page.getByLabel(label, { exact: true }).fill('quite a secret')
  await page.getByRole('button', { name: register.submit }).click()
  await page.getByRole('textbox', { name: codes.label }).fill(await readCode(db, email))
  await page.getByRole('button', { name: register.activate, exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/index/')
}

describe('an enterprise', () => {
  it('is made, a newcomer registers, is invited, accepts on a phone, sees its devices, then is removed', async () => {
    const guest = 'guo@example.test'
    await withView(browser, site, desk, async (boss) => {
      const { page, t } = boss
      const words = t.enterprises
      await signInDirectly(boss, site, db)
      await page.goto('/index/')
      await openSwitcher(boss)
      await page.getByRole('menuitem', { name: words.space.create }).click()
      await page.getByLabel(words.space.name).fill(enterpriseName)
      await page.getByRole('dialog').getByRole('button', { name: words.space.create }).click()
      await page.getByRole('heading', { name: words.devices.owned }).waitFor()
      const eid = Number(new URL(page.url()).searchParams.get('eid'))
      await createEnterpriseMachine(db, eid, { name: '退火炉 3' })

      await page.goto(`/enterprise/?eid=${eid}&tab=settings`)
      await page.getByLabel(words.manage.settings.platformName).fill(ownFace)
      await page.getByRole('button', { name: words.manage.settings.save }).click()
      await page.getByRole('banner').getByText(ownFace).waitFor()

      await withView(browser, site, phone, async (view) => {
        await register(view, guest, 'Guo Lan')
        await openSwitcher(view)
        const there = view.t.enterprises

        await page.getByRole('link', { name: words.manage.tabs.members }).click()
        await page.getByRole('button', { name: words.manage.members.invite }).click()
        await page.getByLabel(words.manage.members.account).fill(guest)
        await page.getByRole('button', { name: words.manage.members.send }).click()
        await page.getByRole('heading', { name: words.manage.members.waiting }).waitFor()

        // The page is not reloaded: the push reports the invitation.
        await view.page.getByRole('menuitem', { name: there.space.invited(1) }).click()
        await view.page.getByRole('button', { name: there.invitations.accept }).click()
        await view.page.getByRole('button', { name: /^退火炉 3/ }).waitFor()
        expect(addressOf(view.page)).toBe(`/device/?type=1&eid=${eid}`)

        // A new sign-in opens the space used last.
        await view.page.getByRole('button', { name: view.t.app.menu.entries.me, exact: true }).click()
        await view.page.getByRole('button', { name: view.t.app.header.signOut }).click()
        await view.page.waitForURL((url) => url.pathname === '/login')
        await signInByForm(view, { account: guest, password: 'quite a secret' })
        await view.page.getByRole('button', { name: /^退火炉 3/ }).waitFor()
        expect(addressOf(view.page)).toBe(`/device/?type=1&eid=${eid}`)
        // A phone's header names the space twice: on the way back to its devices and on the switcher.
        const header = view.page.getByRole('banner')
        await header.getByRole('link', { name: enterpriseName }).waitFor()
        await header
          .getByRole('button', { name: `${view.t.app.menu.switchAccount}: ${enterpriseName}`, exact: true })
          .waitFor()

        // A phone shows both centres as well, and everything fits at 320 px.
        await view.page.setViewportSize({ width: 320, height: 568 })
        const bar = view.page.getByRole('navigation', { name: view.t.app.menu.label })
        await bar.getByRole('link', { name: view.t.app.menu.entries.messagesShort }).click()
        await view.page.waitForURL((url) => url.pathname === '/msgCenter')
        expect(await findFaults(view.page, 'the messages in an enterprise')).toEqual([])
        expect(await bar.evaluate((element) => element.scrollWidth)).toBe(320)
        const { entries } = view.t.app.menu
        await bar.getByRole('link', { name: entries.safetyShort, exact: true }).click()
        await view.page.waitForURL((url) => url.pathname === '/safety')
        // The personal entry leads to the settings, whose first page is about the sign-in.
        await bar.getByRole('button', { name: entries.me, exact: true }).click()
        const me = view.page.getByRole('dialog', { name: view.t.app.user.title })
        await me.getByRole('link', { name: view.t.settings.menu.security }).click()
        await view.page.waitForURL((url) => url.pathname === '/security')
        await bar.getByRole('link', { name: there.menu.ownedShort }).click()
        await view.page.getByRole('button', { name: /^退火炉 3/ }).waitFor()

        await page.getByRole('button', { name: words.manage.members.removeTitle('Guo Lan') }).click()
        await page.getByRole('dialog').getByRole('button', { name: words.manage.members.remove }).click()
        await view.page.getByText(there.manage.noSpace).waitFor()
        // The console opens in a space of the person.
        await view.page.goto('/login')
        await view.page.waitForURL((url) => url.pathname === '/index/')
      })
      expect(boss.complaints).toEqual([])
    })
  })

  it('is reached from a TV box without the menu, by a remote control, and the box stays one through the sign-in', async () => {
    const { eid } = await createEnterprise(db, 'Kiln Hall')
    await createEnterpriseMachine(db, eid, { name: 'Kiln 8' })
    const watcher = await createUser(db, { password: 'quite a secret' })
    await db
      .insertInto('enterprise_members')
      .values({ enterprise_id: eid, user_id: watcher.userId, role: 'owner', rights: [] })
      .execute()
    await withView(browser, site, { ...phone, size: 'wide' }, async (view) => {
      const { page, t } = view
      const isTv = (url: URL) => url.searchParams.get('client') === 'tv'
      await page.goto('/login?client=tv')
      await signInByForm(view, { account: watcher.email, password: 'quite a secret' })
      await page.waitForURL((url) => url.pathname === '/index/' && isTv(url))
      const menu = page.getByRole('button', { name: t.app.menu.tv })
      await menu.waitFor()
      expect(await page.getByRole('navigation', { name: t.app.menu.label }).count()).toBe(0)
      await page.getByText(t.machines.empty.title).waitFor()

      await page.keyboard.press('ArrowDown')
      expect(await menu.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('menuitemradio', { name: 'Kiln Hall' }).waitFor()
      expect(await findFaults(page, 'a TV box')).toEqual([])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/device/' && isTv(url))
      await page.getByText('Kiln 8').first().waitFor()

      // The focus is back on the button, whose last entry is the message centre.
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: t.app.menu.entries.messages }).waitFor()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/msgCenter' && isTv(url))
      await page.reload()
      await menu.waitFor()
      expect(view.complaints).toEqual([])
    })
  })

  it('maintains a customer’s machine once its owner consented', async () => {
    const { eid } = await createEnterprise(db, 'Kiln Makers')
    const engineer = await createMember(db, eid, 'member', ['maintain'])
    const customer = await createUser(db, { name: 'Customer' })
    const { code } = await createMachine(db, { owner: customer.userId, name: 'Kiln 7' })
    await withView(browser, site, { ...desk, lang: 'en' }, async (view) => {
      const { page, t } = view
      const words = t.enterprises
      await signInDirectly(view, site, db, engineer)
      await page.goto(`/device/?type=2&eid=${eid}`)
      await page.getByRole('button', { name: words.devices.ask }).first().click()
      await page.getByLabel(words.maintenance.code).fill(code)
      await typeMoments(page.getByRole('group', { name: words.maintenance.time }), minuteIn(-1), minuteIn(7))
      await page.getByLabel(words.maintenance.reason).fill('yearly check')
      await page.getByRole('button', { name: words.maintenance.send }).click()
      await page.getByText(words.maintenance.sent).waitFor()

      await withView(browser, site, phone, async (theirs) => {
        await signInDirectly(theirs, site, db, customer)
        await theirs.page.goto('/maintenance')
        const accept = theirs.page.getByRole('button', { name: words.maintenance.actions.accept })
        await accept.click()
        const requests = theirs.page.getByRole('list', { name: words.maintenance.requests })
        await requests.getByText(words.maintenance.states.accepted, { exact: true }).waitFor()
      })
      await page.getByRole('row', { name: /Kiln 7/ }).waitFor()
      expect(view.complaints).toEqual([])
    })
  })

  it('shows its devices like the personal list, found and opened by keys alone', async () => {
    const { eid, owner } = await createEnterprise(db, 'Press Works')
    for (const name of ['Press 1', 'Press 2', 'Saw 3']) await createEnterpriseMachine(db, eid, { name })
    await withView(browser, site, { ...desk, lang: 'en' }, async (view) => {
      const { page, t } = view
      await signInDirectly(view, site, db, owner)
      await page.goto(`/device/?type=1&eid=${eid}`)
      await machineEntry(view, 'Saw 3').waitFor()
      const summary = page.getByRole('region', { name: t.machines.summary.label })
      await summary.getByText(t.machines.summary.alarms, { exact: true }).waitFor()
      await page.getByRole('columnheader', { name: t.machines.columns.keyValue }).waitFor()

      await page.keyboard.press('/')
      await page.keyboard.type('press')
      await machineEntry(view, 'Saw 3').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: t.enterprises.devices.owned }).click()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      const pane = detailPane(view, 'Press 1')
      await pane.getByRole('tab', { name: t.enterprises.devices.edit }).waitFor()
      // Every tab fits in the pane, with the count that comes later.
      await pane.getByRole('tab', { name: /0$/ }).waitFor()
      const row = `document.querySelector('[data-pane] [role="tablist"]')`
      expect(await page.evaluate<number>(`${row}.scrollWidth - ${row}.clientWidth`)).toBe(0)
      await page.keyboard.press('j')
      await detailPane(view, 'Press 2').waitFor()
      await page.keyboard.press('Escape')
      await detailPane(view, 'Press 2').waitFor({ state: 'detached' })
      expect(view.complaints).toEqual([])
    })
  })

  it('shows an alarm in list and pane, where it is acknowledged and leads to its moment in the history', async () => {
    const { eid, owner } = await createEnterprise(db, 'Alarm Works')
    const { machineId } = await createEnterpriseMachine(db, eid, { name: 'Oven 1' })
    await createEnterpriseMachine(db, eid, { name: 'Calm 2' })
    const at = new Date()
    const text = JSON.stringify({ cn: '过热', en: 'Too hot' })
    await db
      .insertInto('alarms')
      .values({ machine_id: machineId, key: 'hot', level: 'major', text, raised_at: at, received_at: at })
      .execute()
    await withView(browser, site, { ...desk, lang: 'en' }, async (view) => {
      const { page, t } = view
      const words = t.machines.alarms
      await signInDirectly(view, site, db, owner)
      await page.goto(`/device/?type=1&eid=${eid}`)
      await machineEntry(view, 'Oven 1')
        .getByRole('img', { name: t.machines.alarmCount(1, words.levels.major) })
        .waitFor()
      const pane = await openMachine(view, 'Oven 1')
      await pane.getByRole('tab', { name: new RegExp(`^${words.tab}`) }).click()
      const { acts, stages } = t.alarms
      await pane.getByRole('button', { name: `${acts.confirm} Too hot` }).click()
      const dialog = page.getByRole('dialog', { name: acts.confirmTitle(1) })
      await dialog.getByRole('button', { name: acts.confirm, exact: true }).click()
      await pane.getByText(stages.activeAcknowledged).waitFor()
      await pane.getByRole('button', { name: words.history }).click()
      await page.waitForURL(
        (url) => url.searchParams.get('tab') === 'history' && url.searchParams.has('from'),
      )
      expect(view.complaints).toEqual([])
    })
  })

  it('keeps messages and safety at the thumb on a phone, and a switch between its two lists', async () => {
    const { eid, owner } = await createEnterprise(db, 'Phone Works')
    await createEnterpriseMachine(db, eid, { name: 'Press 1' })
    await withView(browser, site, { ...phone, lang: 'en' }, async (view) => {
      const { page, t } = view
      await signInDirectly(view, site, db, owner)
      await page.goto(`/device/?type=1&eid=${eid}`)
      await machineEntry(view, 'Press 1').waitFor()
      const bar = page.getByRole('navigation', { name: t.app.menu.label })
      await bar.getByRole('link', { name: t.app.menu.entries.messagesShort }).waitFor()
      await bar.getByRole('link', { name: t.app.menu.entries.safetyShort }).waitFor()
      await page.getByRole('radio', { name: t.enterprises.devices.kinds.maintained }).click()
      await page.getByText(t.enterprises.devices.empty.maintained).waitFor()
      expect(view.complaints).toEqual([])
    })
  })

  it.each(pickTurns('enterprise axe', [desk, phone]))(
    'axe finds no fault on its pages, $lang, $theme, $size',
    async (look) => {
      const { eid, owner } = await createEnterprise(db, 'Axe Works')
      await createMember(db, eid, 'member', ['view', 'control'])
      const { machineId } = await createEnterpriseMachine(db, eid, { name: 'Press 1' })
      await withView(
        browser,
        site,
        look,
        async (view) => {
          const { page, t } = view
          const faults: string[] = []
          await signInDirectly(view, site, db, owner)
          const visit = async (address: string, word: string) => {
            await page.goto(address)
            await page.getByText(word).first().waitFor()
            faults.push(...(await findFaults(page, address)))
          }
          await visit(`/device/?type=1&eid=${eid}&machine=${machineId}`, t.enterprises.devices.team)
          await visit(`/enterprise/?eid=${eid}`, 'Ming Li')
          for (const tab of ['teams', 'groups', 'maintenance', 'settings'] as const)
            await visit(`/enterprise/?eid=${eid}&tab=${tab}`, t.enterprises.manage.tabs[tab])
          await visit('/maintenance', t.enterprises.maintenance.empty)
          expect(faults).toEqual([])
        },
        { reducedMotion: 'reduce' },
      )
    },
  )
})
