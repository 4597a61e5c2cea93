import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Centre } from '../../shared/ui/centre/centre.tsx'
import { CentreTabs } from '../../shared/ui/centre/centre-tabs.tsx'

/** The pages of the data centre. Each is a screen of its feature. */
export const dataPaths = {
  boards: '/dataCenter',
  sites: '/dataCenter/sites',
  sims: '/dataCenter/sims',
  explorer: '/dataCenter/explorer',
  exports: '/dataCenter/exports',
  reports: '/dataCenter/reports',
  retention: '/dataCenter/retention',
} as const

export type DataTab = keyof typeof dataPaths

interface DataCentreProps {
  tab: DataTab
  /** The page in its space. Another space remounts it. */
  children: (space: PageSpace) => ReactNode
  /** Beside the page: a report that is edited, for example. */
  pane?: ReactNode
}

/** The frame of each page of the data centre. */
export function DataCentre({ tab, children, pane }: DataCentreProps) {
  const t = useText().dataCentre
  return (
    <Centre
      title={t.title}
      titleOf={t.space}
      pane={pane}
      tabs={<CentreTabs paths={dataPaths} chosen={tab} label={t.tabs.label} text={t.tabs} />}
    >
      {children}
    </Centre>
  )
}
