import { button, byId, el, icon, refill, setText } from './dom.ts'
import { texts } from './texts.ts'

const names = ['values', 'trend', 'setpoints', 'alarms'] as const
export type TabName = (typeof names)[number]

export interface Tabs {
  show(name: TabName): void
  /** Shows the number of alarms. */
  count(alarms: number): void
}

/** On small screens one pane at a time; the address remembers which. */
export function createTabs(onShow: (name: TabName) => void): Tabs {
  const badge = el('span', 'badge')
  const buttons = names.map((name) => {
    const tab = button('tab', () => choose(name), icon(name), el('span', '', texts().tabs[name]))
    if (name === 'alarms') tab.append(badge)
    return { name, tab }
  })
  refill(byId('tabs'), ...buttons.map(({ tab }) => tab))

  function choose(name: TabName): void {
    history.replaceState(null, '', `#${name}`)
    show(name)
  }

  function show(name: TabName): void {
    document.body.dataset.pane = name
    for (const one of buttons) {
      if (one.name === name) one.tab.setAttribute('aria-current', 'page')
      else one.tab.removeAttribute('aria-current')
    }
    onShow(name)
  }

  show(names.find((name) => `#${name}` === location.hash) || 'values')
  return {
    show: choose,
    count(alarms) {
      badge.hidden = alarms === 0
      setText(badge, alarms > 99 ? '99+' : String(alarms))
    },
  }
}
