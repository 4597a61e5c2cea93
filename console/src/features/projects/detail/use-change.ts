import { projects, type RequestOf } from '@busbar/contract'
import type { Project } from '../../../entities/project/project.ts'
import { projectsKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useAct } from '../../../shared/ui/use-act.ts'
import { useDetailText } from './detail-text.ts'

type Change = Omit<RequestOf<typeof projects.updateProject>, 'id'>

/** Changes settings of a project, each at once. */
export function useChange({ id }: Project) {
  const t = useDetailText().settings
  return useAct<Change>({
    call: (change) => call(projects.updateProject, { id, ...change }),
    done: t.saved,
    touched: [projectsKey],
  })
}
