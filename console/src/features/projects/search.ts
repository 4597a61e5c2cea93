import type { projects } from '@busbar/contract'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import type { RawSearch } from '../../shared/session/search.ts'

/** The parts of a project, each with its own address. */
export const projectParts = [
  'overview',
  'machines',
  'people',
  'destinations',
  'deliveries',
  'embedding',
  'developers',
  'settings',
] as const
export type ProjectPart = (typeof projectParts)[number]

/** Without the routes of projects, which an address does not need. */
const projectTypes = [1, 2] as const satisfies readonly projects.ProjectType[]

/** The address of a list of projects. */
export interface ProjectsSearch extends PageSpaceSearch {
  /** In an enterprise: its own, or those over devices that it maintains. */
  type?: projects.ProjectType
}

export function projectsSearch(raw: RawSearch): ProjectsSearch {
  const type = projectTypes.find((known) => String(known) === String(raw.type))
  return { ...pageSpaceSearch(raw), ...(type ? { type } : {}) }
}
