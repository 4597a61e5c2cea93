import { errors } from '@busbar/contract'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { detailPane, machineEntry, showVariables, stateMark, variableRow } from './devices.ts'
import { holdTemperature, type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import { type Look, moving, signInByForm, type View, withView } from './view.ts'

/** The promise is a second; a busy machine gets ten before the test fails. */
const deadlineMs = 10_000

const { site, browser } = await shareSite()

const desk: Look = { lang: 'cn', size: 'wide', theme: 'light' }

it('a machine is added by code and password, shows its register live, goes stale with its agent and comes back', async () => {
  const person = await site.createAccount('first-day@example.test', 'Ming Li', desk.lang)
  const label = await site.createMachine('Pasteuriser')
  const modbusRig: ModbusRig = await startModbusRig(site, label)
  const day = async (view: View) => {
    const { page, t, lang } = view
    modbusRig.setHoldTemperature(72.5)
    await modbusRig.startAgent()

    await page.goto('/')
    await signInByForm(view, person)
    await page.getByText(t.machines.empty.title).waitFor()
    await page.getByText(t.machines.empty.hint).waitFor()

    // The details of an added device open automatically.
    const name = '巴氏杀菌机'
    await addByLabel(view, label, name)
    const pane = detailPane(view, name)
    await stateMark(pane, 'online').waitFor({ timeout: deadlineMs })
    await showVariables(view, pane)
    const variable = variableRow(pane, holdTemperature[lang])
    await expectText(variable, /72\.5/)

    const changedAt = performance.now()
    modbusRig.setHoldTemperature(81.3)
    await expectText(variable, /81\.3/)
    console.log(`register to screen in ${(performance.now() - changedAt).toFixed(0)} ms`)
    expect(await variable.textContent()).not.toContain(t.machines.quality.stale)

    await modbusRig.stopAgent()
    await stateMark(pane, 'offline').waitFor({ timeout: deadlineMs })
    await expectText(stateMark(pane, 'offline'), t.machines.states.offline)
    await expectText(variable, t.machines.quality.stale)
    await expectText(variable, /81\.3/)

    modbusRig.setHoldTemperature(65.4)
    await modbusRig.startAgent()
    await stateMark(pane, 'online').waitFor({ timeout: deadlineMs })
    await expectText(variable, /65\.4/)
    expect(await variable.textContent()).not.toContain(t.machines.quality.stale)

    await page.keyboard.press('Escape')
    await pane.waitFor({ state: 'hidden' })
    await stateMark(machineEntry(view, name), 'online').waitFor({ timeout: deadlineMs })
    await expectText(machineEntry(view, name), /65\.4/)
    expect(view.complaints).toEqual([])
  }
  await withView(browser, site, desk, day, moving).finally(() => modbusRig.close())
})

/** Adds a machine by what its label says, after an error that is explained beside its field and keeps the input. */
async function addByLabel(
  { page, t, lang }: View,
  label: { code: string; password: string },
  name: string,
): Promise<void> {
  const words = t.machines.addDialog
  await page.getByRole('button', { name: t.machines.add }).first().click()
  const dialog = page.getByRole('dialog', { name: words.title })
  const code = dialog.getByLabel(words.code)
  const submit = dialog.getByRole('button', { name: words.submit, exact: true })
  await dialog.getByLabel(words.name, { exact: true }).fill(name)
  await dialog.getByLabel(words.password, { exact: true }).fill('not-the-password')
  await code.fill('1234567890123456789')
  await submit.click()
  await dialog.getByText(errors['04010102'].text[lang]).waitFor()
  // As pasted from a message.
  await code.fill(`${label.code.slice(0, 4)} ${label.code.slice(4, 12)} ${label.code.slice(12)}`)
  await submit.click()
  await dialog.getByText(errors['505'].text[lang]).waitFor()
  expect(await dialog.getByLabel(words.name, { exact: true }).inputValue()).toBe(name)
  expect((await code.inputValue()).replace(/\D/g, '')).toBe(label.code)
  await dialog.getByLabel(words.password, { exact: true }).fill(label.password)
  await submit.click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Waits, at most the deadline, until an element shows it. */
async function expectText(element: Locator, text: string | RegExp): Promise<void> {
  await element.filter({ hasText: text }).first().waitFor({ timeout: deadlineMs })
}
