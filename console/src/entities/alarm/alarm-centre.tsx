import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import css from './alarm-centre.module.css'
import { type AlarmSpace, useAlarmSpace } from './alarm-space.ts'
import { type AlarmTab, AlarmTabs } from './alarm-tabs.tsx'

interface AlarmCentreProps {
  tab: AlarmTab
  /** The page in its space. It begins anew in another one. */
  children: (space: AlarmSpace) => ReactNode
  /** Beside the page: an open alarm, for example. */
  pane?: ReactNode
}

/** The frame of each page of the alarm centre: heading, tabs, and the page, which scrolls. */
export function AlarmCentre({ tab, children, pane }: AlarmCentreProps) {
  const t = useText().alarms
  const layout = useLayoutKind()
  const space = useAlarmSpace()
  return (
    <div className={css.centre}>
      <div className={css.column}>
        <h1 className={layout === 'narrow' ? 'sr-only' : css.title}>
          {space?.enterprise ? t.space(space.enterprise.name) : t.title}
        </h1>
        <AlarmTabs chosen={tab} />
        <div className={css.page} key={space?.asked.eid ?? 0}>
          {space ? children(space) : <Skeleton height={120} />}
        </div>
      </div>
      {pane}
    </div>
  )
}
