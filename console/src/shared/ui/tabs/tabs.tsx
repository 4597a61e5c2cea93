import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef } from 'react'
import { formatNumber } from '../../i18n/format.ts'
import { classes } from '../classes.ts'
import { Text } from '../layout/layout.tsx'
import { useChosenInSight } from '../use-chosen-in-sight.ts'
import css from './tabs.module.css'

export interface TabItem<T extends string> {
  readonly id: T
  readonly label: string
  readonly count?: number | undefined
  readonly disabled?: boolean
}

interface TabsProps<T extends string> {
  /** The name of the row for screen readers. */
  label: string
  tabs: readonly TabItem<T>[]
  chosen: T
  onChoose: (tab: T) => void
  /** The content of the chosen tab. */
  children: ReactNode
  panelClassName?: string | undefined
  /** The element that scrolls. */
  panelRef?: Ref<HTMLDivElement>
}

/**
 * Several contents in one place, one of them shown. Arrow keys, Home and End move the choice. A single tab
 * has no row.
 */
export function Tabs<T extends string>(props: TabsProps<T>) {
  const { label, tabs, chosen, onChoose, children, panelClassName, panelRef } = props
  const row = useRef<HTMLDivElement>(null)
  const id = useId()
  const tabId = (tab: T) => `${id}-tab-${tab}`
  useChosenInSight(row, [chosen, ...tabs.map(({ count }) => count)].join())

  function move(event: KeyboardEvent) {
    const enabled = tabs.filter((tab) => !tab.disabled)
    const place = enabled.findIndex((tab) => tab.id === chosen)
    const places: Readonly<Record<string, number>> = {
      ArrowRight: (place + 1) % enabled.length,
      ArrowLeft: (place - 1 + enabled.length) % enabled.length,
      Home: 0,
      End: enabled.length - 1,
    }
    const next = enabled[places[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onChoose(next.id)
    document.getElementById(tabId(next.id))?.focus()
  }

  return (
    <>
      {tabs.length > 1 && (
        <div ref={row} role="tablist" aria-label={label} className={`${css.row} fades`} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              id={tabId(tab.id)}
              type="button"
              role="tab"
              aria-selected={tab.id === chosen}
              aria-controls={tab.id === chosen ? `${id}-panel` : undefined}
              tabIndex={tab.id === chosen ? 0 : -1}
              disabled={tab.disabled}
              className={css.tab}
              onClick={() => onChoose(tab.id)}
            >
              {tab.label}
              {tab.count !== undefined && (
                <Text tone="quiet" size={12} weight={400} numbers>
                  {formatNumber(tab.count)}
                </Text>
              )}
            </button>
          ))}
        </div>
      )}
      <div
        ref={panelRef}
        id={`${id}-panel`}
        role="tabpanel"
        {...(tabs.length > 1
          ? { 'aria-labelledby': tabId(chosen) }
          : { 'aria-label': tabs[0]?.label ?? label })}
        className={classes(css.panel, panelClassName)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the keyboard
        tabIndex={0}
      >
        {children}
      </div>
    </>
  )
}
