/** Projects: groups of machines whose values go to somebody's own system. */

export type { Link, Links, ProjectPlan } from './link-watch.ts'
export { type KeyUse, type ProjectKeys, renewKey, revealKey } from './project-keys.ts'
export { createProjectsModule, type ProjectsModule } from './projects-module.ts'
export type { Quota } from './quota.ts'
export type { ReportingFigures, ReportingSource } from './reporting-figures.ts'
