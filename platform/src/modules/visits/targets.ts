import { type AgentPort, isUnderstood } from '@busbar/link'
import type { EdgeLink, TunnelLine, TunnelTarget } from '../../edge-link/edge-link.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { LiveVisit } from './live-visit.ts'
import type { PortReach } from './visit-ports.ts'

export type Target = TunnelTarget

/** The targets of a machine's agent; throws ClOUD_VISIT_TIMEOUT for one that is not there or does not answer. */
export async function listTargets(tunnel: TunnelLine | undefined): Promise<readonly Target[]> {
  if (!tunnel) throw new Failure('ClOUD_VISIT_TIMEOUT')
  try {
    return await tunnel.targets()
  } catch (error) {
    throw failureOf(error)
  }
}

/** One page of a machine. Throws ClOUD_VISIT_TIMEOUT, TARGET_UNKNOWN. */
export async function findTarget(tunnel: TunnelLine | undefined, name: string): Promise<Target> {
  const target = (await listTargets(tunnel)).find((one) => one.name === name)
  if (!target) throw new Failure('TARGET_UNKNOWN')
  return target
}

/** The ports of a machine's agent; with `isNow` with their last round trips. Throws as `listTargets`. */
export async function listPorts(
  tunnel: TunnelLine | undefined,
  isNow = false,
): Promise<readonly AgentPort[]> {
  if (!tunnel) throw new Failure('ClOUD_VISIT_TIMEOUT')
  try {
    return await (isNow ? tunnel.portsNow() : tunnel.ports())
  } catch (error) {
    throw failureOf(error)
  }
}

/** Whether a person may open a port to look (rules/visits.md: ports). */
export function mayLookAt({ kind, look }: Pick<AgentPort, 'kind' | 'look'>, reach: PortReach): boolean {
  return isUnderstood(kind) && (look === 'visitors' || (look === 'users' && reach === 'user'))
}

/** Asks the machine whether a visit may go on without changing anything; unknown until it answers. */
export async function learnTarget(link: Pick<EdgeLink, 'tunnel'>, visit: LiveVisit): Promise<void> {
  const { tunnelsSeen, reach } = visit
  const canWatch = await link
    .tunnel(visit.machineId)
    .then(async (tunnel) =>
      reach === undefined
        ? (await findTarget(tunnel, visit.target)).readOnly
        : (await listPorts(tunnel)).some((port) => mayLookAt(port, reach)),
    )
    .catch(() => undefined)
  // The answer of a newer tunnel stays.
  if (canWatch !== undefined && visit.tunnelsSeen === tunnelsSeen) visit.canWatch = canWatch
}

/** Asks a machine whether it is there; throws ClOUD_VISIT_TIMEOUT when it does not answer in time. */
export async function pingMachine(tunnel: TunnelLine | undefined): Promise<number> {
  if (!tunnel) throw new Failure('ClOUD_VISIT_TIMEOUT')
  try {
    return await tunnel.ping()
  } catch (error) {
    throw failureOf(error)
  }
}

const failureOf = (error: unknown): Failure =>
  error instanceof NotReachable ? error : new Failure('ClOUD_VISIT_TIMEOUT')
