import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '@busbar/agent/agent.ts'
import { systemClock } from '@busbar/agent/clock.ts'
import { loadConfig } from '@busbar/agent/config/load-config.ts'
import type { AnswerOf, downloads } from '@busbar/contract'
import { createUser } from '@busbar/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { rawMessages } from '../../console/src/shared/i18n/cn/raw-messages.ts'
import { driverTexts } from './agent-config-screens.ts'
import { connectTexts } from './connect-screens.ts'
import { downloadTexts } from './downloads-screens.ts'
import { sendSamples } from './ingest.ts'
import { runProgram } from './program.ts'
import { shareSite } from './shared-site.ts'
import { checkout } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }

/** Registers a controller as a person does. */
async function register({ page, lang, t }: View, kind: 'agent' | 'http', name: string): Promise<void> {
  const { form, kinds } = connectTexts[lang]
  await page.goto('/index/')
  await page.getByRole('button', { name: t.machines.connect }).first().click()
  await page.getByRole('textbox', { name: form.name }).fill(name)
  await page.getByRole('radio', { name: kinds[kind].name }).check()
  await page.getByRole('button', { name: form.submit }).click()
}

/** Sets an agent up by a link, as the script behind it does once the program is on the computer. */
async function setUpAgent(setupUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-connect-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const main = join(checkout, 'agent/src/main.ts')
  await runProgram([main, 'setup', setupUrl, '--folder', folder, '--networks', '127.0.0.0/8', '--no-start'])
  const agent = await startAgent(await loadConfig(join(folder, 'agent.yaml')), {
    clock: systemClock,
    log: () => undefined,
    random: Math.random,
  })
  onTestFinished(() => agent.stop())
}

it('a person registers a PLC, runs the line that the page shows, and goes on to its drivers', async () => {
  const person = await createUser(db, { name: 'Ming Li' })
  await withView(browser, site, desk, async (view) => {
    const { page } = view
    const t = connectTexts.en
    await signInDirectly(view, site, db, person)
    await register(view, 'agent', 'Filling line')
    const line = await page.locator('code').textContent()
    const [, setupUrl = ''] = /^curl -fsS '(.+)' \| sudo sh$/.exec(line ?? '') ?? []
    const script = await (await fetch(setupUrl)).text()
    expect(script).toContain(`busbar-agent setup '${setupUrl}'`)
    await page.getByText(t.arrival.waiting).waitFor()

    await setUpAgent(setupUrl)
    await page.getByText(t.arrival.connected, { exact: true }).waitFor()
    await page.getByRole('button', { name: t.arrival.drivers }).click()
    await page.getByText(driverTexts.en.connections.none, { exact: true }).waitFor()
    expect(view.complaints).toEqual([])
  })
}, 120_000)

it('a reload forgets the line, and the page makes another one', async () => {
  const person = await createUser(db, { name: 'Ming Li' })
  await withView(browser, site, desk, async (view) => {
    const { page } = view
    const t = connectTexts.en.agent
    await signInDirectly(view, site, db, person)
    await register(view, 'agent', 'Press')
    const before = await page.locator('code').textContent()
    await page.reload()
    await page.getByText(t.hidden).waitFor()
    expect(await page.locator('code').count()).toBe(0)
    await page.getByRole('button', { name: t.again }).click()
    await page.locator('code').waitFor()
    expect(await page.locator('code').textContent()).not.toBe(before)
  })
})

it('the first message by HTTP shows with what the platform understood', async () => {
  const person = await createUser(db, { name: '李明', lang: 'cn' })
  await withView(browser, site, phone, async (view) => {
    const { page } = view
    const t = connectTexts.cn
    await signInDirectly(view, site, db, person)
    await register(view, 'http', '空压机')
    await page.getByText(t.arrival.waiting).waitFor()
    const [url, code = '', secret = ''] = await page.locator('dd code').allTextContents()
    expect(url).toContain('/api/v1/ingest')
    await sendSamples(site, { code, secret }, [{ ts: Date.now(), values: { temperature: 21.5 } }])
    await page.getByText(t.arrival.connectedValues).waitFor()
    await page.getByText(rawMessages.verdicts.stored).first().waitFor()
    expect(view.complaints).toEqual([])
  })
})

it('the page of downloads lists the programs that the platform has', async () => {
  await withView(browser, site, desk, async ({ page, complaints }) => {
    await page.goto('/login')
    await page.getByRole('link', { name: downloadTexts.en.title }).click()
    await page.getByRole('heading', { name: downloadTexts.en.title, exact: true }).waitFor()
    const { hwdata } = (await (await fetch(`${site.url}/api/v1/downloads`)).json()) as {
      hwdata: AnswerOf<typeof downloads.listDownloads>
    }
    if (hwdata.state === 'missing') await page.getByText(downloadTexts.en.missing.title).waitFor()
    for (const { sha256 } of hwdata.files) await page.getByText(sha256).waitFor()
    expect(complaints).toEqual([])
  })
})
