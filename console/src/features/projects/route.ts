import { onlyKnown, parseId } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { type ProjectPart, projectParts, projectsSearch } from './search.ts'

/** The projects of a space. */
export const projectsScreen = {
  path: '/project',
  validateSearch: onlyKnown(projectsSearch),
  component: lazyPart(() => import('./projects-page.tsx').then((module) => module.ProjectsPage)),
} as const

/** One project; an address without a part opens its overview. */
export const projectScreen = {
  path: '/project/$id/{-$part}',
  params: {
    parse: ({ id: rawId, part: rawPart }: { id: string; part?: string | undefined }) => {
      const id = parseId(rawId)
      const part = projectParts.find((known) => known === (rawPart ?? 'overview'))
      return id === undefined || part === undefined ? (false as const) : { id, part }
    },
    stringify: ({ id, part }: { id: number; part?: ProjectPart | undefined }) => ({
      id: String(id),
      part: part === 'overview' ? undefined : part,
    }),
  },
  staticData: { shape: 'detail' },
  component: lazyPart(() => import('./detail/project-page.tsx').then((module) => module.ProjectPage)),
} as const
