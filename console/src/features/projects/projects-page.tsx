import { projects } from '@busbar/contract'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProjectsText } from '../../entities/project/projects-text.ts'
import { usePageSpace } from '../../shared/session/page-space.ts'
import { Page } from '../../shared/ui/page.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { TabLinks, tabClass } from '../../shared/ui/tabs/tab-links.tsx'
import { useSmallTablet } from '../../shared/ui/use-tight-screen.ts'
import { InvitationsPanel } from './list/invitations-panel.tsx'
import { OtherProjectsList } from './list/other-projects-list.tsx'
import { ProjectsList } from './list/projects-list.tsx'
import css from './projects-page.module.css'

/** The projects of a space: the person's own, an enterprise's, or those over devices that it maintains. */
export function ProjectsPage(): ReactNode {
  const t = useProjectsText()
  const { type: asked = projects.projectTypes.enterprise } = useSearch({ from: '/shell/project' })
  const space = usePageSpace()
  const isSmall = useSmallTablet()
  if (!space) return <ShapeWait shape="list" />
  const { eid } = space.asked
  const type = eid === undefined ? undefined : asked
  const shown = { ...space.asked, ...(type && { type }) }
  return (
    <Page title={type ? t.types[type] : t.title} lead={t.lead}>
      {type && (
        <div className={css.tabs}>
          <TabLinks label={t.list.label} chosen={String(type)}>
            {Object.values(projects.projectTypes).map((each) => (
              <Link
                key={each}
                to="/project/"
                search={{ ...shown, type: each }}
                className={tabClass}
                activeProps={{}}
                aria-current={each === type ? 'page' : undefined}
              >
                {t.types[each]}
              </Link>
            ))}
          </TabLinks>
        </div>
      )}
      <div key={`${eid} ${type}`} className={css.lists} data-layout={isSmall ? 'narrow' : undefined}>
        <InvitationsPanel space={shown} />
        <ProjectsList space={shown} />
        {eid !== undefined && type && <OtherProjectsList eid={eid} type={type} />}
      </div>
    </Page>
  )
}
