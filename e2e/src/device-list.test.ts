import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { formatQrSquares } from '../../console/src/shared/ui/qr/qr-squares.ts'
import { detailPane, machineEntry, openMachine } from './devices.ts'
import { readDownload } from './downloads.ts'
import { createFleet, fleetName } from './fleet.ts'
import { scrollByWheel } from './long-tasks.ts'
import { shareSite } from './shared-site.ts'
import { addressOf, type Look, signInDirectly, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const password = 'correct horse battery'
const english: Look = { lang: 'en', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }
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

it('the columns and the order that a person chose stay so for them, and are exported as they are shown', async () => {
  const { user, first } = await createOwner(12, 'en')
  await withList(user, english, async (view) => {
    const { page, t } = view
    const { columns, facts } = t.machines
    await machineEntry(view, fleetName(first)).waitFor()
    await page.getByRole('button', { name: t.table.view, exact: true }).click()
    const panel = page.getByRole('dialog', { name: t.table.view })
    await panel.getByRole('checkbox', { name: columns.role }).uncheck()
    await panel.getByRole('checkbox', { name: facts.address }).check()
    await page.keyboard.press('Escape')
    await headers(page).filter({ hasText: columns.role }).waitFor({ state: 'detached' })

    const header = headers(page).filter({ hasText: columns.alarms })
    const before = (await header.boundingBox())?.width ?? 0
    await page.getByRole('grid', { name: t.machines.list.label }).focus()
    // The row, its checkbox, the header above it, and to the right the alarms.
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(key)
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(async () => (await header.boundingBox())?.width, patience).toBe(before + 32)
    const device = page.getByRole('button', { name: t.machines.columns.device, exact: true })
    await device.click()
    await device.click()
    // The first row is that of the headers.
    const isFirst = (name: string) => machineEntry(view, '').nth(1).filter({ hasText: name }).waitFor()
    await isFirst(fleetName(first + 11))

    await page.goto('/index/')
    await isFirst(fleetName(first + 11))
    await headers(page).filter({ hasText: facts.address }).waitFor()
    expect(await headers(page).filter({ hasText: columns.role }).count()).toBe(0)
    expect((await header.boundingBox())?.width).toBe(before + 32)

    await page.getByRole('searchbox', { name: t.machines.list.search }).fill(fleetName(first + 4))
    await machineEntry(view, fleetName(first)).waitFor({ state: 'detached' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t.table.export }).click(),
    ])
    const lines = (await readDownload(download)).replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(`${t.machines.columns.device},${t.machines.facts.code}`)
    expect(lines[0]).not.toContain(columns.role)
    expect(lines[1]).toContain(fleetName(first + 4))
    // The browser of this person is in Shanghai.
    expect(lines[1]).toMatch(/T\d\d:\d\d:\d\d\.\d{3}\+08:00$/)

    await page.getByRole('searchbox', { name: t.machines.list.search }).fill('')
    await page.getByRole('button', { name: t.table.view, exact: true }).click()
    await page.getByRole('button', { name: t.table.reset }).click()
    await isFirst(fleetName(first))
    await headers(page).filter({ hasText: columns.role }).waitFor()
  })
})

it('several devices come into a group in one step, on a phone', async () => {
  const { user, first } = await createOwner(9, 'cn')
  const { id: groupId } = await db
    .insertInto('machine_groups')
    .values({ user_id: user.userId, name: 'North' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await withList(user, phone, async (view) => {
    const { page, t } = view
    const { bulk } = t.machineEdit
    await machineEntry(view, fleetName(first)).waitFor()
    await page.getByRole('button', { name: t.machines.list.select }).click()
    await machineEntry(view, fleetName(first)).getByRole('checkbox').click()
    await bar(view).getByText(bulk.selected('1')).waitFor()
    await bar(view).getByRole('button', { name: t.table.selectAll }).click()
    await bar(view).getByText(bulk.selected('9')).waitFor()
    await bar(view).getByRole('button', { name: bulk.groups }).click()
    const dialog = page.getByRole('dialog', { name: bulk.groupsTitle('9') })
    await dialog.getByRole('checkbox', { name: 'North' }).check()
    await dialog.getByRole('button', { name: bulk.save, exact: true }).click()
    await page.getByText(bulk.saved('9')).waitFor()
    await bar(view).getByRole('button', { name: bulk.groups }).waitFor({ state: 'detached' })
  })
  const members = db
    .selectFrom('machine_list_entry_groups')
    .select('machine_id')
    .where('group_id', '=', groupId)
  expect(await members.execute()).toHaveLength(9)
})

it('several devices have their alarms confirmed and are removed; one that others hold stays selected, with the reason', async () => {
  const [akey, bkey] = [await createUser(db), await createUser(db)]
  const held = await createMachine(db, { name: 'Held', owner: akey.userId, code: nextCode() })
  await grantMachine(db, bkey.userId, held.machineId, { role: 'bkey' })
  await createMachine(db, { name: 'Free', owner: akey.userId, code: nextCode() })
  const lent = await createMachine(db, { name: 'Lent', owner: bkey.userId, code: nextCode() })
  await grantMachine(db, akey.userId, lent.machineId, { role: 'visitor' })
  const at = new Date()
  await db
    .insertInto('alarms')
    .values({
      machine_id: held.machineId,
      key: 'hot',
      level: 'major',
      text: '{}',
      raised_at: at,
      received_at: at,
    })
    .execute()
  await withList(akey, english, async (view) => {
    const { page, t } = view
    const { bulk, remove } = t.machineEdit
    await machineEntry(view, 'Held').waitFor()
    // A range, by the first of its rows and the last.
    const rows = machineEntry(view, '')
    await rows.nth(1).getByRole('checkbox').check()
    await rows
      .nth(3)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await bar(view).getByText(bulk.selected('3')).waitFor()
    await bar(view).getByRole('button', { name: bulk.confirm }).click()
    const confirming = page.getByRole('dialog', { name: bulk.confirmTitle('1') })
    await confirming.getByRole('button', { name: bulk.confirmAction }).click()
    await page.getByText(bulk.confirmed('1')).waitFor()

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

it('a device opens under its own address, and the next ones by keys', async () => {
  const user = await createUser(db)
  const names = ['Alpha press', 'Bravo pump', 'Charlie chiller']
  for (const name of names) await createMachine(db, { name, owner: user.userId, code: nextCode() })
  const stranger = await createMachine(db, { name: 'Somebody else’s', code: nextCode() })
  await withList(user, { ...english, theme: 'dark' }, async (view) => {
    const { page, t } = view
    const search = page.getByRole('searchbox', { name: t.machines.list.search })
    await openMachine(view, 'Alpha press')
    await page.waitForURL((url) => url.searchParams.has('machine'))
    await page.reload()
    await detailPane(view, 'Alpha press').getByRole('heading', { name: 'Alpha press' }).waitFor()
    await page.goBack()
    await detailPane(view, 'Alpha press').waitFor({ state: 'hidden' })
    expect(addressOf(page)).toMatch(/^\/index\/(\?listType=list)?$/)

    await page.getByRole('grid', { name: t.machines.list.label }).focus()
    await page.keyboard.press('ArrowDown')
    for (const [key, name] of [
      ['Enter', 'Alpha press'],
      ['j', 'Bravo pump'],
      ['j', 'Charlie chiller'],
      ['k', 'Bravo pump'],
    ] as const) {
      await page.keyboard.press(key)
      await detailPane(view, name).waitFor()
    }
    // Opened by a key the details have the focus, and Esc gives it back to the list.
    await detailPane(view, 'Bravo pump').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await detailPane(view, 'Bravo pump').waitFor({ state: 'hidden' })
    await page.getByRole('grid', { name: t.machines.list.label }).and(page.locator(':focus')).waitFor()

    // Letters typed into the search are letters.
    await page.keyboard.press('/')
    await search.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('jak')
    expect(await search.inputValue()).toBe('jak')
    await page.getByText(t.machines.empty.noMatch).waitFor()
    await page.keyboard.press('Escape')
    await machineEntry(view, 'Charlie chiller').waitFor()

    await page.goto('/index/?q=zzz&state=alarm')
    await page.getByRole('button', { name: t.machines.empty.clearFilters }).click()
    await machineEntry(view, 'Alpha press').waitFor()
    await page.waitForURL((url) => !url.searchParams.has('q') && !url.searchParams.has('state'))
    await page.goto(`/index/?machine=${stranger.machineId}`)
    await page.getByText(t.machines.pane.gone).waitFor()
  })
})

const machines = 5_000
/** Rows a screen holds, and those kept ready above and below it. */
const drawnMax = 80

it(`${machines} machines scroll and filter while few are drawn, and stay live`, async () => {
  const { user, first: from } = await createOwner(machines, 'en')
  /** The top row: the first machine in alarm. Every fiftieth has one, every third of which is only a warning. */
  const alarmed = from - (from % 50) + 50
  const first = fleetName(alarmed % 3 === 2 ? alarmed + 50 : alarmed)
  const last = fleetName(from + machines - 1)
  await withView(browser, site, { ...phone, lang: 'en' }, async (view) => {
    await signInDirectly(view, site, db, user)
    const { page, t } = view
    let lostSockets = 0
    page.on('websocket', (socket) => socket.on('close', () => lostSockets++))
    await page.goto('/index/')
    await machineEntry(view, first).waitFor()

    const search = page.getByRole('searchbox', { name: t.machines.list.search })
    await scrollByWheel(page, 40, 900)
    // However far a person scrolls, only visible rows are drawn, which keeps every task short.
    // bench/fleet.ts measures how long they take.
    expect(await machineEntry(view, '').count()).toBeLessThan(drawnMax)
    await search.click()
    await search.pressSequentially(last, { delay: 60 })
    await machineEntry(view, last).waitFor()
    expect(await machineEntry(view, '').count()).toBeLessThan(drawnMax)
    await search.fill('')
    await machineEntry(view, first).waitFor()
    expect(await machineEntry(view, '').count()).toBeLessThan(drawnMax)
    // Thousands of rows passed by: asking for their values must not have cost the page its live connection.
    expect(lostSockets).toBe(0)
    expect(view.complaints).toEqual([])
  })
})

/** Opens the menu of a machine's row or card and chooses something of it. */
async function choose(view: View, name: string, item: string): Promise<void> {
  const label = view.t.machineEdit.menu.label(name)
  await machineEntry(view, name).getByRole('button', { name: label }).click()
  await view.page.getByRole('menu', { name: label }).getByRole('menuitem', { name: item }).click()
}

/** A printed label, photographed. */
async function drawLabel(view: View, text: string): Promise<Buffer> {
  const { side, path } = formatQrSquares(text, 4)
  const page = await view.context.newPage()
  await page.setContent(
    `<body style="margin:0"><svg width="300" height="300" viewBox="0 0 ${side} ${side}"><path d="${path}"/></svg></body>`,
  )
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 300 } })
  await page.close()
  return picture
}

/** A camera that films the label. */
const filmScript = (label: string) => `navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement('canvas')
  canvas.width = 640
  canvas.height = 480
  const image = new Image()
  image.src = 'data:image/png;base64,${label}'
  await image.decode()
  setInterval(() => canvas.getContext('2d').drawImage(image, 170, 90), 50)
  globalThis.filmed = canvas.captureStream(20)
  return globalThis.filmed
}`

it('labels are read from a picture and by the camera, which is let go of afterwards', async () => {
  const [owner, user] = [await createUser(db), await createUser(db)]
  const owned = await createMachine(db, { name: 'Lathe', owner: owner.userId, code: nextCode() })
  const free = await createMachine(db, { name: 'Mill', code: nextCode(), password })
  const filmed = await createMachine(db, { name: 'Mill 2', code: nextCode(), password })
  await withList(user, { ...phone, lang: 'en' }, async (view) => {
    const { page, t } = view
    const { scan, check } = t.machineEdit
    const words = t.machines.addDialog
    const camera = (await drawLabel(view, filmed.code)).toString('base64')
    await page.addInitScript(filmScript(camera))
    await page.goto('/index/')
    const dialog = page.getByRole('dialog', { name: words.title })
    const add = () => page.getByRole('button', { name: t.machines.add }).first().click()
    const read = async (text: string) => {
      const buffer = await drawLabel(view, text)
      await dialog
        .getByLabel(scan.picture)
        .setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer })
    }
    await add()
    await read('https://example.test/')
    await dialog.getByText(scan.noCode).waitFor()
    await read(`https://example.test/add?code=${owned.code}`)
    await dialog.getByText(check.owned).waitFor()
    expect(await dialog.getByLabel(words.password, { exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: scan.camera }).click()
    await expect.poll(() => dialog.getByLabel(words.code).inputValue()).toBe(filmed.code)
    const isLive = '[...filmed.getTracks()].some((track) => track.readyState === "live")'
    await expect.poll(() => page.evaluate(isLive)).toBe(false)

    await read(free.code)
    await expect.poll(() => dialog.getByLabel(words.code).inputValue()).toBe(free.code)
    await dialog.getByText(check.unowned).waitFor()
    await dialog.getByLabel(words.name).fill('My mill')
    await dialog.getByLabel(words.password, { exact: true }).fill(password)
    await dialog.getByRole('button', { name: words.submit, exact: true }).click()
    await detailPane(view, 'My mill')
      .getByText(t.machines.roles[3] ?? '', { exact: true })
      .waitFor()
  })
})

it('machines get other names and groups, and one is removed with its losses said', async () => {
  const user = await createUser(db)
  for (const name of ['Pump 1', 'Pump 2', 'Chiller 1'])
    await createMachine(db, { name, owner: user.userId, code: nextCode() })
  await withList(user, { ...english, theme: 'dark' }, async (view) => {
    await rename(view)
    await group(view)
    await remove(view, user)
  })
})

/** A taken name is reported beside its field. */
async function rename(view: View): Promise<void> {
  const { page, t } = view
  const { edit, menu } = t.machineEdit
  await choose(view, 'Chiller 1', menu.edit)
  const dialog = page.getByRole('dialog', { name: edit.title('Chiller 1') })
  const save = dialog.getByRole('button', { name: edit.save, exact: true })
  await dialog.getByLabel(edit.name).fill('Pump 1')
  await save.click()
  await dialog.getByText(/with this name is already in your list/).waitFor()
  await dialog.getByLabel(edit.name).fill('Hall 2 chiller')
  await dialog.getByLabel(edit.remark).fill('spare')
  await save.click()
  await machineEntry(view, 'Hall 2 chiller').waitFor()
  await page.getByLabel(t.machines.list.search).fill('spare')
  await machineEntry(view, 'Pump 1').waitFor({ state: 'detached' })
  await machineEntry(view, 'Hall 2 chiller').waitFor()
  await page.getByLabel(t.machines.list.search).fill('')
  await machineEntry(view, 'Pump 1').waitFor()
}

/** A group is made, filled, filtered by, not deleted while it holds a device, and deleted when it is empty. */
async function group(view: View): Promise<void> {
  const { page, t } = view
  const words = t.machineEdit.groups
  const filter = page.getByRole('button', { name: new RegExp(`^${t.machines.list.group}:`) })
  await filter.click()
  await page.getByRole('menuitem', { name: words.manage }).click()
  const dialog = page.getByRole('dialog', { name: words.title })
  await dialog.getByLabel(words.name).fill('Pumps')
  await dialog.getByRole('button', { name: words.create }).click()
  await dialog.getByRole('button', { name: words.devicesOf('Pumps') }).click()

  const members = page.getByRole('dialog', { name: words.members('Pumps') })
  await members.getByRole('combobox', { name: words.membersSearch }).fill('pump')
  await members.getByRole('button', { name: words.membersAll('2') }).click()
  await members.getByRole('button', { name: words.save, exact: true }).click()
  await dialog.getByText(words.count('2'), { exact: true }).waitFor()
  await dialog.getByRole('button', { name: words.removeOf('Pumps') }).click()
  await dialog.getByText(words.notEmpty(2)).waitFor()
  await page.keyboard.press('Escape')

  await filter.click()
  await page.getByRole('menuitemradio', { name: /^Pumps/ }).click()
  await machineEntry(view, 'Hall 2 chiller').waitFor({ state: 'detached' })
  for (const name of ['Pump 1', 'Pump 2']) {
    await choose(view, name, t.machineEdit.menu.groups)
    const own = page.getByRole('dialog', { name: words.ofMachine(name) })
    await own.getByRole('option', { name: 'Pumps' }).click()
    await own.getByRole('button', { name: words.save, exact: true }).click()
    await machineEntry(view, name).waitFor({ state: 'detached' })
  }
  await filter.click()
  await page.getByRole('menuitem', { name: words.manage }).click()
  await dialog.getByRole('button', { name: words.removeOf('Pumps') }).click()
  await dialog.getByText(words.none).waitFor()
  await page.keyboard.press('Escape')
}

/** A machine that was removed elsewhere meanwhile counts as removed. */
async function remove(view: View, { userId }: TestUser): Promise<void> {
  const { page, t } = view
  const words = t.machineEdit.remove
  await page.goto('/index/')
  await choose(view, 'Pump 2', t.machineEdit.menu.removeAkey)
  const dialog = page.getByRole('dialog', { name: words.title('Pump 2') })
  await dialog.getByText(words.bodies[3] ?? '').waitFor()
  await db
    .deleteFrom('machine_list_entries')
    .where('user_id', '=', userId)
    .where('name', '=', 'Pump 2')
    .execute()
  await dialog.getByRole('button', { name: words.actionAkey, exact: true }).click()
  await page.getByText(words.done('Pump 2')).waitFor()
  await machineEntry(view, 'Pump 2').waitFor({ state: 'detached' })
}
