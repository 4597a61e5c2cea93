import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { projectListQuery } from '../../entities/project/project-queries.ts'
import { keepMenu, usePreferences } from '../../shared/session/preferences.ts'

/** The first project of a person is rare. */
const refreshMs = 60_000

/** Keeps for the menu whether the person has projects of their own. */
export function ProjectsWatch() {
  const { data: projects } = useQuery({ ...projectListQuery({}), refetchInterval: refreshMs })
  const hadProjects = usePreferences().lastMenu?.hasProjects ?? false
  useEffect(() => {
    if (projects && projects.length > 0 !== hadProjects) keepMenu({ hasProjects: projects.length > 0 })
  }, [projects, hadProjects])
  return null
}
