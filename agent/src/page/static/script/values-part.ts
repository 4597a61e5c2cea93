import type { TagView } from '../../page-api.ts'
import { button, el, refill, setAttribute, setText } from './dom.ts'
import { formatValue, formatWithUnit, tagName } from './format.ts'
import type { Model, Part, Shown } from './model.ts'
import { isSetpoint, isTrusted, shownValue } from './model.ts'
import { texts } from './texts.ts'

/** Longer values are set smaller. */
const lengths = { long: 10, longest: 14 }

interface Tile {
  element: HTMLElement
  update(shown: Shown): void
}

/** The values by group: a tile for each read-only tag, updated in place. */
export function createValuesPart(pane: HTMLElement, model: Model): Part {
  const tiles = new Map<number, Tile>()
  const groups = new Map<string, HTMLElement>()
  model.page.tags.forEach((tag, index) => {
    if (tag.removed || tag.alarm || isSetpoint(tag)) return
    const grid = groups.get(tag.group) || el('div', 'tiles')
    groups.set(tag.group, grid)
    const tile = createTile(tag, () => model.showTrend(index))
    tiles.set(index, tile)
    grid.append(tile.element)
  })
  const hasOneGroup = groups.size === 1 && groups.has('')
  refill(
    pane,
    ...[...groups].map(([group, grid]) => {
      const title = el('h2', 'group-title', group || texts().noGroup)
      title.title = group
      return el('div', 'group', ...(hasOneGroup ? [] : [title]), grid)
    }),
  )
  if (groups.size === 0) pane.append(el('p', 'empty', texts().noValues))

  return {
    update(tags) {
      for (const index of tags ?? tiles.keys()) tiles.get(index)?.update(shownValue(model, index))
    },
  }
}

function createTile(tag: TagView, onClick: () => void): Tile {
  const name = el('span', 'tile-name', tagName(tag))
  const number = el('span', 'tile-number')
  const unit = el('span', 'unit')
  const foot = el('span', 'tile-foot')
  const value = el('span', 'tile-value', number, unit)
  const bar = createBar(tag)
  const quality = el('span', 'quality')
  foot.append(quality, ...(bar === null ? [] : [bar.element]))
  const element =
    tag.kind === 'text' ? el('div', 'tile', name, value, foot) : button('tile', onClick, name, value, foot)
  name.title = tagName(tag)
  if (tag.keyTag) element.classList.add('key')

  return {
    element,
    update(shown) {
      const text = formatValue(tag, shown.value)
      const length = lengthOf(text)
      // The longest numbers break where their groups do.
      setText(number, length === 'longest' && tag.kind === 'number' ? text.replace(/,/g, ',\u200b') : text)
      setText(unit, shown.value === null || tag.unit === '' ? '' : `\u202f${tag.unit}`)
      setAttribute(value, 'title', tag.kind === 'text' ? formatWithUnit(tag, shown.value) : null)
      setAttribute(element, 'data-quality', shown.quality)
      setAttribute(
        element,
        'data-on',
        tag.kind === 'bool' && shown.value !== null ? String(shown.value) : null,
      )
      setAttribute(element, 'data-length', length)
      setText(quality, shown.quality === 'good' ? '' : texts().quality[shown.quality])
      bar?.update(shown)
    },
  }
}

function lengthOf(text: string): 'long' | 'longest' | null {
  if (text.length >= lengths.longest) return 'longest'
  return text.length >= lengths.long ? 'long' : null
}

/** Shows a value's position between its limits. */
function createBar({ min, max, kind }: TagView) {
  if (kind !== 'number' || min === null || max === null || max <= min) return null
  const fill = el('span', 'bar-fill')
  const element = el('span', 'bar', fill)
  return {
    element,
    update({ value, quality }: Shown) {
      const isShown = typeof value === 'number' && isTrusted(quality)
      element.hidden = !isShown
      if (isShown) fill.style.width = `${Math.min(100, Math.max(0, ((value - min) / (max - min)) * 100))}%`
    },
  }
}
