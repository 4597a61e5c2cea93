import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { detailPane, machineEntry, showVariables, stateMark, variableRow } from './devices.ts'
import { holdTemperature, type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, moving, signInByForm, type View, withView } from './view.ts'

/** The promise is a second; a busy machine gets ten before the test fails. */
const deadlineMs = 10_000

let site: Site
let browser: Browser

beforeAll(async () => {
  ;({ site, browser } = await shareSite())
})

const looks: Look[] = [
  { lang: 'cn', size: 'wide', theme: 'light' },
  { lang: 'en', size: 'narrow', theme: 'dark' },
]

describe.each(pickTurns('first day', looks))('a machine’s first day, $lang, $size', (look) => {
  it('is added by code and password, shows its register live, goes stale with its agent and comes back', async () => {
    const person = await site.createAccount(`${look.size}@example.test`, 'Ming Li', look.lang)
    const label = await site.createMachine('Pasteuriser')
    const modbusRig: ModbusRig = await startModbusRig(site, label)
    const day = async (view: View) => {
      const { page, t } = view
      modbusRig.setHoldTemperature(72.5)
      await modbusRig.startAgent()

      await page.goto('/')
      await signInByForm(view, person)
      await page.getByText(t.machines.empty.title).waitFor()

      const name = look.lang === 'cn' ? '巴氏杀菌机' : 'Pasteuriser 1'
      await page.getByRole('button', { name: t.machines.add }).first().click()
      const dialog = page.getByRole('dialog', { name: t.machines.addDialog.title })
      await dialog.getByLabel(t.machines.addDialog.code).fill(label.code)
      await dialog.getByLabel(t.machines.addDialog.name, { exact: true }).fill(name)
      await dialog.getByLabel(t.machines.addDialog.password, { exact: true }).fill(label.password)
      await dialog.getByRole('button', { name: t.machines.addDialog.submit, exact: true }).click()

      // The details of an added device open automatically.
      const pane = detailPane(view, name)
      await stateMark(pane, 'online').waitFor({ timeout: deadlineMs })
      await showVariables(view, pane)
      const variable = variableRow(pane, holdTemperature[look.lang])
      await expectText(variable, /72\.5/)

      const changedAt = performance.now()
      modbusRig.setHoldTemperature(81.3)
      await expectText(variable, /81\.3/)
      const seenAfterMs = performance.now() - changedAt
      console.log(`${look.lang}, ${look.size}: register to screen in ${seenAfterMs.toFixed(0)} ms`)
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
    await withView(browser, site, look, day, moving).finally(() => modbusRig.close())
  })
})

/** Waits, at most the deadline, until an element shows it. */
async function expectText(element: Locator, text: string | RegExp): Promise<void> {
  await element.filter({ hasText: text }).first().waitFor({ timeout: deadlineMs })
}
