import { Link, useRouter, useSearch } from '@tanstack/react-router'
import type { PageSpaceSearch } from '../../session/page-space-search.ts'
import { TabLinks, tabClass } from '../tabs/tab-links.tsx'

interface CentreTabsProps<Tab extends string> {
  /** Each page is a screen of its feature; a page that this console lacks gets no tab. */
  paths: Readonly<Record<Tab, string>>
  chosen: Tab
  label: string
  text: Readonly<Record<Tab, string>>
}

/** The pages of a centre as tabs. They share the space. */
export function CentreTabs<Tab extends string>({ paths, chosen, label, text }: CentreTabsProps<Tab>) {
  const { routesByPath } = useRouter()
  const { eid } = useSearch({ strict: false }) as PageSpaceSearch
  const tabs = (Object.keys(paths) as Tab[]).filter((tab) => paths[tab] in routesByPath)
  return (
    <TabLinks label={label} chosen={chosen}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          // All pages of a centre take the space in their search.
          to={paths[tab] as '/alarmCenter'}
          search={eid === undefined ? {} : { eid }}
          replace
          className={tabClass}
          activeProps={{}}
          // The address of the first begins the others’.
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={tab === chosen ? 'page' : undefined}
        >
          {text[tab]}
        </Link>
      ))}
    </TabLinks>
  )
}
