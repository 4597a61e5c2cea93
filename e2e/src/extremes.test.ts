import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { untilStill } from '@busbar/testkit/still.ts'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { detailPane, machineEntry, openMachine, showVariables } from './devices.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()
let person: TestUser
let machineId: number

/**
 * Twenty of the widest letter, twenty Chinese characters, a text from right to left, and an emoji joined from
 * several.
 */
const names = [
  'WWWWWWWWWWWWWWWWWWWW',
  '一二三四五六七八九十甲乙丙丁戊己庚辛壬癸',
  'مكبس هيدروليكي رقم ٣',
  '👩🏽‍🔧🏭🔥 Øßçñ <b>',
] as const
const [widest] = names
const tags = 200
const alarms = 1_000
/** The number of alarms that the platform lists. */
const alarmsListed = 200

beforeAll(async () => {
  person = await createUser(db, { name: 'Wilhelmina Württemberg' })
  for (const name of names) await createMachine(db, { name, owner: person.userId })
  const row = db.selectFrom('machines').select('id').where('name', '=', widest)
  machineId = (await row.executeTakeFirstOrThrow()).id
  const guest = await createUser(db, { name: 'Maximiliane' })
  await grantMachine(db, guest.userId, machineId, {
    role: 'visitor',
    until: new Date(Date.now() + 3_600_000),
  })
  await sql`
    with made as (
      insert into tags (machine_id, group_name, name, type, label, unit, scale, is_key)
      select ${machineId}, 'Group ' || n % 7, 'tag' || n, 'float64',
             json_build_object('cn', '变量' || n, 'en', 'Variable number ' || n || ' of the machine'), 'm³/h', 2, n = 1
      from generate_series(1, ${tags}::int) n
      returning id
    )
    insert into tag_latest (tag_id, at, received_at, quality, num) select id, now(), now(), 0, -1234567.89 from made`.execute(
    db,
  )
  await sql`
    insert into alarms (machine_id, key, level, text, raised_at, received_at)
    select ${machineId}, 'E' || n, 'major', '{"cn": "报警", "en": "Alarm"}', now(), now()
    from generate_series(1, ${alarms}::int) n`.execute(db)
})

/* The text spacing that people may set (WCAG 1.4.12). */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }'

// A text, because this project does not know the browser's types. Scrolling elements, and those only for
// screen readers, may be wider than they are drawn.
const overflowScript = `(() => {
  const wide = document.documentElement.scrollWidth - innerWidth
  const out = [...document.querySelectorAll('button, a, input, h1, h2, h3, label')].filter((one) => {
    const box = one.getBoundingClientRect()
    if (box.width === 0 || one.closest('.sr-only, [inert]') || getComputedStyle(one).position === 'fixed') return false
    for (let up = one.parentElement; up; up = up.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return false
    return box.right > innerWidth + 1 || box.left < -1
  })
  return [...(wide > 0 ? ['the page is ' + wide + ' px too wide'] : []), ...out.map((one) => one.tagName + ' ' + one.textContent.slice(0, 40) + ' ' + JSON.stringify(one.getBoundingClientRect()))]
})()`

async function overflow(page: Page): Promise<string[]> {
  await untilStill(page)
  return page.evaluate<string[]>(overflowScript)
}

type WideLook = Look & { readonly width: number }
const narrow: WideLook = { lang: 'en', theme: 'light', size: 'narrow', width: 320 }
const wide: WideLook = { lang: 'cn', theme: 'dark', size: 'wide', width: 1024 }

const visit = ({ width, ...look }: WideLook, work: (view: View) => Promise<void>) =>
  withView(
    browser,
    site,
    look,
    async (view) => {
      await signInDirectly(view, site, db, person)
      await view.page.goto('/index/')
      for (const name of names) await machineEntry(view, name).waitFor()
      await work(view)
      expect(view.complaints).toEqual([])
    },
    { viewport: { width, height: 640 } },
  )

it.each([narrow, wide])(
  'long names fit on every screen, with more room between letters too, $width px',
  (look) =>
    visit(look, async (view) => {
      const { page, t } = view
      const check = async () => {
        expect(await overflow(page)).toEqual([])
        const style = await page.addStyleTag({ content: spacing }).catch(() => undefined)
        expect(await overflow(page)).toEqual([])
        await style?.evaluate('(one) => one.remove()')
      }
      await check()
      await page.getByRole('button', { name: t.machines.add }).first().click()
      await page.getByRole('dialog').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await openMachine(view, widest)
      await check()
      await detailPane(view, widest)
        .getByRole('button', { name: t.machineEdit.menu.label(widest) })
        .click()
      const menu = await page.getByRole('menu').boundingBox()
      expect(menu).toSatisfy(({ x, width: across }) => x >= 0 && x + across <= look.width)
      await page.goto('/safety')
      await page.getByText(t.safety.current, { exact: true }).waitFor()
      await check()
      for (const tab of ['now', 'visitors', 'settings']) {
        await page.goto(`/administrateCenter?machineId=${machineId}&tab=${tab}`)
        await page.locator('main').locator('li, form, [role="gridcell"]').first().waitFor()
        await check()
      }
    }),
)

it('much of everything stays quick to go through: few of many variables and alarms are drawn', () =>
  visit(narrow, async (view) => {
    const pane = await openMachine(view, widest)
    const { alarms: words, variables } = view.t.machines
    await pane.getByRole('button', { name: words.more(alarmsListed - 5) }).click()
    await pane.getByRole('button', { name: words.more(alarmsListed - 55) }).waitFor()
    await showVariables(view, pane)
    expect(await pane.getByRole('row').count()).toBeLessThan(60)
    await pane.getByRole('searchbox', { name: variables.search }).fill('tag137')
    await detailPane(view, widest).getByText('tag137').waitFor()
    await pane.getByText(variables.count(1)).waitFor()
  }))
