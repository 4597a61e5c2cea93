import { projectData as contract } from '@busbar/contract'
import { type Binding, bind, type CallContext } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { ProjectKeys } from '../projects/index.ts'
import type { PullHistory } from './pull-history.ts'
import type { PullService } from './pull-service.ts'

export function pullRoutes(keys: ProjectKeys, service: PullService, history: PullHistory): Binding[] {
  return [
    bind(contract.pullRows, async (input, context) => {
      const { projectId, keyId } = await signIn(keys, input.projectId, context)
      const { cursor, limit, from, to, machineCode = '' } = input
      const pull = { projectId, machineCode, cursor, limit, signal: context.signal }
      const past = { ...pull, from, to }
      if (history.isMeant(past)) return history.pull(past)
      return service.pull({ ...pull, keyId, waitMs: input.wait * 1_000 })
    }),
  ]
}

/** The key that the call has, and its project. */
async function signIn(
  keys: ProjectKeys,
  named: number | undefined,
  { basic, address }: CallContext,
): ReturnType<ProjectKeys['check']> {
  const login = basic()
  const projectId = named ?? Number(login?.name || Number.NaN)
  const isNamedTwice = named !== undefined && login && login.name !== '' && login.name !== String(named)
  if (!login || isNamedTwice) throw new Failure('PROJECT_KEY_WRONG')
  return keys.check(projectId, login.secret.toString(), { from: address })
}
