import type { PageEvents, PageView, ValueView, VisitView } from '../../page-api.ts'
import { createAlarmsPart, createStripPart } from './alarms-part.ts'
import { button, byId, el, refill } from './dom.ts'
import { applyPreferences, createHeadPart, watchPreferences } from './head.ts'
import type { LineListener } from './line.ts'
import { openLine } from './line.ts'
import type { Model, Part } from './model.ts'
import { agentNow, takeKept } from './model.ts'
import { createSetpointsPart } from './setpoints-part.ts'
import { closeSheet } from './sheet.ts'
import type { Tabs } from './tabs.ts'
import { createTabs } from './tabs.ts'
import { switchLanguage, texts } from './texts.ts'
import { createTrendPart } from './trend-part.ts'
import { createValuesPart } from './values-part.ts'
import { openVisitLine, type VisitLine } from './visit-line.ts'
import { createVisitPart } from './visit-part.ts'

interface Screen {
  parts: Part[]
  /** Of those, what moves although nothing arrives: how long an alarm lasts, the right edge of the trend. */
  timed: Part[]
  tabs: Tabs
  trend: ReturnType<typeof createTrendPart>
  setpoints: ReturnType<typeof createSetpointsPart>
}

const tickMs = 1_000

let model: Model | null = null
let visitLine: VisitLine | null = null
let screen: Screen | null = null
let shownTrend: number | null = null
/** The configuration the screen was built for. */
let builtFor = ''

function build(ready: Model): void {
  closeSheet()
  applyPreferences()
  byId('app').hidden = false
  byId('notice').hidden = true
  const trend = createTrendPart(byId('trend'), ready, shownTrend)
  const setpoints = createSetpointsPart(byId('setpoints'), ready)
  const tabs = createTabs(() => trend.draw())
  const visit = createVisitPart(ready, () => void visitLine?.takeControl())
  const timed = [createStripPart(byId('strip'), ready), visit, trend, createAlarmsPart(byId('alarms'), ready)]
  const parts = [createHeadPart(ready), createValuesPart(byId('values'), ready), setpoints, ...timed]
  screen = { tabs, trend, setpoints, timed, parts }
  trend.reload()
  update(null)
}

function update(tags: readonly number[] | null): void {
  if (screen === null || model === null) return
  for (const part of screen.parts) part.update(tags)
  if (tags !== null) return
  screen.tabs.count(model.alarms.length)
  document.body.classList.toggle('lost', model.lostAt !== null)
}

function takePage(page: PageView): void {
  const { mode, reason, ...config } = page
  const key = JSON.stringify(config)
  if (model !== null && key === builtFor) {
    Object.assign(model.page, { mode, reason })
    return
  }
  builtFor = key
  shownTrend = null
  model = {
    page,
    line,
    visit: model?.visit ?? null,
    values: new Map(),
    connections: page.connections.map(() => 'unknown'),
    alarms: [],
    clockAheadMs: 0,
    lostAt: null,
    showTrend(tag) {
      shownTrend = tag
      screen?.trend.show(tag)
      screen?.tabs.show('trend')
    },
  }
  build(model)
  if (page.visit) visitLine ??= openVisitLine(takeVisit)
}

function takeVisit(visit: VisitView): void {
  if (model === null) return
  // By this page's own clock, which measures all its times.
  model.visit = { ...visit, until: visit.until - visit.now + agentNow(model) }
  update(null)
  if (visit.mode !== model.page.mode) void line.refreshMode()
}

function takeValues(values: readonly ValueView[]): number[] {
  for (const value of values) model?.values.set(value[0], value)
  return values.map(([tag]) => tag)
}

const takeEvent: { [Name in keyof PageEvents]: (ready: Model, data: PageEvents[Name]) => void } = {
  snapshot(ready, { now, values, ...state }) {
    const wasLost = ready.lostAt !== null
    ready.values.clear()
    takeValues(values)
    Object.assign(ready, state, { lostAt: null, clockAheadMs: now - Date.now() })
    update(null)
    if (wasLost) screen?.trend.reload()
  },
  values(_, data) {
    update(takeValues(data))
  },
  state(ready, data) {
    Object.assign(ready, data)
    update(null)
  },
  write(ready, data) {
    takeKept(ready, data)
    update([data.tag])
    screen?.setpoints.told(data)
  },
  beat(ready, { now }) {
    ready.clockAheadMs = now - Date.now()
  },
}

function showNotice(title: string, text: string): void {
  const t = texts()
  const again = button('primary', () => location.reload(), t.tryAgain)
  refill(byId('notice'), el('h1', '', title), el('p', '', text), again)
  byId('notice').hidden = false
  byId('app').hidden = true
}

const listener: LineListener = {
  onPage: takePage,
  onMode(mode) {
    if (model === null) return
    Object.assign(model.page, mode)
    update(null)
  },
  onEvent(name, data) {
    if (model !== null) takeEvent[name](model, data)
  },
  onLost() {
    // No data has come yet: a message replaces the empty page.
    if (model === null) return showNotice(texts().connecting, '')
    if (model.lostAt === null) model.lostAt = agentNow(model)
    update(null)
  },
  onEnded() {
    closeSheet()
    showNotice(texts().ended, texts().endedWhy)
  },
}

applyPreferences()
watchPreferences(
  () => {
    switchLanguage()
    if (model !== null) build(model)
    else applyPreferences()
  },
  () => screen?.trend.draw(),
)
byId('strip').addEventListener('click', () => {
  screen?.tabs.show('alarms')
  byId('alarms').scrollIntoView({ block: 'nearest' })
})
const line = openLine(listener)
window.setInterval(() => {
  for (const part of screen?.timed ?? []) part.update(null)
}, tickMs)
