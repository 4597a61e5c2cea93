import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatQrSquares } from '../../console/src/shared/ui/qr/qr-squares.ts'
import { detailPane, machineEntry, openMachine } from './devices.ts'
import { findRow } from './rows.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const english: Look = { lang: 'en', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }
const password = 'correct horse battery'

let codes = 0
const nextCode = () => `40${String(++codes).padStart(17, '0')}`

/** Opens the menu of a machine's row or card and chooses something of it. */
async function choose(view: View, name: string, item: string): Promise<void> {
  const label = view.t.machineEdit.menu.label(name)
  await machineEntry(view, name).getByRole('button', { name: label }).click()
  await view.page.getByRole('menu', { name: label }).getByRole('menuitem', { name: item }).click()
}

async function withList(user: TestUser, look: Look, work: (view: View) => Promise<void>): Promise<void> {
  await withView(browser, site, look, async (view) => {
    await signInDirectly(view, site, db, user)
    await view.page.goto('/index/')
    await work(view)
    expect(view.complaints).toEqual([])
  })
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

describe('the personal entry of a machine', () => {
  it.each(pickTurns('machine edit', [english, phone]))(
    'gets another name and remark, and a taken name is reported beside it, %#',
    async (look) => {
      const user = await createUser(db, { lang: look.lang })
      for (const name of ['Press 7', 'Press 8'])
        await createMachine(db, { name, owner: user.userId, code: nextCode() })
      await withList(user, look, async (view) => {
        const t = view.t.machineEdit
        await choose(view, 'Press 7', t.menu.edit)
        const dialog = view.page.getByRole('dialog', { name: t.edit.title('Press 7') })
        await dialog.getByLabel(t.edit.name).fill('Press 8')
        await dialog.getByRole('button', { name: t.edit.save, exact: true }).click()
        await dialog
          .getByText(look.lang === 'cn' ? '列表中已有同名设备' : /with this name is already in your list/)
          .waitFor()
        await dialog.getByLabel(t.edit.name).fill('Hall 2 press')
        await dialog.getByLabel(t.edit.remark).fill('spare')
        await dialog.getByRole('button', { name: t.edit.save, exact: true }).click()
        await machineEntry(view, 'Hall 2 press').waitFor()
        await view.page.getByLabel(view.t.machines.list.search).fill('spare')
        await machineEntry(view, 'Press 8').waitFor({ state: 'detached' })
        await machineEntry(view, 'Hall 2 press').waitFor()
      })
    },
  )

  it('a Bkey sees the losses; a machine removed elsewhere counts as removed', async () => {
    const [akey, bkey] = [await createUser(db), await createUser(db)]
    const made = await createMachine(db, { owner: akey.userId, code: nextCode() })
    await grantMachine(db, bkey.userId, made.machineId, { role: 'bkey' })
    await withList(bkey, english, async (view) => {
      const t = view.t.machineEdit
      const pane = await openMachine(view, 'Machine')
      await pane.getByRole('button', { name: t.menu.label('Machine') }).click()
      await view.page.getByRole('menuitem', { name: t.menu.remove }).click()
      const dialog = view.page.getByRole('dialog', { name: t.remove.title('Machine') })
      await dialog.getByText(t.remove.bodies[2] ?? '').waitFor()
      await db.deleteFrom('machine_list_entries').where('user_id', '=', bkey.userId).execute()
      await dialog.getByRole('button', { name: t.remove.action, exact: true }).click()
      await view.page.getByText(t.remove.done('Machine')).waitFor()
      await view.page.getByText(view.t.machines.empty.title).waitFor()
      expect(await detailPane(view, 'Machine').count()).toBe(0)
    })
  })

  it('an Akey of a shared machine keeps it and is shown the way out', async () => {
    const [akey, bkey] = [await createUser(db), await createUser(db, { name: 'Bert Bkey' })]
    const made = await createMachine(db, { name: 'Oven 2', owner: akey.userId, code: nextCode() })
    await grantMachine(db, bkey.userId, made.machineId, { role: 'bkey' })
    await withList(akey, english, async (view) => {
      const t = view.t.machineEdit
      await choose(view, 'Oven 2', t.menu.removeAkey)
      const dialog = view.page.getByRole('dialog', { name: t.remove.title('Oven 2') })
      await dialog.getByRole('button', { name: t.remove.actionAkey }).click()
      await dialog.getByText(t.remove.held).waitFor()
      expect(await machineEntry(view, 'Oven 2').count()).toBe(1)
      await dialog.getByRole('button', { name: t.remove.release }).click()
      await findRow(view.page, 'Bert Bkey').waitFor()
    })
  })
})

describe('groups', () => {
  it('are made, filled, filtered by, not deleted while they hold a device, and deleted when empty', async () => {
    const user = await createUser(db)
    for (const name of ['Pump 1', 'Pump 2', 'Chiller 1'])
      await createMachine(db, { name, owner: user.userId, code: nextCode() })
    await withList(user, english, async (view) => {
      const { page, t } = view
      const words = t.machineEdit.groups
      const filter = page.getByRole('button', { name: new RegExp(`^${t.machines.list.group}:`) })
      await filter.click()
      await page.getByRole('menuitem', { name: words.manage }).click()
      const dialog = page.getByRole('dialog', { name: words.title })
      await dialog.getByLabel(words.name).fill('Pumps!')
      await dialog.getByRole('button', { name: words.create }).click()
      await dialog.getByText(words.nameSpecial).waitFor()
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
      await machineEntry(view, 'Chiller 1').waitFor({ state: 'detached' })
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
    })
  })
})

describe('a label', () => {
  const findDialog = (view: View): Locator =>
    view.page.getByRole('dialog', { name: view.t.machines.addDialog.title })

  it('is read from a picture, says what adding comes to, and adds the machine', async () => {
    const [owner, user] = [await createUser(db), await createUser(db)]
    const owned = await createMachine(db, { name: 'Lathe', owner: owner.userId, code: nextCode() })
    const free = await createMachine(db, { name: 'Mill', code: nextCode(), password })
    await withList(user, english, async (view) => {
      const { page, t } = view
      const words = t.machines.addDialog
      await page.getByRole('button', { name: t.machines.add }).first().click()
      const dialog = findDialog(view)
      const read = async (text: string) => {
        const buffer = await drawLabel(view, text)
        await dialog
          .getByLabel(t.machineEdit.scan.picture)
          .setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer })
      }
      await read('https://example.test/')
      await dialog.getByText(t.machineEdit.scan.noCode).waitFor()
      await read(`https://example.test/add?code=${owned.code}`)
      await dialog.getByText(t.machineEdit.check.owned).waitFor()
      expect(await dialog.getByLabel(words.password, { exact: true }).count()).toBe(0)

      await read(free.code)
      await dialog.getByText(t.machineEdit.check.unowned).waitFor()
      expect(await dialog.getByLabel(words.code).inputValue()).toBe(free.code)
      await dialog.getByLabel(words.name).fill('My mill')
      await dialog.getByLabel(words.password, { exact: true }).fill(password)
      await dialog.getByRole('button', { name: words.submit, exact: true }).click()
      await detailPane(view, 'My mill')
        .getByText(t.machines.roles[3] ?? '', { exact: true })
        .waitFor()
    })
  })

  it('is read by the camera, which is let go of afterwards', async () => {
    const user = await createUser(db)
    const made = await createMachine(db, { name: 'Mill 2', code: nextCode(), password })
    await withView(browser, site, phone, async (view) => {
      await signInDirectly(view, site, db, user)
      const picture = (await drawLabel(view, made.code)).toString('base64')
      await view.page.addInitScript(filmScript(picture))
      await view.page.goto('/index/')
      const t = view.t.machineEdit
      await view.page.getByRole('button', { name: view.t.machines.add }).first().click()
      const dialog = findDialog(view)
      await dialog.getByRole('button', { name: t.scan.camera }).click()
      await dialog.getByText(t.check.unowned).waitFor()
      expect(await dialog.getByLabel(view.t.machines.addDialog.code).inputValue()).toBe(made.code)
      const isLive = '[...filmed.getTracks()].some((track) => track.readyState === "live")'
      expect(await view.page.evaluate(isLive)).toBe(false)
    })
  })
})

describe('a transfer', () => {
  it('is offered after the password, waits, and accepted in another browser makes the other one Akey', async () => {
    const giver = await createUser(db, { name: 'Gina Giver', password })
    const taker = await createUser(db, { name: 'Theo Taker' })
    await createMachine(db, { name: 'Tank 4', owner: giver.userId, code: nextCode() })
    await withList(giver, english, (from) =>
      withList(taker, english, async (to) => {
        const t = from.t.machineEdit
        await to.page.getByText(to.t.machines.empty.title).waitFor()
        await choose(from, 'Tank 4', t.menu.transfer)
        const dialog = from.page.getByRole('dialog', { name: t.transfer.title('Tank 4') })
        await dialog.getByLabel(t.transfer.account).fill(giver.email)
        await dialog.getByRole('button', { name: t.transfer.submit }).click()
        const proof = from.page.getByLabel(from.t.access.proof.password, { exact: true })
        await proof.fill(password)
        await from.page.keyboard.press('Enter')
        await dialog.getByText('You already own this device').waitFor()
        await dialog.getByLabel(t.transfer.account).fill(taker.email)
        await dialog.getByRole('button', { name: t.transfer.submit }).click()

        await from.page.getByText(t.transfer.outgoing('Tank 4', 'Theo Taker')).waitFor()
        await to.page.getByText(t.transfer.incoming('Gina Giver', 'Tank 4')).waitFor()
        await to.page.getByRole('button', { name: t.transfer.accept, exact: true }).click()
        await machineEntry(to, 'Tank 4')
          .getByText(to.t.machines.roles[3] ?? '', { exact: true })
          .waitFor()
        await from.page.getByText(t.transfer.outgoing('Tank 4', 'Theo Taker')).waitFor({ state: 'detached' })
      }),
    )
  })
})
