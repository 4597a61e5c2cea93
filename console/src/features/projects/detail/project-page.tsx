import { ApiError } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { projectQuery } from '../../../entities/project/project-queries.ts'
import { useProjectsText } from '../../../entities/project/projects-text.ts'
import { stateTones } from '../../../entities/project/state-tones.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { getPreferences } from '../../../shared/session/preferences.ts'
import { rememberSpace } from '../../../shared/session/space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { Page } from '../../../shared/ui/page.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { TabLinks, tabClass } from '../../../shared/ui/tabs/tab-links.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import { useSmallTablet } from '../../../shared/ui/use-tight-screen.ts'
import css from '../projects-page.module.css'
import { type ProjectPart, projectParts } from '../search.ts'
import type { PartProps } from './part-props.ts'

const parts: Readonly<Record<ProjectPart, ComponentType<PartProps>>> = {
  overview: lazyPart(() => import('./overview-part.tsx').then((module) => module.OverviewPart)),
  machines: lazyPart(() => import('./machines-part.tsx').then((module) => module.MachinesPart)),
  people: lazyPart(() => import('./people-part.tsx').then((module) => module.PeoplePart)),
  destinations: lazyPart(() =>
    import('../destinations/destinations-part.tsx').then((module) => module.DestinationsPart),
  ),
  deliveries: lazyPart(() =>
    import('../deliveries/deliveries-part.tsx').then((module) => module.DeliveriesPart),
  ),
  embedding: lazyPart(() => import('../embedding/embedding-part.tsx').then((module) => module.EmbeddingPart)),
  developers: lazyPart(() =>
    import('../developers/developers-part.tsx').then((module) => module.DevelopersPart),
  ),
  settings: lazyPart(() => import('./settings-part.tsx').then((module) => module.SettingsPart)),
}

/** One project: its state, its parts as tabs, and the part that the address names. */
export function ProjectPage(): ReactNode {
  const { id, part = 'overview' } = useParams({ from: '/shell/project/$id/{-$part}' })
  const t = useProjectsText()
  const { app } = useText()
  const { data: project, error, isFetching, refetch } = useQuery(projectQuery(id))
  const navigate = useNavigate()
  const isSmall = useSmallTablet()
  const eid = project?.eid ?? 0
  useEffect(() => {
    // Following a link to a project enters its space.
    if (project && getPreferences().eid !== eid) rememberSpace(eid, eid === 0 ? 0 : 1)
  }, [project, eid])
  if (error instanceof ApiError && (error.is('404') || error.isForbidden))
    return (
      <EmptyState icon="warning" title={t.page.gone}>
        <Button onClick={() => void navigate({ to: '/project/' })}>{t.page.back}</Button>
      </EmptyState>
    )
  if (!project)
    return error ? (
      <EmptyState icon="warning" title={t.failed}>
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {app.retry}
        </Button>
      </EmptyState>
    ) : (
      <ShapeWait shape="detail" />
    )
  const Part = parts[part]
  return (
    <Page
      title={project.name}
      lead={[project.description, t.page.owned(project.owner)].filter(Boolean).join(' · ')}
      actions={<Tag tone={stateTones[project.state]}>{t.states[project.state]}</Tag>}
    >
      <div className={css.tabs}>
        <TabLinks label={project.name} chosen={part}>
          {projectParts.map((each) => (
            <Link
              key={each}
              to="/project/$id/{-$part}"
              params={{ id, part: each }}
              className={tabClass}
              activeProps={{}}
              // The address of the overview begins the others’.
              activeOptions={{ exact: true }}
              aria-current={each === part ? 'page' : undefined}
            >
              {t.parts[each]}
            </Link>
          ))}
        </TabLinks>
      </div>
      <div className={css.lists} data-layout={isSmall ? 'narrow' : undefined}>
        <Part key={id} project={project} />
      </div>
    </Page>
  )
}
