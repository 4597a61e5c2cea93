import type { AgentInfo } from '@busbar/link'
import type { Tunnel, Tunnels } from '../../edge/tunnels/tunnel.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { LiveVisit } from './live-visit.ts'

const answerMsMax = 5_000

export type Target = AgentInfo['targets'][number]

/** What a machine's agent offers; a machine that is not there, or does not tell, throws ClOUD_VISIT_TIMEOUT. */
export async function listTargets(tunnel: Tunnel | undefined): Promise<readonly Target[]> {
  if (!tunnel) throw new Failure('ClOUD_VISIT_TIMEOUT')
  try {
    return (await tunnel.info()).targets
  } catch {
    throw new Failure('ClOUD_VISIT_TIMEOUT')
  }
}

/** One page of a machine. Throws ClOUD_VISIT_TIMEOUT, TARGET_UNKNOWN. */
export async function findTarget(tunnel: Tunnel | undefined, name: string): Promise<Target> {
  const target = (await listTargets(tunnel)).find((one) => one.name === name)
  if (!target) throw new Failure('TARGET_UNKNOWN')
  return target
}

/** Asks the machine whether a visit's page can be kept to watching; unknown while it does not tell. */
export async function learnTarget(tunnels: Pick<Tunnels, 'find'>, visit: LiveVisit): Promise<void> {
  const tunnel = tunnels.find(visit.machineId)
  const target = await findTarget(tunnel, visit.target).catch(() => undefined)
  // What another tunnel told meanwhile is newer.
  if (target && tunnels.find(visit.machineId) === tunnel) visit.canWatch = target.readOnly
}

/** Asks a machine whether it is there; throws ClOUD_VISIT_TIMEOUT when it does not answer within 5 s. */
export async function pingMachine(tunnel: Tunnel | undefined): Promise<number> {
  if (!tunnel) throw new Failure('ClOUD_VISIT_TIMEOUT')
  try {
    return await tunnel.ping(answerMsMax)
  } catch {
    throw new Failure('ClOUD_VISIT_TIMEOUT')
  }
}
