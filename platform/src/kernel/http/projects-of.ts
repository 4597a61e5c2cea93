import { findProjectField, type ProjectKind } from '@busbar/contract'
import type { Module, ProjectOf } from '../module.ts'
import type { Binding } from './bind.ts'
import type { Guards } from './guards.ts'

type Find = NonNullable<ProjectOf[ProjectKind]>

/**
 * Finds projects by the ids that the modules can resolve.
 * @throws Error when two modules resolve the same kind, or a route names a kind that none resolves
 */
export function collectProjectOf(
  modules: readonly Pick<Module, 'name' | 'routes' | 'projectOf'>[],
): Guards['projectOf'] {
  const known = new Map<ProjectKind, Find>()
  for (const { name, projectOf = {} } of modules) {
    for (const [kind, find] of Object.entries(projectOf) as [ProjectKind, Find][]) {
      if (known.has(kind)) throw new Error(`The project of "${kind}" is told by two modules, one is ${name}.`)
      known.set(kind, find)
    }
  }
  for (const { route } of modules.flatMap(({ routes = [] }) => routes)) {
    const kind = projectKindOf(route)
    if (kind !== undefined && !known.has(kind))
      throw new Error(`${route.method} ${route.path}: no module tells the project of "${kind}".`)
  }
  return async (kind, id) => known.get(kind)?.(id)
}

function projectKindOf({ who }: Binding['route']): ProjectKind | undefined {
  return typeof who === 'object' && 'prj' in who ? findProjectField(who).kind : undefined
}
