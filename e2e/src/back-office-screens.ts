import { operator } from '@busbar/contract'
import { operatorText as cn } from '../../console/src/shared/i18n/cn/operator.ts'
import { reportingServersText as serversCn } from '../../console/src/shared/i18n/cn/reporting-servers.ts'
import { table as tableCn } from '../../console/src/shared/i18n/cn/table.ts'
import { tileSourcesText as mapsCn } from '../../console/src/shared/i18n/cn/tile-sources.ts'
import { operatorText as en } from '../../console/src/shared/i18n/en/operator.ts'
import { reportingServersText as serversEn } from '../../console/src/shared/i18n/en/reporting-servers.ts'
import { table as tableEn } from '../../console/src/shared/i18n/en/table.ts'
import { tileSourcesText as mapsEn } from '../../console/src/shared/i18n/en/tile-sources.ts'
import type { Screen } from './screen.ts'
import type { Account, Site } from './site.ts'
import type { Lang } from './texts.ts'
import { clientOf, type View } from './view.ts'

const texts = { cn, en }
const servers = { cn: serversCn, en: serversEn }
const maps = { cn: mapsCn, en: mapsEn }
const tables = { cn: tableCn, en: tableEn }

type Part = Exclude<keyof typeof cn.parts, 'label'>
const parts = Object.keys(cn.parts).filter((name): name is Part => name !== 'label')

/** Makes an operator of each language, and data for them. */
export async function prepareBackOffice(site: Site): Promise<Record<Lang, Account>> {
  const password = 'copper kettle 9'
  const operators = {
    cn: { account: 'yunying@busbar.local', password },
    en: { account: 'operator@busbar.local', password },
  }
  const names = { cn: '林运营', en: 'Olga Op' }
  for (const lang of ['cn', 'en'] as const)
    await site.busbar(
      ...['operator', 'create', '--account', operators[lang].account, '--password', password],
      ...['--name', names[lang], '--lang', lang],
    )
  const requests = [
    {
      company: 'Northern Forge & Sons International',
      phone: '+44 20 7946 0018',
      email: 'plant.manager@northern-forge.example',
      area: 'Yorkshire, United Kingdom',
      project: 'Two forging presses and a furnace line, 240 tags.',
      purpose: 'run',
    },
    {
      company: '苏州精工机械有限公司',
      phone: '13812345678',
      email: 'li@jinggong.example',
      area: '江苏省苏州市工业园区',
      project: '两条注塑生产线，约 180 个变量，需要与 MES 对接。',
      purpose: 'develop',
    },
  ]
  for (const request of requests)
    await fetch(`${site.url}/api/scada/v1/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
  return operators
}

async function openPart({ page, lang }: View, part: Part): Promise<void> {
  await page.goto(`/backManage?part=${part}`)
  await page.getByRole('heading', { name: texts[lang].parts[part], level: 2, exact: true }).waitFor()
  await page.locator('main section:not([aria-busy="true"])').first().waitFor()
}

/** The page of the first row of a part, with one of its lists. */
function pageOf(
  name: string,
  part: 'users' | 'machines' | 'enterprises',
  list?: keyof typeof cn.pages.lists,
): Screen {
  return {
    name,
    signedIn: 'operator',
    async arrive(view) {
      const t = texts[view.lang]
      await openPart(view, part)
      const { page } = view
      await openFirst(view)
      await page.getByRole('navigation', { name: t.pages.label }).waitFor()
      if (list) await page.getByRole('link', { name: t.pages.lists[list], exact: true }).last().click()
      await page.locator('main section:not([aria-busy="true"])').first().waitFor()
    },
  }
}

/** Opens the first row of a list: by its name, or on a phone by the button of its card. */
async function openFirst({ page, lang }: View): Promise<void> {
  const cell = page.locator(
    'main [role="gridcell"]:is([data-column="person"], [data-column="machine"], [data-column="name"])',
  )
  const button = page.locator('main li').getByRole('button', { name: tables[lang].open('') })
  await cell.or(button).first().click()
}

/** A part with a dialog over it. */
function dialogOf(
  name: string,
  part: Part,
  button: (t: typeof cn, lang: Lang) => string,
  act?: (view: View, t: typeof cn) => Promise<void>,
): Screen {
  return {
    name,
    signedIn: 'operator',
    async arrive(view) {
      const t = texts[view.lang]
      await openPart(view, part)
      await view.page
        .getByRole('button', { name: button(t, view.lang) })
        .first()
        .click()
      await view.page.getByRole('dialog').waitFor()
      await act?.(view, t)
    },
  }
}

/** An import as the platform would tell of it. */
function importOf(
  name: string,
  more: Partial<operator.ImportRow>,
  shown: (t: (typeof cn)['importing']) => string,
): Screen {
  const jobId = '6b1f2f3e-5f0a-4d57-9a51-1f2f0f5c8a11'
  const row = {
    jobId,
    lines: 20_000,
    done: 0,
    created: 0,
    refused: 0,
    secrets: 0,
    secretsUntil: null,
    reason: '',
  }
  const refused = [4, 17, 802, 19_999].map((line) => ({ line, reason: line === 17 ? 'known' : 'code' }))
  const answer = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  const drawn = dialogOf(
    name,
    'machines',
    (t) => t.machines.import,
    async ({ page }, t) => {
      await page.getByRole('dialog').getByText(shown(t.importing)).first().waitFor()
    },
  )
  return {
    ...drawn,
    async arrive(view, scene) {
      await view.page.route(/\/machines\/import(\?|$)/, (route) =>
        route.fulfill(answer([{ ...row, createdAt: Date.now(), ...more }])),
      )
      await view.page.route(new RegExp(`/machines/import/${jobId}`), (route) =>
        route.fulfill(answer({ ...row, createdAt: Date.now(), ...more, refused })),
      )
      await drawn.arrive(view, scene)
    },
  }
}

/** The back office, every part of it and what opens there. */
export const backOfficeScreens: readonly Screen[] = [
  ...parts.map(
    (part): Screen => ({
      name: `back-office-${part}`,
      signedIn: 'operator',
      arrive: (view) => openPart(view, part),
    }),
  ),
  pageOf('back-office-user', 'users'),
  pageOf('back-office-user-audit', 'users', 'audit'),
  pageOf('back-office-machine', 'machines'),
  pageOf('back-office-enterprise', 'enterprises'),
  dialogOf('back-office-answer', 'scada', (t) => t.scada.answer),
  dialogOf(
    'back-office-import',
    'machines',
    (t) => t.machines.import,
    async ({ page }, t) => {
      // None of these lines can be registered, so that every run finds the register unchanged.
      const buffer = Buffer.from('4.4E+18,pump\n0000000000000000000,pump\n1234567890123456789,pump,a,b,c\n')
      const file = { name: 'machines.csv', mimeType: 'text/csv', buffer }
      await page.getByLabel(t.importing.choose).setInputFiles(file)
      await page.getByRole('button', { name: t.importing.start }).click()
      await page.getByText(t.importing.refused('3')).waitFor()
    },
  ),
  dialogOf(
    'back-office-import-file',
    'machines',
    (t) => t.machines.import,
    async ({ page }, t) => {
      const buffer = Buffer.from(
        '\ufeff机器码\t类型\t型号\t密码\n9100000000000000011\tpump\t增压泵 SL-3x75\t\n9100000000000000012\tpump\t增压泵 SL-3x75\t\n',
        'utf16le',
      )
      const file = { name: 'Unicode.txt', mimeType: 'text/plain', buffer }
      await page.getByLabel(t.importing.choose).setInputFiles(file)
      await page.getByRole('button', { name: t.importing.start }).waitFor()
    },
  ),
  importOf(
    'back-office-import-running',
    { state: 'running', done: 8_240, created: 8_236, refused: 4 },
    (t) => t.stop,
  ),
  importOf(
    'back-office-import-secrets',
    {
      state: 'done',
      done: 20_000,
      created: 19_996,
      refused: 4,
      secrets: 19_996,
      secretsUntil: Date.now() + 86_000_000,
    },
    (t) => t.confirm,
  ),
  importOf(
    'back-office-import-failed',
    {
      state: 'failed',
      done: 120,
      created: 120,
      secrets: 120,
      secretsUntil: Date.now() + 86_000_000,
      reason: '500',
    },
    (t) => t.broken,
  ),
  {
    name: 'back-office-recharge',
    signedIn: 'operator',
    async arrive(view) {
      const t = texts[view.lang].sms
      await openPart(view, 'sms')
      const { page } = view
      const name = { cn: '昆山精密', en: 'Kunshan Works' }[view.lang]
      await page.getByRole('searchbox', { name: t.search }).fill(name)
      await page.locator('main').getByText(name).first().waitFor()
      await page.getByRole('button', { name: t.types.recharge, exact: true }).first().click()
      await page.getByRole('dialog').getByRole('spinbutton').fill('500')
    },
  },
  {
    name: 'back-office-operator',
    signedIn: 'operator',
    async arrive(view) {
      const { page, lang } = view
      await openPart(view, 'users')
      await page.locator('main [aria-haspopup="menu"]').last().click()
      await page.getByRole('menuitem', { name: texts[lang].users.makeOperator }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'back-office-server',
    signedIn: 'operator',
    async arrive(view) {
      await openPart(view, 'projects')
      const t = servers[view.lang]
      await view.page.getByRole('button', { name: t.add, exact: true }).click()
      const dialog = view.page.getByRole('dialog')
      await dialog.getByLabel(t.host).fill('mqtts://plant')
      await dialog.getByLabel(t.port).fill('99999')
      await dialog.getByRole('button', { name: t.add }).click()
      await dialog.getByText(t.portWrong).waitFor()
    },
  },
  dialogOf('back-office-sms-templates', 'sms', (t) => t.sms.templates.open),
  dialogOf(
    'back-office-brand',
    'brands',
    (t) => t.brands.add,
    async ({ page }, t) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.brandForm.nameCn).fill('锻造云')
      await dialog.getByLabel(t.brandForm.nameEn).fill('Forge Cloud')
      await dialog.getByLabel(t.brandForm.accent).fill('#0b7a5b')
    },
  ),
  dialogOf(
    'back-office-machine-type',
    'machineTypes',
    (t) => t.machineTypes.add,
    async ({ page }, t) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.machineTypes.nameCn).fill('压铸机')
      await dialog.getByLabel(t.machineTypes.nameEn).fill('Die caster')
      await dialog.getByLabel(t.machineTypes.type, { exact: true }).fill('die-caster')
      await dialog.getByLabel(t.machineTypes.pattern).fill('4412*, 4500-4599')
    },
  ),
  dialogOf(
    'back-office-tile-source',
    'tileSources',
    (_t, lang) => maps[lang].add,
    async ({ page, lang }) => {
      const t = maps[lang]
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.nameCn).fill('天地图')
      await dialog.getByLabel(t.nameEn).fill('Tianditu')
      await dialog
        .getByLabel(t.url)
        .fill('https://t0.tianditu.gov.cn/vec_w/wmts?TILEMATRIX={z}&TILEROW={y}&TILECOL={x}&tk={key}')
    },
  ),
  dialogOf(
    'back-office-machine-type-probe',
    'machineTypes',
    (t) => t.machineTypes.probe,
    async ({ page }, t) => {
      await page.getByLabel(t.machineTypes.probeCode, { exact: true }).fill('0'.repeat(19))
      await page.getByRole('button', { name: t.machineTypes.ask, exact: true }).click()
      await page.getByRole('status').getByText(t.machineTypes.by.type).waitFor()
    },
  ),
  {
    name: 'back-office-archive-brand',
    signedIn: 'operator',
    async arrive(view) {
      const t = texts[view.lang].brands
      const client = await clientOf(view)
      const { list } = await client.call(operator.listBrands, {})
      const platformName = { cn: '锻造云', en: 'Forge Cloud' }
      const [main] = list
      if (main && list.length === 1)
        await client.call(operator.createBrand, { ...main, platformName, hosts: ['cloud.forge.example'] })
      await openPart(view, 'brands')
      await view.page.getByRole('button', { name: t.archive }).first().click()
      await view.page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'back-office-facts-set-aside',
    signedIn: 'operator',
    async arrive(view) {
      const at = Date.UTC(2026, 0, 2, 3, 4, 5)
      const fact = { follower: 'notices.alarms', machineId: 12, userId: null, eid: null, at, tries: 5 }
      const list = [
        { ...fact, factId: 1, kind: 'alarm.raised', setAsideAt: at + 21_000, error: 'connect ECONNREFUSED' },
        {
          ...fact,
          factId: 2,
          kind: 'grant.given',
          userId: 4,
          setAsideAt: at + 60_000,
          error: 'no such template',
        },
      ]
      await view.page.route('**/api/operator/v1/facts/set-aside?*', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        body.hwdata = { ...body.hwdata, list, total: list.length }
        await route.fulfill({ response: answer, json: body })
      })
      await openPart(view, 'jobs')
      const retries = view.page.getByRole('button', { name: texts[view.lang].jobs.setAside.retry })
      await retries.last().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'back-office-refused',
    signedIn: true,
    async arrive({ page, lang }) {
      await page.goto('/backManage')
      await page.getByText(texts[lang].refused.hint).waitFor()
    },
  },
]
