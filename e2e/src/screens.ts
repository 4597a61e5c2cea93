import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser, Page } from 'playwright-core'
import { detailPane, machineEntry } from './devices.ts'
import { checkout, type Site, startSite } from './site.ts'
import { type Lang, texts } from './texts.ts'
import { type Look, openView, type Size, sizes, type Theme, type View } from './view.ts'

/* `npm run screens`: every screen × language × theme × width as a PNG; with `--readme` the two pictures of the README.
   `-- list detail-live` draws only those screens. */

const screensDir = join(checkout, '.busbar', 'screens')
const picturesDir = join(checkout, 'docs', 'pictures')
/** The simulator sends its machines' past first, one machine after the other. */
const demoReadyMs = 120_000

/** A screen, and how one gets there. */
interface Screen {
  readonly name: string
  readonly signedIn: boolean
  readonly sizes?: readonly Size[]
  arrive(view: View): Promise<void>
}

/** Whose details are drawn: the first of the demo's machines. */
const [first] = JSON.parse(await readFile(join(checkout, 'simulator', 'demo-machines.json'), 'utf8')) as [
  { name: Record<Lang, string> },
]
const opened = { name: first.name, machineId: 0 }

const screens: readonly Screen[] = [
  {
    name: 'login',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('heading', { name: t.login.title }).waitFor()
    },
  },
  {
    name: 'login-errors',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: t.login.submit, exact: true }).click()
      await page.getByText(t.login.errors.passwordMissing).waitFor()
    },
  },
  {
    name: 'login-timeout',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/loginTimeout?to=%2Findex%2F')
      await page.getByRole('heading', { name: t.app.ended.title }).waitFor()
    },
  },
  { name: 'list', signedIn: true, arrive: (view) => arriveAtList(view) },
  {
    name: 'list-empty-filter',
    signedIn: true,
    arrive: async (view) => {
      await view.page.goto('/index/?q=zzz')
      await view.page.getByText(view.t.machines.empty.noMatch).waitFor()
    },
  },
  {
    name: 'detail',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view)
      await pane.locator('canvas').first().waitFor()
    },
  },
  {
    name: 'detail-variables',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'variables')
      await pane.getByRole('row').nth(3).waitFor()
    },
  },
  {
    name: 'detail-bottom',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view)
      await pane.locator('canvas').first().waitFor()
      await pane.getByText(view.t.machines.facts.cloud, { exact: true }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'detail-alarm',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      const { page } = view
      // Trouble stands on top.
      await page.locator('[data-state]').first().click()
      await page.getByRole('tabpanel').locator('canvas').first().waitFor()
    },
  },
  {
    name: 'add',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      await openAddDialog(view)
    },
  },
  {
    name: 'add-errors',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      const dialog = await openAddDialog(view)
      const words = view.t.machines.addDialog
      await dialog.getByLabel(words.code).fill('3020 8829 5104 0806 71')
      await dialog.getByRole('button', { name: words.submit, exact: true }).click()
      await dialog.getByText(words.problems.nameEmpty).waitFor()
    },
  },
  {
    name: 'user-panel',
    signedIn: true,
    arrive: async (view) => {
      const { page, t, size } = view
      await arriveAtList(view)
      if (size === 'narrow')
        await page.getByRole('button', { name: t.app.menu.entries.me, exact: true }).click()
      else await page.getByRole('button', { name: t.app.header.user }).click()
      await page.getByRole('dialog', { name: t.app.user.title }).waitFor()
    },
  },
  {
    name: 'palette',
    signedIn: true,
    sizes: ['wide'],
    arrive: async (view) => {
      await arriveAtList(view)
      await view.page.keyboard.press('Control+k')
      await view.page.getByRole('combobox').waitFor()
    },
  },
  {
    name: 'safety',
    signedIn: true,
    arrive: async ({ page, t }) => {
      await page.goto('/safety')
      await page.getByText(t.safety.current, { exact: true }).waitFor()
    },
  },
]

async function arriveAtList({ page, t, size }: View): Promise<void> {
  await page.goto('/index/')
  await page.getByRole(size === 'wide' ? 'grid' : 'list', { name: t.machines.list.label }).waitFor()
  await page.locator('[data-state]').first().waitFor()
}

async function arriveAtDetail(view: View, tab = '') {
  await view.page.goto(`/index/?machine=${opened.machineId}${tab && `&tab=${tab}`}`)
  return detailPane(view, opened.name[view.lang])
}

async function openAddDialog({ page, t }: View) {
  await page.getByRole('button', { name: t.machines.add }).first().click()
  const dialog = page.getByRole('dialog', { name: t.machines.addDialog.title })
  await dialog.waitFor()
  return dialog
}

/** Fonts loaded, nothing on its way, no animation half done. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(400)
}

/** Signs a demo account in through the API and keeps its cookies for every later view. */
async function signIn(site: Site, browser: Browser, lang: Lang) {
  const { demo } = site
  if (!demo) throw new Error('the site has no demo')
  const context = await browser.newContext({ baseURL: site.url })
  const answer = await context.request.post('/api/user/login', {
    data: {
      loginName: lang === 'cn' ? demo.accountCn : demo.account,
      loginPwd: demo.password,
      terminalUUID: `screens-${lang}`,
      terminalName: 'Chrome 153 · Linux',
    },
  })
  const { hwcode } = (await answer.json()) as { hwcode: number }
  if (hwcode !== 0) throw new Error(`the demo account could not sign in: ${hwcode}`)
  const state = await context.storageState()
  await context.close()
  return state
}

type Cookies = Awaited<ReturnType<typeof signIn>>

/** Waits until the demo's machines are there and have sent their past. */
async function waitForDemo(site: Site, browser: Browser, cookies: Record<Lang, Cookies>): Promise<void> {
  const look: Look = { lang: 'en', theme: 'light', size: 'wide' }
  const view = await openView(browser, site, look, { storageState: cookies.en })
  view.context.setDefaultTimeout(demoReadyMs)
  await view.page.goto('/index/')
  const db = await site.openDatabase()
  const rows = db.selectFrom('machine_list_entries').select('machine_id').where('name', '=', opened.name.en)
  opened.machineId = (await rows.executeTakeFirstOrThrow()).machine_id
  await db.destroy()
  await machineEntry(view, opened.name.en).locator('[data-state]:not([data-state="offline"])').waitFor()
  const offline = view.page.getByRole('grid').locator('[data-state="offline"]')
  const deadlineAt = Date.now() + demoReadyMs
  // One of them may be away on purpose.
  while ((await offline.count()) > 1 && Date.now() < deadlineAt) await view.page.waitForTimeout(1_000)
  await view.context.close()
}

interface Stage {
  readonly site: Site
  readonly browser: Browser
  readonly cookies: Record<Lang, Cookies>
}

/** Goes to a screen once and draws it in each theme. */
async function draw(
  { site, browser, cookies }: Stage,
  screen: Screen,
  look: Omit<Look, 'theme'>,
  pathOf: Partial<Record<Theme, string>>,
): Promise<void> {
  const options = screen.signedIn ? { storageState: cookies[look.lang] } : {}
  const themes = Object.entries(pathOf) as [Theme, string][]
  const theme = themes[0]?.[0] ?? 'light'
  const view = await openView(browser, site, { ...look, theme }, { ...options, reducedMotion: 'reduce' })
  try {
    await screen.arrive(view)
    for (const [colorScheme, path] of themes) {
      await view.page.emulateMedia({ colorScheme })
      await settle(view.page)
      await view.page.screenshot({ path })
    }
    for (const complaint of view.complaints) console.log(`  ! ${complaint.split('\n')[0]}`)
  } finally {
    await view.context.close()
  }
}

function* everyLook(screen: Screen): Generator<Omit<Look, 'theme'>> {
  for (const size of screen.sizes ?? (Object.keys(sizes) as Size[]))
    for (const lang of Object.keys(texts) as Lang[]) yield { size, lang }
}

async function drawReadme(stage: Stage): Promise<void> {
  await mkdir(picturesDir, { recursive: true })
  const picture = async (name: string, lang: Lang, theme: Theme) => {
    const path = join(picturesDir, `${name}-${lang}-${theme}.png`)
    const screen = screens.find((candidate) => candidate.name === name) as Screen
    await draw(stage, screen, { size: 'wide', lang }, { [theme]: path })
    console.log(`  ${path}`)
  }
  await picture('list', 'en', 'light')
  await picture('detail', 'cn', 'dark')
}

async function drawScreens(stage: Stage, wanted: readonly string[]): Promise<void> {
  await mkdir(screensDir, { recursive: true })
  const jobs = screens
    .filter((screen) => wanted.length === 0 || wanted.includes(screen.name))
    .flatMap((screen) => [...everyLook(screen)].map((look) => ({ screen, look })))
  let failures = 0
  for (const [place, { screen, look }] of jobs.entries()) {
    const name = `${screen.name}-${sizes[look.size].width}-${look.lang}`
    const at = (theme: Theme) => join(screensDir, `${name}-${theme}.png`)
    const progress = `${String(place + 1).padStart(3)} of ${jobs.length}`
    try {
      await draw(stage, screen, look, { light: at('light'), dark: at('dark') })
      console.log(`  ${progress}  ${name}, light and dark`)
    } catch (error) {
      failures++
      console.log(`  ${progress}  ${name} FAILED: ${error instanceof Error ? error.message : error}`)
    }
  }
  console.log(`\n${(jobs.length - failures) * 2} pictures in ${screensDir}, ${failures} screens failed`)
  if (failures) process.exitCode = 1
}

async function run(args: readonly string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const unknown = wanted.filter((name) => !screens.some((screen) => screen.name === name))
  if (unknown.length) throw new Error(`No such screen: ${unknown.join(', ')}`)
  console.log('  starting the demo')
  const site = await startSite({ demo: true })
  let browser: Browser | undefined
  try {
    browser = await launchBrowser()
    const cookies = { cn: await signIn(site, browser, 'cn'), en: await signIn(site, browser, 'en') }
    console.log('  waiting for its machines')
    await waitForDemo(site, browser, cookies)
    const stage = { site, browser, cookies }
    if (args.includes('--readme')) await drawReadme(stage)
    else await drawScreens(stage, wanted)
  } finally {
    await browser?.close()
    await site.stop()
  }
}

await run(process.argv.slice(2))
