import type { WriteView } from '../../page-api.ts'
import { el, icon, refill, setText } from './dom.ts'
import type { Model, Part } from './model.ts'
import { isSetpoint } from './model.ts'
import type { SetpointRow } from './setpoint-row.ts'
import { createSetpointRow } from './setpoint-row.ts'
import { closeSheet } from './sheet.ts'
import { texts } from './texts.ts'

export interface SetpointsPart extends Part {
  /** A write was answered, here or on another page. */
  told(result: WriteView): void
}

/** The set-points by group, and the reason if they cannot be changed. */
export function createSetpointsPart(pane: HTMLElement, model: Model): SetpointsPart {
  const t = texts()
  const rows = new Map<number, SetpointRow>()
  const groups = new Map<string, HTMLElement>()
  model.page.tags.forEach((tag, index) => {
    if (tag.removed || !isSetpoint(tag)) return
    const list = groups.get(tag.group) || el('ul', 'panel')
    groups.set(tag.group, list)
    const row = createSetpointRow(model, index, tag)
    rows.set(index, row)
    list.append(row.element)
  })
  const why = el('span')
  const note = el('p', 'note', icon('eye'), why)
  refill(pane, el('h2', 'pane-title', t.tabs.setpoints))
  if (rows.size === 0) pane.append(el('p', 'empty', t.noSetpoints))
  else pane.append(note)
  for (const [group, list] of groups) {
    if (group !== '') pane.append(el('h3', 'group-title', group))
    pane.append(list)
  }

  return {
    update(tags) {
      if (tags === null) {
        const { mode, reason } = model.page
        note.hidden = mode === 'rw'
        setText(why, reason === null ? '' : t.watchingWhy[reason])
        if (mode !== 'rw' || model.lostAt !== null) closeSheet()
      }
      for (const index of tags ?? rows.keys()) rows.get(index)?.update()
    },
    told(result) {
      rows.get(result.tag)?.told(result)
    },
  }
}
