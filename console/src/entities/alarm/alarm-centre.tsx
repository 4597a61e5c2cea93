import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Centre } from '../../shared/ui/centre/centre.tsx'
import { CentreTabs } from '../../shared/ui/centre/centre-tabs.tsx'

/** The pages of the alarm centre. Each is a screen of its feature. */
export const alarmPaths = {
  alarms: '/alarmCenter',
  rules: '/alarmCenter/rules',
  notifications: '/alarmCenter/notifications',
  quality: '/alarmCenter/quality',
} as const

export type AlarmTab = keyof typeof alarmPaths

interface AlarmCentreProps {
  tab: AlarmTab
  /** The page in its space. Another space remounts it. */
  children: (space: PageSpace) => ReactNode
  /** Beside the page: an open alarm, for example. */
  pane?: ReactNode
}

/** The frame of each page of the alarm centre. */
export function AlarmCentre({ tab, children, pane }: AlarmCentreProps) {
  const t = useText().alarms
  return (
    <Centre
      title={t.title}
      titleOf={t.space}
      pane={pane}
      tabs={<CentreTabs paths={alarmPaths} chosen={tab} label={t.tabs.label} text={t.tabs} />}
    >
      {children}
    </Centre>
  )
}
