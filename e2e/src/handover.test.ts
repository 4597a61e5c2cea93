import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createEnterprise, createMachine, createUser, grantMachine } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { machineEntry, openMachine } from './devices.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const phone: Look = { lang: 'en', theme: 'light', size: 'narrow' }
const desk: Look = { lang: 'cn', theme: 'dark', size: 'wide' }
const password = 'quite a secret'
const name = '3#泵 (东)'

/** Confirms the password, if the console asks for it. */
async function prove({ page, t }: View): Promise<void> {
  await page.getByLabel(t.access.proof.password, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

describe('a machine that changes hands', () => {
  it('goes from a person to an enterprise by its number, and back, under one name', async () => {
    const giver = await createUser(db, { name: 'Gina Giver', password })
    const { eid, owner } = await createEnterprise(db, 'Foundry of the pump')
    const { machineId } = await createMachine(db, { name, owner: giver.userId })
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', giver.userId)
      .executeTakeFirstOrThrow()
    await db.updateTable('users').set({ password_hash }).where('id', '=', owner.userId).execute()

    await withView(browser, site, phone, (person) =>
      withView(browser, site, desk, async (boss) => {
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
})
