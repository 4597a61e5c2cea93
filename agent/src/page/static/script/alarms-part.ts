import type { AlarmView } from '../../page-api.ts'
import { byId, el, refill, setAttribute, setText } from './dom.ts'
import { formatDuration, formatTime } from './format.ts'
import type { Model, Part } from './model.ts'
import { agentNow } from './model.ts'
import { nameIn, texts } from './texts.ts'

const levels: readonly AlarmView['level'][] = ['critical', 'major', 'minor', 'info']

/** The worst first, of those the newest. */
function sortAlarms(alarms: readonly AlarmView[]): AlarmView[] {
  return [...alarms].sort(
    (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level) || (b.since ?? 0) - (a.since ?? 0),
  )
}

function alarmText({ text, id }: AlarmView): string {
  return nameIn(text, id)
}

function sinceText(model: Model, { since }: AlarmView): string {
  const t = texts()
  return since === null ? t.sinceUnknown : t.since(formatTime(since, agentNow(model)))
}

export function createAlarmsPart(pane: HTMLElement, model: Model): Part {
  let drawn = ''
  let lasting: { element: HTMLElement; since: number }[] = []

  function draw(): void {
    const t = texts()
    lasting = []
    const rows = sortAlarms(model.alarms).map((alarm) => {
      const duration = el('span', 'alarm-fact alarm-duration')
      if (alarm.since !== null) lasting.push({ element: duration, since: alarm.since })
      const text = el('span', 'alarm-text', alarmText(alarm))
      const facts = el('span', 'alarm-facts', el('span', 'alarm-fact alarm-level', t.levels[alarm.level]))
      if (alarmText(alarm) !== alarm.id) facts.append(el('span', 'alarm-fact code', alarm.id))
      facts.append(el('span', 'alarm-fact', sinceText(model, alarm)), duration)
      const row = el('li', 'alarm', el('span', 'glyph'), el('span', 'alarm-words', text, facts))
      row.dataset.level = alarm.level
      return row
    })
    refill(pane, el('h2', 'pane-title', t.tabs.alarms))
    pane.append(rows.length > 0 ? el('ul', 'panel', ...rows) : el('p', 'empty', t.noAlarms))
  }

  return {
    update(tags) {
      if (tags !== null) return
      const state = JSON.stringify(model.alarms)
      if (state !== drawn) draw()
      drawn = state
      for (const { element, since } of lasting) setText(element, formatDuration(agentNow(model) - since))
    },
  }
}

/** The line below the header: the worst alarm, or that the page is cut off. Always there, so that nothing jumps. */
export function createStripPart(strip: HTMLElement, model: Model): Part {
  const text = el('span', 'strip-text')
  const since = el('span', 'strip-since')
  const more = el('span', 'strip-more')
  refill(strip, el('span', 'glyph'), text, since, more)

  return {
    update(tags) {
      if (tags !== null) return
      const t = texts()
      const [worst, ...others] = sortAlarms(model.alarms)
      const isLost = model.lostAt !== null
      setAttribute(strip, 'data-level', isLost ? 'lost' : (worst?.level ?? 'none'))
      if (model.lostAt !== null) setText(text, t.lost(formatTime(model.lostAt, agentNow(model))))
      else setText(text, worst === undefined ? t.noAlarms : alarmText(worst))
      setText(since, isLost || worst === undefined ? '' : sinceText(model, worst))
      setText(more, isLost || others.length === 0 ? '' : t.alarmsMore(others.length))
      // For those who do not see it: said once for each change, not with every second.
      setText(byId('said'), text.textContent ?? '')
    },
  }
}
