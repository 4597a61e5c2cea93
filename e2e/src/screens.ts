import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readLogSince } from '@busbar/platform/modules/telemetry/store/sample-log.ts'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import { untilStill } from '@busbar/testkit/still.ts'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { prepareBackOffice } from './back-office-screens.ts'
import { opened } from './console-screens.ts'
import { machineEntry } from './devices.ts'
import { everyScreen } from './every-screen.ts'
import type { Screen } from './screen.ts'
import { createSims } from './sims.ts'
import { type Account, checkout, type Site, startSite } from './site.ts'
import { type Lang, texts } from './texts.ts'
import { type Look, openView, type Size, sizes, type Theme } from './view.ts'
import { startVisitScene, type VisitScene } from './visit-scene.ts'

/* `npm run screens`: every screen × language × theme × width as a PNG; with `--readme` the pictures of the README.
   `-- list detail` draws only those screens, `--lang=cn` and `--size=narrow` only those looks, `--width=320,768` at these
   widths instead of the size's own, `--to=FOLDER` elsewhere. */

const usualDir = join(checkout, '.busbar', 'screens')
const picturesDir = join(checkout, 'docs', 'pictures')
/** The simulator sends its machines' past first, one machine after the other. */
const demoReadyMs = 120_000

/** Fonts loaded, requests done, animations ended. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(400)
  await untilStill(page)
}

/** Signs an account in through the API and keeps its cookies for every later view. */
async function signIn(site: Site, browser: Browser, lang: Lang, { account, password }: Account) {
  const context = await browser.newContext({ baseURL: site.url })
  const answer = await context.request.post('/api/user/login', {
    data: {
      loginName: account,
      loginPwd: password,
      terminalUUID: `screens-${lang}`,
      terminalName: 'Chrome 153 · Linux',
    },
  })
  const { hwcode } = (await answer.json()) as { hwcode: number }
  if (hwcode !== 0) throw new Error(`${account} could not sign in: ${hwcode}`)
  const state = await context.storageState()
  await context.close()
  return state
}

type Cookies = Awaited<ReturnType<typeof signIn>>

/** Signs in the person of each language. */
async function signInBoth(site: Site, browser: Browser, accounts: Record<Lang, Account>) {
  return {
    cn: await signIn(site, browser, 'cn', accounts.cn),
    en: await signIn(site, browser, 'en', accounts.en),
  }
}

/** Waits until the demo's machines are online and have sent their past. */
async function waitForDemo(site: Site, browser: Browser, cookies: Record<Lang, Cookies>): Promise<void> {
  const look: Look = { lang: 'en', theme: 'light', size: 'wide' }
  const view = await openView(browser, site, look, { storageState: cookies.en })
  view.context.setDefaultTimeout(demoReadyMs)
  await view.page.goto('/index/')
  const db = await site.openDatabase()
  const idOf = async (name: string) => {
    const rows = db.selectFrom('machine_list_entries').select('machine_id').where('name', '=', name)
    return (await rows.executeTakeFirstOrThrow()).machine_id
  }
  opened.machineIds = { cn: await idOf(opened.name.cn), en: await idOf(opened.name.en) }
  for (const [lang, machineId] of Object.entries(opened.machineIds) as [Lang, number][]) {
    const { rows } = await sql<{ id: number }>`
      select id from machines where id <> ${machineId} and owner_user_id =
        (select owner_user_id from machines where id = ${machineId}) order by id`.execute(db)
    await createSims(db, lang, [machineId, ...rows.map(({ id }) => id)])
  }
  const withoutPast = async () => {
    const pastFrom = Date.now() - 30 * 60_000
    const tagIds = new Set<number>()
    const sink = {
      add: (tagId: number, _type: unknown, at: number) => void (at < pastFrom && tagIds.add(tagId)),
    }
    // The log keeps samples for two hours.
    await readLogSince(db, 0, sink, { error: console.error })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from machine_list_entries entry where not exists (
        select from tags where tags.machine_id = entry.machine_id and id = any(${[...tagIds]}::bigint[]))`.execute(
      db,
    )
    return rows[0]?.count ?? 0
  }
  await machineEntry(view, opened.name.en).locator('[data-state]:not([data-state="offline"])').waitFor()
  const offline = view.page.getByRole('grid').locator('[data-state="offline"]')
  const deadlineAt = Date.now() + demoReadyMs
  // One of each account may be away on purpose.
  while (((await offline.count()) > 1 || (await withoutPast()) > 2) && Date.now() < deadlineAt)
    await view.page.waitForTimeout(1_000)
  await db.destroy()
  await view.context.close()
}

interface Studio {
  readonly site: Site
  readonly browser: Browser
  readonly cookies: Record<Lang, Cookies>
  readonly operators: Record<Lang, Cookies>
  readonly scene: VisitScene | undefined
}

interface Picture {
  readonly theme: Theme
  /** Undefined: the width that the screen was opened in. */
  readonly width?: number
  readonly path: string
}

/** Goes to a screen once and draws its pictures one after the other. */
async function draw(
  { site, browser, cookies, operators, scene }: Studio,
  screen: Screen,
  look: Omit<Look, 'theme'>,
  pictures: readonly Picture[],
): Promise<void> {
  const options = {
    ...(screen.signedIn
      ? { storageState: (screen.signedIn === 'operator' ? operators : cookies)[look.lang] }
      : {}),
    ...(screen.viewport ? { viewport: screen.viewport } : {}),
  }
  const theme = pictures[0]?.theme ?? 'light'
  const view = await openView(browser, site, { ...look, theme }, options)
  try {
    await screen.arrive(view, scene)
    // The last opened of several tabs.
    const page = view.context.pages().at(-1) ?? view.page
    for (const { theme: colorScheme, width, path } of pictures) {
      if (width !== undefined) await page.setViewportSize({ width, height: sizes[look.size].height })
      await page.emulateMedia({ colorScheme })
      await settle(page)
      await page.screenshot({ path })
    }
    for (const complaint of view.complaints) console.log(`  ! ${complaint.split('\n')[0]}`)
  } finally {
    await view.context.close()
    await scene?.rest()
  }
}

function* everyLook(screen: Screen): Generator<Omit<Look, 'theme'>> {
  for (const size of screen.sizes ?? (Object.keys(sizes) as Size[]))
    for (const lang of Object.keys(texts) as Lang[]) yield { size, lang }
}

interface ReadmePicture {
  readonly name: string
  /** The file's name, if it differs from the screen's. */
  readonly file?: string
  readonly lang: Lang
  readonly theme: Theme
}

/** The README's pictures: of the demo alone, and of what the scene adds to it. */
const readmePictures: { readonly demo: readonly ReadmePicture[]; readonly scene: readonly ReadmePicture[] } =
  {
    demo: [
      { name: 'list', lang: 'en', theme: 'light' },
      { name: 'detail', lang: 'cn', theme: 'dark' },
    ],
    scene: [
      { name: 'page', lang: 'en', theme: 'light' },
      { name: 'keys-visitors', lang: 'en', theme: 'light' },
      { name: 'enterprise-devices', file: 'enterprise', lang: 'en', theme: 'light' },
      { name: 'back-office-overview', file: 'back-office', lang: 'en', theme: 'light' },
    ],
  }

async function drawReadme(studio: Studio, pictures: readonly ReadmePicture[]): Promise<void> {
  await mkdir(picturesDir, { recursive: true })
  for (const { name, file = name, lang, theme } of pictures) {
    const path = join(picturesDir, `${file}-${lang}-${theme}.png`)
    const screen = everyScreen.find((candidate) => candidate.name === name)
    if (!screen) throw new Error(`No such screen: ${name}`)
    await draw(studio, screen, { size: 'wide', lang }, [{ theme, path }])
    console.log(`  ${path}`)
  }
}

/** The value of `--name=value`. */
function optionOf(args: readonly string[], name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
}

async function drawScreens(studio: Studio, args: readonly string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const to = optionOf(args, 'to')
  const [lang, size] = [optionOf(args, 'lang'), optionOf(args, 'size')]
  const widths = optionOf(args, 'width')?.split(',').map(Number)
  const screensDir = to ? resolve(to) : usualDir
  await mkdir(screensDir, { recursive: true })
  const jobs = everyScreen
    .filter((screen) => wanted.length === 0 || wanted.includes(screen.name))
    .flatMap((screen) => [...everyLook(screen)].map((look) => ({ screen, look })))
    .filter(({ look }) => (!lang || look.lang === lang) && (!size || look.size === size))
  let failures = 0
  let drawn = 0
  for (const [place, { screen, look }] of jobs.entries()) {
    const own = (screen.viewport ?? sizes[look.size]).width
    const name = `${screen.name}-${(widths ?? [own]).join(',')}-${look.lang}`
    const pictures = (widths ?? [own]).flatMap((width) =>
      (['light', 'dark'] as const).map((theme) => ({
        theme,
        ...(widths ? { width } : {}),
        path: join(screensDir, `${screen.name}-${width}-${look.lang}-${theme}.png`),
      })),
    )
    const progress = `${String(place + 1).padStart(3)} of ${jobs.length}`
    try {
      await draw(studio, screen, look, pictures)
      drawn += pictures.length
      console.log(`  ${progress}  ${name}, light and dark`)
    } catch (error) {
      failures++
      console.log(`  ${progress}  ${name} FAILED: ${error instanceof Error ? error.message : error}`)
    }
  }
  console.log(`\n${drawn} pictures in ${screensDir}, ${failures} screens failed`)
  if (failures) process.exitCode = 1
}

async function run(args: readonly string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const unknown = wanted.filter((name) => !everyScreen.some((screen) => screen.name === name))
  if (unknown.length) throw new Error(`No such screen: ${unknown.join(', ')}`)
  console.log('  starting the demo')
  const site = await startSite({ demo: true })
  let browser: Browser | undefined
  let scene: VisitScene | undefined
  try {
    browser = await launchBrowser()
    const { demo } = site
    if (!demo) throw new Error('the site has no demo')
    const cookies = await signInBoth(site, browser, {
      cn: { account: demo.accountCn, password: demo.password },
      en: { account: demo.account, password: demo.password },
    })
    const operators = await signInBoth(site, browser, await prepareBackOffice(site))
    console.log('  waiting for its machines')
    await waitForDemo(site, browser, cookies)
    const isReadme = args.includes('--readme')
    if (isReadme)
      await drawReadme({ site, browser, cookies, operators, scene: undefined }, readmePictures.demo)
    scene = await startVisitScene(site, cookies)
    const studio = { site, browser, cookies, operators, scene }
    if (isReadme) await drawReadme(studio, readmePictures.scene)
    else await drawScreens(studio, args)
  } finally {
    await browser?.close()
    await scene?.close()
    await site.stop()
  }
}

await run(process.argv.slice(2))
