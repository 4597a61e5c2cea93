import { type ReactNode, useRef } from 'react'
import { Tabs as LibraryTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import { formatNumber } from '../../i18n/format.ts'
import { classes } from '../classes.ts'
import { KitScope } from '../kit/kit-scope.tsx'
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
  /** What the chosen tab shows. */
  children: ReactNode
  className?: string | undefined
  panelClassName?: string | undefined
}

/** Several contents in one place, one of them shown. Arrow keys, Home and End move the choice. */
export function Tabs<T extends string>(props: TabsProps<T>) {
  const { label, tabs, chosen, onChoose, children, className, panelClassName } = props
  const list = useRef<HTMLDivElement>(null)
  useChosenInSight(list, [chosen, ...tabs.map(({ count }) => count)].join())
  return (
    <KitScope>
      <LibraryTabs
        selectedKey={chosen}
        onSelectionChange={(key) => onChoose(key as T)}
        className={className ?? ''}
      >
        <TabList ref={list} aria-label={label} className={`${css.row} fades`}>
          {tabs.map((tab) => (
            <Tab key={tab.id} id={tab.id} isDisabled={tab.disabled ?? false} className={css.tab ?? ''}>
              {tab.label}
              {tab.count !== undefined && <span className={css.count}>{formatNumber(tab.count)}</span>}
            </Tab>
          ))}
        </TabList>
        <TabPanel id={chosen} className={classes(css.panel, panelClassName)}>
          {children}
        </TabPanel>
      </LibraryTabs>
    </KitScope>
  )
}
