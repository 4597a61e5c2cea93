import type { TagView } from '../../page-api.ts'
import { button, el, refill, setText } from './dom.ts'
import { formatTime, formatValue, formatWithUnit, tagName } from './format.ts'
import type { Model, Part } from './model.ts'
import { agentNow, isTrusted, shownValue } from './model.ts'
import { texts } from './texts.ts'
import type { ChartState } from './trend-chart.ts'
import { cursorAt, drawChart } from './trend-chart.ts'
import { extremes, TrendSeries } from './trend-series.ts'

const windows = { short: 600_000, long: 3_600_000 }

export interface TrendPart extends Part {
  show(tag: number): void
  /** The line is back: missed values are loaded. */
  reload(): void
  /** Colours or size may have changed. */
  draw(): void
}

/** The last hour of one value. `start` is the tag shown first; null takes the first key tag, else the first number. */
export function createTrendPart(pane: HTMLElement, model: Model, start: number | null): TrendPart {
  const t = texts()
  const choices = model.page.tags.map((_, index) => index).filter((index) => isDrawn(index))
  const first = choices.find((index) => model.page.tags[index]?.keyTag)
  const firstNumber = choices.find((index) => model.page.tags[index]?.kind === 'number')
  let tagIndex = start ?? first ?? firstNumber ?? choices[0] ?? null
  let series: TrendSeries | null = null
  let windowMs = windows.long
  let cursor: number | null = null
  let asked = 0

  const select = createSelect()
  const value = el('span', 'trend-value')
  const when = el('span', 'trend-when')
  const low = el('span', 'trend-extreme')
  const high = el('span', 'trend-extreme')
  const canvas = el('canvas', 'trend-canvas')
  canvas.setAttribute('role', 'img')
  const empty = el('p', 'trend-empty')
  const choiceButtons = (['short', 'long'] as const).map((name) => {
    const choice = button(
      'choice',
      () => setWindow(windows[name]),
      el('span', 'choice-face', t.windows[name]),
    )
    return { choice, ms: windows[name] }
  })
  const choicesBar = el('div', 'choices', ...choiceButtons.map(({ choice }) => choice))
  choicesBar.setAttribute('role', 'group')

  refill(pane, el('h2', 'pane-title', t.tabs.trend))
  if (choices.length === 0) pane.append(el('p', 'empty', t.noTrendTags))
  else {
    const figures = el(
      'div',
      'trend-figures',
      el('p', 'trend-now', value, when),
      el('p', 'trend-extremes', low, high),
    )
    pane.append(
      el(
        'div',
        'panel trend-panel',
        el('div', 'trend-head', select, choicesBar),
        figures,
        el('div', 'trend-plot', canvas, empty),
      ),
    )
  }
  if ('ResizeObserver' in window) new ResizeObserver(() => draw()).observe(canvas)
  canvas.addEventListener('pointermove', (event) => point(event.clientX))
  canvas.addEventListener('pointerdown', (event) => point(event.clientX))
  canvas.addEventListener('pointerleave', () => point(null))

  function isDrawn(index: number): boolean {
    const tag = model.page.tags[index]
    return tag !== undefined && tag.kind !== 'text' && !tag.alarm && !tag.removed
  }

  function createSelect(): HTMLSelectElement {
    const element = el('select', 'trend-select')
    element.setAttribute('aria-label', t.trendOf)
    const groups = new Map<string, HTMLElement>()
    for (const index of choices) {
      const tag = model.page.tags[index] as TagView
      let group = groups.get(tag.group)
      if (group === undefined) {
        const option = el('optgroup')
        option.label = tag.group || t.noGroup
        groups.set(tag.group, option)
        element.append(option)
        group = option
      }
      const option = el('option', '', tagName(tag))
      option.value = String(index)
      group.append(option)
    }
    element.addEventListener('change', () => show(Number(element.value)))
    return element
  }

  function setWindow(ms: number): void {
    windowMs = ms
    draw()
  }

  function point(clientX: number | null): void {
    const state = chartState()
    cursor = clientX === null || state === null ? null : cursorAt(canvas, clientX, state)
    draw()
  }

  function chartState(): ChartState | null {
    const tag = tagIndex === null ? undefined : model.page.tags[tagIndex]
    return tag === undefined || series === null ? null : { tag, series, windowMs, cursor }
  }

  function show(index: number): void {
    if (!isDrawn(index)) return
    tagIndex = index
    series = null
    reload()
  }

  function reload(): void {
    if (tagIndex === null) return
    select.value = String(tagIndex)
    const question = ++asked
    draw()
    void model.line.trend(tagIndex).then((view) => {
      if (question !== asked) return
      series = view === null ? null : new TrendSeries(view)
      setText(empty, view === null ? t.noTrendKept : '')
      draw()
    })
  }

  function draw(): void {
    for (const { choice, ms } of choiceButtons) choice.setAttribute('aria-pressed', String(ms === windowMs))
    const state = chartState()
    const tag = tagIndex === null ? undefined : model.page.tags[tagIndex]
    if (tag === undefined || tagIndex === null) return
    drawFigures(tag, tagIndex)
    if (state === null) {
      canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height)
      return
    }
    const found = extremes(state.series.window(windowMs))
    if (found === null) setText(empty, t.noTrend)
    else setText(empty, '')
    const extent =
      found === null
        ? ''
        : `, ${t.lowest} ${formatWithUnit(tag, found.low)}, ${t.highest} ${formatWithUnit(tag, found.high)}`
    canvas.setAttribute('aria-label', `${tagName(tag)}${extent}`)
    const figures = tag.kind === 'number' && found !== null
    setText(low, figures ? `${t.lowest} ${formatValue(tag, found.low)}` : '')
    setText(high, figures ? `${t.highest} ${formatValue(tag, found.high)}` : '')
    drawChart(canvas, state)
  }

  function drawFigures(tag: TagView, index: number): void {
    if (cursor === null || series === null) {
      const shown = shownValue(model, index)
      setText(value, formatWithUnit(tag, shown.value))
      value.dataset.quality = shown.quality
      setText(when, shown.quality === 'good' ? '' : t.quality[shown.quality])
      return
    }
    const points = series.window(windowMs)
    const place = Math.min(points.min.length - 1, Math.floor(cursor * points.min.length))
    const min = points.min[place] ?? null
    const max = points.max[place] ?? null
    const at = series.endAt - windowMs * (1 - cursor)
    value.dataset.quality = min === null ? 'none' : 'good'
    const top = asValue(tag, max)
    setText(
      value,
      min === max
        ? formatWithUnit(tag, top)
        : `${formatValue(tag, asValue(tag, min))} – ${formatWithUnit(tag, top)}`,
    )
    setText(when, formatTime(at, agentNow(model)))
  }

  return {
    show,
    reload,
    draw,
    update(tags) {
      if (tagIndex === null || (tags !== null && !tags.includes(tagIndex))) return
      const { value: shown, quality } = shownValue(model, tagIndex)
      const isDrawn = isTrusted(quality) && shown !== null
      series?.add(isDrawn ? Number(shown) : null, agentNow(model))
      draw()
    },
  }
}

function asValue(tag: TagView, number: number | null): number | boolean | null {
  return tag.kind === 'bool' && number !== null ? number > 0.5 : number
}
