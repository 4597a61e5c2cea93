import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { NoSpace } from '../../entities/enterprise/no-space.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { enterprisesQuery } from '../../shared/session/account-queries.ts'
import { getPreferences } from '../../shared/session/preferences.ts'
import { rememberSpace, useSpace } from '../../shared/session/space.ts'
import { Page } from '../../shared/ui/page.tsx'
import { TabLinks, tabClass } from '../../shared/ui/tabs/tab-links.tsx'
import { useSmallTablet } from '../../shared/ui/use-tight-screen.ts'
import { AuditSection } from './audit-section.tsx'
import { GroupsSection } from './groups-section.tsx'
import { MaintenanceSection } from './maintenance-section.tsx'
import css from './manage-page.module.css'
import type { SectionProps } from './manage-section.ts'
import { MembersSection } from './members-section.tsx'
import { type ManageTab, manageTabsOf } from './search.ts'
import { SettingsSection } from './settings-section.tsx'
import { TeamsSection } from './teams-section.tsx'

const sections: Record<ManageTab, (props: SectionProps) => ReactNode> = {
  members: MembersSection,
  teams: TeamsSection,
  groups: GroupsSection,
  maintenance: MaintenanceSection,
  audit: AuditSection,
  settings: SettingsSection,
}

/** An enterprise's people, teams, groups, maintenance windows and face. */
export function ManagePage(): ReactNode {
  const { enterprises: words } = useText()
  const t = words.manage
  const { tab: asked = 'members' } = useSearch({ from: '/shell/enterprise' })
  const space = useSpace()
  const eid = space?.eid
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  useEffect(() => {
    if (eid !== undefined) rememberSpace(eid, getPreferences().deviceType || 1)
  }, [eid])
  const { isSuccess } = useQuery(enterprisesQuery)
  const isSmall = useSmallTablet()
  if (!space) return isSuccess && <NoSpace />
  const tabs = manageTabsOf(space)
  const tab = tabs.includes(asked) ? asked : 'members'
  const Section = sections[tab]
  return (
    <Page title={t.title} lead={t.lead(words.roles[space.role])}>
      <div className={css.tabs}>
        <TabLinks label={t.title} chosen={`${eid} ${tab}`}>
          {tabs.map((each) => (
            <Link
              key={each}
              to="/enterprise/"
              search={{ eid: space.eid, tab: each }}
              className={tabClass}
              activeProps={{}}
              aria-current={each === tab ? 'page' : undefined}
            >
              {t.tabs[each]}
            </Link>
          ))}
        </TabLinks>
      </div>
      <div data-layout={isSmall ? 'narrow' : undefined}>
        {permission && <Section key={space.eid} space={space} permission={permission} />}
      </div>
    </Page>
  )
}
