import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createTeam,
  createUser,
} from '@busbar/testkit'
import { expect, it } from 'vitest'
import { typeMoments } from './date-fields.ts'
import { detailPane, machineEntry, openMachine } from './devices.ts'
import { readCode } from './outbox.ts'
import { shareSite } from './shared-site.ts'
import {
  addressOf,
  type Look,
  openSwitcher,
  signInByForm,
  signInDirectly,
  type View,
  withView,
} from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'cn', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'en', theme: 'dark', size: 'narrow' }
const enterpriseName = '北方铸造'
/** In place of the brand's name. */
const ownFace = '北铸云'

/** A minute so many days from now. */
const minuteIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16)

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

it('an enterprise is made, a newcomer registers, is invited, accepts on a phone, sees its devices, then is removed', async () => {
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
      // The next invitation is one key away.
      expect(await page.locator(':focus').textContent()).toBe(words.manage.members.invite)

      // The page is not reloaded: the push reports the invitation.
      await view.page.getByRole('menuitem', { name: there.space.invited(1) }).click()
      await view.page.getByRole('button', { name: there.invitations.accept }).click()
      await view.page.getByRole('button', { name: /^退火炉 3/ }).waitFor()
      expect(addressOf(view.page)).toBe(`/device/?type=1&eid=${eid}`)

      // A new sign-in opens the space used last.
      await view.page.getByRole('button', { name: view.t.app.menu.entries.more, exact: true }).click()
      await view.page.getByRole('button', { name: view.t.app.header.signOut }).click()
      await view.page.waitForURL((url) => url.pathname === '/login')
      await signInByForm(view, { account: guest, password: 'quite a secret' })
      await view.page.getByRole('button', { name: /^退火炉 3/ }).waitFor()
      expect(addressOf(view.page)).toBe(`/device/?type=1&eid=${eid}`)
      // A phone's header names the space: on the way back to its devices.
      await view.page.getByRole('banner').getByRole('link', { name: enterpriseName }).waitFor()

      // A phone has both centres and both lists at the thumb, and the rest one press away.
      const { entries } = view.t.app.menu
      const bar = view.page.getByRole('navigation', { name: view.t.app.menu.label })
      await bar.getByRole('link', { name: entries.messagesShort }).click()
      await view.page.waitForURL((url) => url.pathname === '/msgCenter')
      expect(await bar.getByRole('link').count()).toBe(4)
      await bar.getByRole('button', { name: entries.more, exact: true }).click()
      await view.page.getByRole('link', { name: view.t.settings.menu.sessions }).click()
      await view.page.waitForURL((url) => url.pathname === '/safety')
      await bar.getByRole('link', { name: there.menu.ownedShort }).click()
      await view.page.getByRole('button', { name: /^退火炉 3/ }).waitFor()
      await view.page.getByRole('radio', { name: there.devices.kinds.maintained }).click()
      await view.page.getByText(there.devices.empty.maintained).waitFor()
      await view.page.getByRole('radio', { name: there.devices.kinds.owned }).click()
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

it('an enterprise is reached from a TV box without the menu, by a remote control, and the box stays one through the sign-in', async () => {
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
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/device/' && isTv(url))
    await page.getByText('Kiln 8').first().waitFor()

    // The focus is back on the button, whose last entry is the message centre.
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: t.app.menu.entries.messages }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/msgCenter' && isTv(url))
    await page.reload()
    await menu.waitFor()
    expect(view.complaints).toEqual([])
  })
})

it('an enterprise maintains a customer’s machine once its owner consented', async () => {
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

it('the devices of an enterprise are found and opened by keys, moved together, and show their alarms', async () => {
  const { eid, owner } = await createEnterprise(db, 'Press Works')
  const member = await createMember(db, eid)
  const press = await createEnterpriseMachine(db, eid, { name: 'Press 1' })
  for (const name of ['Press 2', 'Saw 3']) await createEnterpriseMachine(db, eid, { name })
  await createTeam(db, { eid, kind: 'manage', name: 'Night shift' })
  await db.insertInto('enterprise_groups').values({ enterprise_id: eid, name: 'Hall 7' }).execute()
  const at = new Date()
  const text = JSON.stringify({ cn: '过热', en: 'Too hot' })
  await db
    .insertInto('alarms')
    .values({ machine_id: press.machineId, key: 'hot', level: 'major', text, raised_at: at, received_at: at })
    .execute()
  const address = `/device/?type=1&eid=${eid}`
  await withView(browser, site, { ...desk, lang: 'en' }, async (view) => {
    await signInDirectly(view, site, db, owner)
    await view.page.goto(address)
    await machineEntry(view, 'Saw 3').waitFor()
    await moveAll(view)
    const grouped = db
      .selectFrom('enterprise_machines')
      .select('machine_id')
      .where('enterprise_id', '=', eid)
      .where('group_id', 'is not', null)
    expect(await grouped.execute()).toHaveLength(3)
    await findByKeys(view)
    await acknowledge(view)
    expect(view.complaints).toEqual([])
  })
  // A member without rights chooses devices, and is offered nothing.
  await withView(browser, site, { ...desk, lang: 'en' }, async (view) => {
    const { page, t } = view
    await signInDirectly(view, site, db, member)
    await page.goto(address)
    await machineEntry(view, 'Saw 3').waitFor()
    await page.getByRole('checkbox', { name: t.table.selectAll }).check()
    const bar = page.getByRole('toolbar', { name: t.table.bulk })
    await bar.getByText(t.machineEdit.bulk.selected('3')).waitFor()
    expect(await bar.getByRole('button').allInnerTexts()).toEqual([t.table.deselect])
  })
})

/** All devices come into a group and a team. */
async function moveAll({ page, t }: View): Promise<void> {
  const { bulk } = t.machineEdit
  const all = page.getByRole('checkbox', { name: t.table.selectAll })
  const bar = page.getByRole('toolbar', { name: t.table.bulk })
  for (const [act, title] of [
    [bulk.groups, bulk.moveTitle('3')],
    [bulk.team, bulk.teamTitle('3')],
  ] as const) {
    await all.check()
    await bar.getByRole('button', { name: act }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog
      .getByText(act === bulk.team ? 'Night shift' : 'Hall 7')
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: bulk.save, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
}

async function findByKeys(view: View): Promise<void> {
  const { page, t } = view
  await page.keyboard.press('/')
  await page.keyboard.type('press')
  await machineEntry(view, 'Saw 3').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: t.enterprises.devices.owned }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await detailPane(view, 'Press 1').waitFor()
  await page.keyboard.press('j')
  await detailPane(view, 'Press 2').waitFor()
  await page.keyboard.press('Escape')
  await detailPane(view, 'Press 2').waitFor({ state: 'detached' })
}

/** An alarm is acknowledged in the pane, and leads to its moment in the history. */
async function acknowledge(view: View): Promise<void> {
  const { page, t } = view
  const words = t.machines.alarms
  const { acts, stages } = t.alarms
  await machineEntry(view, 'Press 1')
    .getByRole('img', { name: t.machines.alarmCount(1, words.levels.major) })
    .waitFor()
  const pane = await openMachine(view, 'Press 1')
  await pane.getByRole('tab', { name: new RegExp(`^${words.tab}`) }).click()
  await pane.getByRole('button', { name: `${acts.confirm} Too hot` }).click()
  const dialog = page.getByRole('dialog', { name: acts.confirmTitle(1) })
  await dialog.getByRole('button', { name: acts.confirm, exact: true }).click()
  await pane.getByText(stages.activeAcknowledged).waitFor()
  await pane.getByRole('button', { name: words.history }).click()
  await page.waitForURL((url) => url.searchParams.get('tab') === 'history' && url.searchParams.has('from'))
}
