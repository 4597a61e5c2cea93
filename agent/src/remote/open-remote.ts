import type { Clock } from '../clock.ts'
import type { AgentConfig } from '../config/config.ts'
import type { DriverDeps } from '../drivers/driver-kind.ts'
import { loadKinds } from '../drivers/kinds.ts'
import { errorReason, type Log } from '../log.ts'
import type { PlatformRoutes } from '../tunnel/json-answers.ts'
import { Explorers } from './explorers.ts'
import { Networks, riskOf } from './networks.ts'
import type { DocumentRules } from './parse-document.ts'
import { portOf, RemotePorts } from './ports.ts'
import { RemoteDrivers } from './remote-drivers.ts'
import { createRemoteRoutes } from './remote-routes.ts'
import { RemoteStore } from './remote-store.ts'

/** The part of the agent that may be configured from the platform. */
export interface Remote {
  readonly drivers: RemoteDrivers
  readonly routes: PlatformRoutes
  readonly networks: Networks
  readonly ports: RemotePorts
  stop(): void
}

export interface OpenRemoteParts {
  readonly clock: Clock
  readonly log: Log
  depsOf(kind: string): DriverDeps
}

/**
 * Reads the remote configuration; null if the agent's file does not allow it, or if the state on the disk
 * cannot be read: then only the hand-written connections are read, and the state is not overwritten.
 */
export async function openRemote(config: AgentConfig, parts: OpenRemoteParts): Promise<Remote | null> {
  if (config.remote === null) return null
  const { clock, log, depsOf } = parts
  const networks = new Networks(config.remote.networks)
  for (const network of config.remote.networks) {
    const why = riskOf(network)
    if (why !== undefined) log('warn', 'remote.networkWide', { network, reason: why })
  }
  let store: RemoteStore
  try {
    store = await RemoteStore.open(config.folders.remote)
  } catch (error) {
    log('error', 'remote.unreadable', { folder: config.folders.remote, reason: errorReason(error) })
    return null
  }
  const kept = await store.read(store.active)
  const ports = new RemotePorts(config.remote.ports, kept)
  for (const connection of kept?.connections ?? []) {
    if (ports.refusal(connection) === null && !ports.isUsual(connection))
      log('warn', 'remote.portKept', { connection: String(connection.name), port: portOf(connection) })
  }
  const rules: DocumentRules = { local: config.connections, networks, ports, loadKinds }
  const drivers = await RemoteDrivers.open({ store, rules, networkTexts: config.remote.networks, clock, log })
  const explorers = new Explorers({ rules, networks, clock, depsOf })
  return {
    drivers,
    networks,
    ports,
    routes: createRemoteRoutes({ drivers, explorers, log }),
    stop() {
      drivers.stop()
      explorers.stop()
    },
  }
}
