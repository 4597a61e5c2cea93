import { type AnswerOf, type applications, machines } from '@busbar/contract'
import { arriveAtList } from './console-screens.ts'
import { machineEntry } from './devices.ts'
import { sceneScreen as screen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'
import type { SceneMachine } from './visit-scene.ts'

/* Actions on a machine of the list, and applications: answers that the demo lacks are made up here. */

const answer = ({ page }: View, path: string, hwdata: unknown) =>
  page.route(path, (route) => route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata } }))

const said = {
  cn: { people: ['王海', '赵敏', '刘强'], groups: ['一车间', '水泵'], message: '维修 3 号泵', by: '陈晓燕' },
  en: {
    people: ['Arthur Wellington-Smythe', 'Dana Fox', 'Priya Raman'],
    groups: ['Hall 1', 'Pumps'],
    message: 'Check pump 3',
    by: 'Maria Schneider-Lindqvist',
  },
} as const satisfies Record<Lang, unknown>

const minuteMs = 60_000

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
  for (const [place, name] of said[lang].groups.entries()) {
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
    const [, pumps] = said[view.lang].groups
    await dialog.getByRole('button', { name: t.machineEdit.groups.removeOf(pumps) }).click()
  }),
  screen('group-members', async (view, machine) => {
    await makeGroups(view, machine)
    await arriveAtList(view)
    const { page, t } = view
    await page.getByRole('button', { name: new RegExp(`^${t.machines.list.group}:`) }).click()
    await page.getByRole('menuitem', { name: t.machineEdit.groups.manage }).click()
    const [hall] = said[view.lang].groups
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
  screen('transfers', async (view, { code, machineId, name }) => {
    const now = Date.now()
    const [from, to] = said[view.lang].people
    const offer = {
      machineId,
      machineCode: code,
      machineName: name,
      createdAt: now,
      expireAt: now + 600 * minuteMs,
    }
    const offers: machines.Transfer[] = [
      { ...offer, applyId: 1, from, to, toEid: null, mine: false, mayAnswer: true },
      { ...offer, applyId: 2, from: to, to: from, toEid: null, mine: true, mayAnswer: false },
    ]
    await answer(view, '**/api/v1/machine/transfers', offers)
    await arriveAtList(view)
    await view.page.getByText(view.t.machineEdit.transfer.accept, { exact: true }).waitFor()
  }),
]

function makeApplications(lang: Lang, open: boolean): applications.Application[] {
  const now = Date.now()
  const { people, message, by } = said[lang]
  const made = people.map(
    (name, place): applications.Application => ({
      applyId: (open ? 10 : 20) + place,
      kind: place === 1 ? 'bind' : 'visit',
      userId: 900 + place,
      name,
      phone: place === 2 ? '' : '138****0013',
      email: place === 2 ? 'p***@example.com' : '',
      proposedBy: place === 1 ? by : '',
      message: place === 1 ? '' : message,
      remarks: '',
      terminalName: place === 0 ? 'Chrome 153 · Windows' : '',
      wish: place === 0 ? 'rw' : 'ro',
      auditState: open ? (place === 1 ? 2 : 0) : place + 3,
      createdAt: now - (place + 1) * 20 * minuteMs,
      expireAt: now + 1_380 * minuteMs,
      endedAt: open ? null : now - (place + 1) * 10 * minuteMs,
      mayAnswer: open && place === 0,
    }),
  )
  return open ? made.slice(0, 2) : made
}

const keys: readonly Screen[] = [
  screen('keys-applications', async (view, { machineId }) => {
    const page = (open: boolean): AnswerOf<typeof applications.listApplications> => {
      const list = makeApplications(view.lang, open)
      return { list, total: open ? list.length : 45, page: 1, pageSize: 20 }
    }
    await answer(view, '**/api/v1/machine/*/applications?*open=true*', page(true))
    await answer(view, '**/api/v1/machine/*/applications?*open=false*', page(false))
    const steps: applications.ApplicationStepRow[] = [
      {
        applyId: 10,
        kind: 'visit',
        step: 'applied',
        key: '',
        byMasked: said[view.lang].people[0],
        state: 0,
        at: Date.now() - 20 * minuteMs,
      },
    ]
    await answer(view, '**/api/v1/devices/auditProcess*', steps)
    await view.page.goto(`/administrateCenter?machineId=${machineId}&tab=applications`)
    await view.page.getByRole('button', { name: view.t.applications.answer.refuse, exact: true }).waitFor()
  }),
  screen('keys-times', async (view, { machineId }) => {
    const statuses = ['waiting', 'approved', 'refused', 'expired'] as const
    const list = statuses.map((status, place) => ({
      id: place + 1,
      userId: 900 + place,
      name: said[view.lang].people[place % 3] ?? '',
      ...(place === 2 ? { phone: '', email: 'w***@example.com' } : { phone: '138****0013', email: '' }),
      visitTime: status === 'approved' ? Date.now() + 90 * minuteMs : 0,
      visitTimeId: null,
      status,
    }))
    const times: AnswerOf<typeof applications.listVisitTimes> = {
      list,
      total: list.length,
      page: 1,
      pageSize: 20,
    }
    await answer(view, '**/api/device/v1/admin/visit/detail/page', times)
    await view.page.goto(`/administrateCenter?machineId=${machineId}&tab=times`)
    await view.page.getByText(view.t.access.times.statuses.refused, { exact: true }).waitFor()
  }),
]

/** Actions on a machine of the list, and the parts of its administration about applications. */
export const machineScreens: readonly Screen[] = [...acts, ...keys]
