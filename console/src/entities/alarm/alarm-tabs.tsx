import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { TabLinks, tabClass } from '../../shared/ui/tabs/tab-links.tsx'
import type { AlarmSpaceSearch } from './alarm-space-search.ts'

/** The pages of the alarm centre. Each is a screen of its feature. */
export const alarmPaths = {
  alarms: '/alarmCenter',
  rules: '/alarmCenter/rules',
  notifications: '/alarmCenter/notifications',
  quality: '/alarmCenter/quality',
} as const

export type AlarmTab = keyof typeof alarmPaths

/** The pages of the alarm centre as tabs, those that this console has. They share the space. */
export function AlarmTabs({ chosen }: { chosen: AlarmTab }) {
  const t = useText().alarms.tabs
  const { routesByPath } = useRouter()
  const { eid } = useSearch({ strict: false }) as AlarmSpaceSearch
  const tabs = (Object.keys(alarmPaths) as AlarmTab[]).filter((tab) => alarmPaths[tab] in routesByPath)
  return (
    <TabLinks label={t.label} chosen={chosen}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          // All of them take the same search.
          to={alarmPaths[tab] as typeof alarmPaths.alarms}
          search={eid === undefined ? {} : { eid }}
          replace
          className={tabClass}
          activeProps={{}}
          // The address of the first begins the others’.
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={tab === chosen ? 'page' : undefined}
        >
          {t[tab]}
        </Link>
      ))}
    </TabLinks>
  )
}
