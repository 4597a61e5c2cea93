import { machines } from '@busbar/contract'
import { arriveAtList } from './console-screens.ts'
import { machineEntry } from './devices.ts'
import { sceneScreen as screen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'
import type { SceneMachine } from './visit-scene.ts'

/* Actions on a machine of the list, its groups, and what people ask for. */

const groupNames = { cn: ['一车间', '水泵'], en: ['Hall 1', 'Pumps'] } as const satisfies Record<
  Lang,
  unknown
>

async function chooseAct(view: View, { name }: SceneMachine, item: string): Promise<void> {
  await arriveAtList(view)
  const { page, t } = view
  await page.getByLabel(t.machines.list.search).fill(name)
  const label = t.machineEdit.menu.label(name)
  await machineEntry(view, name).getByRole('button', { name: label }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

/** The groups of the demo's person, with devices in them. */
async function makeGroups({ lang }: View, { owner, machineId, away }: SceneMachine): Promise<void> {
  const there = await owner.call(machines.listUserGroups, {})
  for (const [place, name] of groupNames[lang].entries()) {
    if (there.some((group) => group.name === name)) continue
    const { id } = await owner.call(machines.createUserGroup, { name })
    await owner.call(machines.updateUserGroup, { id, machineIds: [machineId, away.machineId].slice(place) })
  }
}

const acts: readonly Screen[] = [
  screen('machine-menu', async (view, { name }) => {
    await arriveAtList(view)
    await view.page.getByLabel(view.t.machines.list.search).fill(name)
    const label = view.t.machineEdit.menu.label(name)
    await machineEntry(view, name).getByRole('button', { name: label }).click()
    await view.page.getByRole('menu', { name: label }).waitFor()
  }),
  screen('machine-edit', (view, machine) => chooseAct(view, machine, view.t.machineEdit.menu.edit)),
  screen('machine-remove', (view, machine) => chooseAct(view, machine, view.t.machineEdit.menu.removeAkey)),
  screen('machine-remove-held', async (view, machine) => {
    await chooseAct(view, machine, view.t.machineEdit.menu.removeAkey)
    await view.page.getByRole('button', { name: view.t.machineEdit.remove.actionAkey }).click()
    await view.page.getByText(view.t.machineEdit.remove.held).waitFor()
  }),
  screen('machine-transfer', (view, machine) => chooseAct(view, machine, view.t.machineEdit.menu.transfer)),
  screen('machine-transfer-enterprise', async (view, machine) => {
    const t = view.t.machineEdit
    await chooseAct(view, machine, t.menu.transfer)
    await view.page.getByText(t.transfer.enterprise, { exact: true }).click()
    await view.page.getByText(t.transfer.untilOfSpace).waitFor()
  }),
  screen('machine-groups', async (view, machine) => {
    await makeGroups(view, machine)
    await chooseAct(view, machine, view.t.machineEdit.menu.groups)
  }),
  screen('groups', async (view, machine) => {
    await makeGroups(view, machine)
    await arriveAtList(view)
    const { page, t } = view
    await page.getByRole('button', { name: new RegExp(`^${t.machines.list.group}:`) }).click()
    await page.getByRole('menuitem', { name: t.machineEdit.groups.manage }).click()
    const dialog = page.getByRole('dialog', { name: t.machineEdit.groups.title })
    const [, pumps] = groupNames[view.lang]
    await dialog.getByRole('button', { name: t.machineEdit.groups.removeOf(pumps) }).click()
  }),
  screen('group-members', async (view, machine) => {
    await makeGroups(view, machine)
    await arriveAtList(view)
    const { page, t } = view
    await page.getByRole('button', { name: new RegExp(`^${t.machines.list.group}:`) }).click()
    await page.getByRole('menuitem', { name: t.machineEdit.groups.manage }).click()
    const [hall] = groupNames[view.lang]
    await page.getByRole('button', { name: t.machineEdit.groups.devicesOf(hall) }).click()
    await page.getByRole('dialog', { name: t.machineEdit.groups.members(hall) }).waitFor()
  }),
  screen('machine-check', async (view, _, { strangersCode }) => {
    await arriveAtList(view)
    const { page, t } = view
    await page.getByRole('button', { name: t.machines.add }).first().click()
    const dialog = page.getByRole('dialog', { name: t.machines.addDialog.title })
    await dialog.getByLabel(t.machines.addDialog.code, { exact: true }).fill(strangersCode)
    await page.getByRole('status', { name: t.machineEdit.check.label }).waitFor()
  }),
  screen('transfers', async (view, { guest, offered, ownerId }) => {
    await guest.call(machines.offerMachine, { machineID: offered.machineId, userId: ownerId })
    await arriveAtList(view)
    await view.page.getByText(view.t.machineEdit.transfer.accept, { exact: true }).waitFor()
  }),
]

const keys: readonly Screen[] = [
  screen('keys-applications', async (view, { machineId }) => {
    await view.page.goto(`/administrateCenter?machineId=${machineId}&tab=applications`)
    const { answerOf } = view.t.access.applications
    await view.page
      .getByRole('button', { name: answerOf('') })
      .first()
      .click()
    const refuse = view.page.getByRole('button', { name: view.t.applications.answer.refuse, exact: true })
    await refuse.first().waitFor()
  }),
  screen('keys-times', async (view, { machineId }) => {
    await view.page.goto(`/administrateCenter?machineId=${machineId}&tab=times`)
    await view.page.getByText(view.t.access.times.statuses.refused, { exact: true }).waitFor()
  }),
]

/** Actions on a machine of the list, and the parts of its administration about applications. */
export const machineScreens: readonly Screen[] = [...acts, ...keys]
