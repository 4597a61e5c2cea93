import type { telemetry } from '@busbar/contract'
import { createMachine, type TestMachine, type TestUser } from '@busbar/testkit'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { rawMessages } from '../../console/src/shared/i18n/cn/raw-messages.ts'
import { dragOver, xOf, yOf } from './chart-place.ts'
import { detailPane } from './devices.ts'
import { readDownload } from './downloads.ts'
import { sendSamples } from './ingest.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

/** The promise is a second; a busy machine gets ten before the test fails. */
const deadlineMs = 10_000
const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const { site, browser, db } = await shareSite()

/** Two hours that end an hour ago, on a whole second. */
const to = Math.floor((Date.now() - hourMs) / secondMs) * secondMs
const from = to - 2 * hourMs
const stepMs = 2 * secondMs
/** One reading among thousands, which an average must not hide. */
const spike = { at: from + 90 * minuteMs, value: 512.25 }
const gap = { from: from + 30 * minuteMs, to: from + 42 * minuteMs }
const lost = { from: from + 60 * minuteMs + 1, to: from + 66 * minuteMs - 1, samples: 12_400 }

const valueAt = (at: number) => (at === spike.at ? spike.value : 20 + (((at - from) / stepMs) % 100) / 4)
const timesOf = (begin: number, end: number) =>
  Array.from({ length: (end - begin) / stepMs }, (_, place) => begin + place * stepMs)
const isKnown = (at: number) => (at < gap.from || at >= gap.to) && (at < lost.from || at > lost.to)

interface Scene {
  readonly person: TestUser
  readonly machine: TestMachine
  readonly tagId: number
  readonly stateId: number
}

/** A person's machine with a past that is known to the digit. */
async function startScene(view: View): Promise<Scene> {
  const person = await signInDirectly(view, site, db)
  const machine = await createMachine(db, { name: 'Oven 4', owner: person.userId })
  const readings = timesOf(from, to).filter(isKnown)
  await sendSamples(
    site,
    machine,
    readings.map((ts) => ({
      ts,
      values: { temp: valueAt(ts), ...((ts - from) % (5 * minuteMs) === 0 ? { recipe: 'Baguette' } : {}) },
    })),
  )
  const connected = (begin: number, end: number) => ({
    machine_id: machine.machineId,
    protocol: 'tcp/json',
    address: '10.0.0.4',
    started_at: new Date(begin),
    last_seen_at: new Date(end),
    ended_at: new Date(end),
  })
  await db
    .insertInto('machine_connections')
    .values([connected(from - hourMs, gap.from), connected(gap.to, Date.now())])
    .execute()
  await db
    .insertInto('lost_spans')
    .values({
      machine_id: machine.machineId,
      from_at: new Date(lost.from),
      to_at: new Date(lost.to),
      samples: lost.samples,
    })
    .execute()
  const tags = await db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('machine_id', '=', machine.machineId)
    .execute()
  const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id ?? 0
  return { person, machine, tagId: idOf('temp'), stateId: idOf('recipe') }
}

const explorer = ({ page }: View): Locator => page.getByRole('application')

async function openHistory(view: View, { machine, tagId, stateId }: Scene): Promise<Locator> {
  const { page } = view
  await page.goto(
    `/index/?machine=${machine.machineId}&tab=history&tags=${tagId},${stateId}&from=${from}&until=${to}&large=true`,
  )
  await explorer(view).locator('canvas').waitFor({ timeout: deadlineMs })
  return explorer(view)
}

/** Shows the times in the address. */
function shownRange({ page }: View): { from: number; to: number } {
  const search = new URL(page.url()).searchParams
  return { from: Number(search.get('from')), to: Number(search.get('until')) }
}

/** The colour that a column of the chart has most of: its ground. */
function groundAt({ page }: View, x: number): Promise<string> {
  return page.evaluate<string>(`(${mostColour})(document.querySelector('[role="application"] canvas'), ${x})`)
}

// A text, because these tests do not know DOM types.
const mostColour = `(canvas, pageX) => {
  const box = canvas.getBoundingClientRect()
  const ratio = canvas.width / box.width
  const top = 60 * ratio
  const { data } = canvas.getContext('2d').getImageData((pageX - box.left) * ratio, top, 3, canvas.height - 2 * top)
  const counts = new Map()
  for (let place = 0; place < data.length; place += 4) {
    const colour = data.slice(place, place + 4).join()
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0][0]
}`

const desk: Look = { lang: 'en', size: 'wide', theme: 'light' }

it('a chart goes from averages to every sample, shows missing data and the reason, and fills when it arrives', () =>
  withView(
    browser,
    site,
    desk,
    async (view) => {
      const scene = await startScene(view)
      const { page, t } = view
      const chart = await openHistory(view, scene)
      const legend = (name: string) => chart.getByRole('listitem').filter({ hasText: name })

      // Far away: averages, and the one reading that stands out is in their band.
      await page
        .getByText(`temp: ${t.history.kinds.buckets('10 s').toLowerCase()}`, { exact: false })
        .waitFor()
      await legend('temp').getByText('20 – 512.25').waitFor()
      await page.getByText(t.history.lostNote('12,400')).waitFor()

      // Unknown time is hatched, with the reason.
      const whole = { from, to }
      const y = await yOf(chart)
      const middle = (gap.from + gap.to) / 2
      await page.mouse.move(await xOf(chart, middle, whole), y)
      await chart.getByText(t.history.gaps.offline).waitFor()
      expect(await legend('temp').textContent()).toContain('—')
      await page.mouse.move(await xOf(chart, (lost.from + lost.to) / 2, whole), y)
      await chart.getByText(t.history.gaps.lost('12,400')).waitFor()
      await page.mouse.move(0, 0)
      const groundOf = async (at: number) => groundAt(view, await xOf(chart, at, whole))
      const bare = await groundOf(from + 10 * minuteMs)
      expect(await groundOf(middle)).not.toBe(bare)
      expect(await groundOf((lost.from + lost.to) / 2)).not.toBe(bare)

      // Near: a drag over ten minutes brings every sample.
      await dragOver(chart, { from: spike.at - 5 * minuteMs, to: spike.at + 5 * minuteMs }, whole)
      await page.getByText(t.history.kinds.raw, { exact: true }).waitFor({ timeout: deadlineMs })
      const near = shownRange(view)
      expect(Math.abs(near.to - near.from - 10 * minuteMs)).toBeLessThan(minuteMs)

      // By the keyboard: the cursor goes from sample to sample and reads them out.
      await page.mouse.move(0, 0)
      // The pointer's cursor is gone: the first step begins at the left edge.
      await chart.getByText(/:\d\d\.\d{3}$/).waitFor({ state: 'hidden' })
      await chart.focus()
      await page.keyboard.press('Shift+ArrowRight')
      const seen = timesOf(from, to).filter((at) => at >= near.from && at < near.to)
      const [first = 0, second = 0] = seen
      const spoken = chart.locator('[aria-live]')
      await spoken.filter({ hasText: `temp ${valueAt(first)}` }).waitFor()
      await page.keyboard.press('Shift+ArrowRight')
      await spoken.filter({ hasText: `temp ${valueAt(second)}` }).waitFor()
      expect(await spoken.textContent()).toMatch(/:\d\d\.000/)
      await page.keyboard.press('Escape')

      // The export contains the visible span, with the platform's values.
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: t.history.csv }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^Oven 4 .*\.csv$/)
      const csv = await readDownload(download)
      const told = await askHistory(view, scene.tagId, near)
      const [header, ...lines] = csv.trimEnd().split('\r\n')
      expect(header).toBe('\uFEFFTime (Asia/Shanghai),temp,recipe')
      const temps = lines.map((line) => line.split(',')).filter((cells) => cells[1] !== '')
      expect(temps.map(([time, temp]) => [Date.parse(time ?? ''), Number(temp)])).toEqual(
        told.map(([at, value]) => [at, value]),
      )
      expect(told.map(([at]) => at)).toEqual(seen)

      // Zoomed by keys, back by the browser, and the same again after a reload.
      await chart.focus()
      await page.keyboard.press('-')
      await expect.poll(() => shownRange(view).to - shownRange(view).from).toBeGreaterThan(13 * minuteMs)
      await page.goBack()
      await expect.poll(() => shownRange(view)).toEqual(whole)
      await page.reload()
      await chart.locator('canvas').waitFor()

      // The machine sends what it kept: the hole closes without a reload.
      await page.evaluate('globalThis.neverReloaded = true')
      await page.mouse.move(await xOf(chart, middle, whole), await yOf(chart))
      await chart.getByText(t.history.gaps.offline).waitFor()
      await sendSamples(
        site,
        scene.machine,
        timesOf(gap.from, gap.to).map((ts) => ({ ts, values: { temp: valueAt(ts), recipe: 'Brioche' } })),
      )
      await chart.getByText(t.history.gaps.offline).waitFor({ state: 'hidden', timeout: deadlineMs })
      await page.mouse.move(0, 0)
      expect(await groundOf(middle)).toBe(bare)
      expect(await page.evaluate('globalThis.neverReloaded')).toBe(true)

      // As a table, for those who cannot see a chart.
      await page.getByRole('button', { name: t.history.showTable }).click()
      const rows = page.getByRole('table').getByRole('row')
      await page.getByRole('button', { name: t.history.table.more(200) }).click()
      await rows.filter({ hasText: t.history.gaps.lost('12,400') }).waitFor()
      await rows.filter({ hasText: 'Baguette' }).first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: t.history.large }).waitFor()
      expect(view.complaints).toEqual([])
    },
    { reducedMotion: 'reduce', acceptDownloads: true },
  ))

it('an address is completed once, the range goes by the clock of the device, and a loss of the right is said', () =>
  withView(browser, site, desk, async (view) => {
    const scene = await startScene(view)
    const { page, t } = view
    const { machineId } = scene.machine
    await db
      .updateTable('machines')
      .set({ time_zone: 'America/New_York' })
      .where('id', '=', machineId)
      .execute()
    await page.goto(`/index/?machine=${machineId}&tab=history&last=86400000&large=true`)
    await explorer(view).locator('canvas').waitFor({ timeout: deadlineMs })
    await page.waitForURL((url) => url.searchParams.has('tags') && url.searchParams.has('last'))

    const chart = await openHistory(view, scene)
    await page.locator(`[data-tip="${t.history.custom.title}"]`).click()
    const form = page.getByRole('dialog', { name: t.history.custom.title })
    await form.getByRole('button', { name: 'Calendar' }).click()
    await page.getByRole('radio', { name: t.history.custom.zones.machine }).click()
    await page.getByText('America/New_York', { exact: false }).waitFor()
    expect(view.complaints).toEqual([])

    await page.reload()
    await chart.locator('canvas').waitFor()
    const refuse = (status: number) =>
      page.route('**/api/v1/data/history**', (route) =>
        route.fulfill({
          status,
          json: { hwcode: status, hwreason: 'NO', error: { code: String(status), message: '' } },
        }),
      )
    await refuse(500)
    await chart.focus()
    await page.keyboard.press('PageUp')
    await page.getByText(t.history.failed).waitFor()
    await page.unroute('**/api/v1/data/history**')
    await page.getByRole('tabpanel').getByRole('button', { name: t.machines.failed.retry }).click()
    await chart.locator('canvas').waitFor()
    await refuse(403)
    await chart.focus()
    await page.keyboard.press('PageUp')
    await page.getByText(t.history.noRight).waitFor()
  }))

/** Every sample as the platform returns it. */
async function askHistory(
  { context }: View,
  tagId: number,
  range: { from: number; to: number },
): Promise<telemetry.HistoryPoint[]> {
  const answer = await context.request.get(`${site.url}/api/v1/data/history`, {
    params: { tagIds: tagId, agg: 'raw', from: range.from, to: range.to },
  })
  const { hwdata } = (await answer.json()) as { hwdata: { series: { points: telemetry.HistoryPoint[] }[] } }
  return hwdata.series[0]?.points ?? []
}

it('the data and attributes of a machine are read, and understood otherwise where a key says so', () =>
  withView(
    browser,
    site,
    { lang: 'cn', size: 'narrow', theme: 'dark' },
    async (view) => {
      const { machine } = await startScene(view)
      const { page, t } = view
      const pane = detailPane(view, 'Oven 4')
      await page.goto(`/index/?machine=${machine.machineId}&tab=raw`)
      await pane
        .getByText(rawMessages.title)
        .or(pane.getByText(rawMessages.hint))
        .or(pane.getByText(rawMessages.empty))
        .first()
        .waitFor()
      await page.goto(`/index/?machine=${machine.machineId}&tab=history`)
      await explorer(view).waitFor()
      await page.goto(`/index/?machine=${machine.machineId}&tab=network`)
      await pane.getByText(t.facts.understanding).waitFor()

      await pane.getByRole('button', { name: t.facts.adapter }).click()
      await page.getByRole('option', { name: t.raw.adapters.vendor }).click()
      await page.getByText(t.facts.saved).first().waitFor()
      await pane.getByRole('button', { name: t.facts.timeZone }).click()
      await page.getByRole('combobox', { name: t.app.zone.search }).fill('berlin')
      await page.keyboard.press('Enter')
      await expect
        .poll(() =>
          db
            .selectFrom('machines')
            .select(['adapter', 'time_zone'])
            .where('id', '=', machine.machineId)
            .executeTakeFirst(),
        )
        .toEqual({ adapter: 'vendor', time_zone: 'Europe/Berlin' })
      expect(view.complaints).toEqual([])
    },
    { reducedMotion: 'reduce' },
  ))
