import type { AgentProbed, ProbeCode } from '@busbar/link'
import { agentServiceLimits } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { DriverDeps } from '../drivers/driver-kind.ts'
import { networkCodeOf } from '../drivers/probe-steps.ts'
import { errorReason } from '../log.ts'
import type { Reading } from '../reading.ts'
import { HostRefused, type Networks } from '../remote/networks.ts'
import { hostOf, leadTo } from '../remote/remote-kinds.ts'

const { failureCharactersMax, probeMs } = agentServiceLimits
/** One step of a try: all of them fit into its time. */
const stepMs = 1_200

export interface ProbeParts {
  readonly reading: Reading
  /** Null where the agent's file allows no configuration. */
  readonly networks: Networks | null
  readonly clock: Clock
  depsOf(kind: string): DriverDeps
}

const failed = (code: ProbeCode, reason: string): AgentProbed => ({
  ...{ code, reason },
  ...{ connectMs: null, helloMs: null, readMs: null },
})

/** Tries to reach the controller of a connection once, and says how far it came; null for an unknown connection. */
export async function probeConnection(name: string, parts: ProbeParts): Promise<AgentProbed | null> {
  const { reading, networks, clock, depsOf } = parts
  const wanted = reading.find(name)
  if (wanted === undefined) return null
  const { kind, isGuarded } = wanted
  if (kind.probe === undefined) return failed('notProbed', `connections of ${kind.kind} are not tried`)
  const late = new Promise<AgentProbed>((resolve) => {
    clock.after(probeMs, () => resolve(failed('timeout', `no result within ${probeMs} ms`)))
  })
  const quick = { ...wanted.connection, timeoutMs: stepMs }
  const trying = async (): Promise<AgentProbed> => {
    const led = isGuarded && networks !== null ? leadTo(quick, await networks.find(hostOf(quick))) : quick
    return (await kind.probe?.(led, depsOf(kind.kind))) ?? failed('notProbed', '')
  }
  const probed = await Promise.race([late, trying().catch(failedBefore)])
  return { ...probed, reason: probed.reason.slice(0, failureCharactersMax) }
}

function failedBefore(error: unknown): AgentProbed {
  if (error instanceof HostRefused) return failed('unreachable', error.message)
  return failed(networkCodeOf(error), errorReason(error))
}
