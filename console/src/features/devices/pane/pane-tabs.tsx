import { type KeyboardEvent, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import css from '../../../shared/ui/pane/pane.module.css'
import row from '../../../shared/ui/tab-row.module.css'
import { useChosenInSight } from '../../../shared/ui/use-chosen-in-sight.ts'

interface PaneTabsProps<T extends string> {
  tabs: readonly { readonly id: T; readonly label: string; readonly count?: number }[]
  chosen: T
  onChoose: (tab: T) => void
}

/** Tabs of the pane; arrow keys move the choice. */
export function PaneTabs<T extends string>({ tabs, chosen, onChoose }: PaneTabsProps<T>) {
  const t = useText().machines.pane
  const list = useRef<HTMLDivElement>(null)
  useChosenInSight(list, [chosen, ...tabs.map(({ count }) => count)].join())

  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = (tabs.findIndex((tab) => tab.id === chosen) + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (!tab) return
    onChoose(tab.id)
    list.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div ref={list} role="tablist" aria-label={t.tabs} className={`${row.row} fades`} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === chosen}
          aria-controls={tab.id === chosen ? `pane-${tab.id}` : undefined}
          tabIndex={tab.id === chosen ? 0 : -1}
          className={row.tab}
          onClick={() => onChoose(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <span className={css.tabCount}>{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}
