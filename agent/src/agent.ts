import { join } from 'node:path'
import type { Clock } from './clock.ts'
import type { AgentConfig } from './config/config.ts'
import type { Driver } from './drivers/driver.ts'
import type { DriverDeps, DriverKind, DriverKinds } from './drivers/driver-kind.ts'
import type { Log } from './log.ts'
import { MachineModel } from './machine-model.ts'
import { Outbox } from './outbox/outbox.ts'
import { startPage } from './page/page.ts'
import { startPageServer } from './page/page-server.ts'
import { openSource } from './position/open-source.ts'
import { startPosition } from './position/position.ts'
import { firstPollMs, Reading, type WantedConnection } from './reading.ts'
import { guardDriver } from './remote/guarded-driver.ts'
import { openRemote, type Remote } from './remote/open-remote.ts'
import type { RemoteConnection } from './remote/parse-document.ts'
import { hostOf, leadTo } from './remote/remote-kinds.ts'
import { KeptLog } from './service/kept-log.ts'
import { probeConnection } from './service/probe-connection.ts'
import { Scanner } from './service/scan.ts'
import { createServiceRoutes } from './service/service-routes.ts'
import type { Sample, Tag } from './tag.ts'
import { startAgentTunnel } from './tunnel/agent-tunnel.ts'
import { EdgeNode } from './uplink/edge-node.ts'
import type { Uplink } from './uplink/uplink.ts'
import { startUplink } from './uplink/uplink.ts'
import { within } from './within.ts'

const lastWriteMs = 800

export interface AgentParts {
  clock: Clock
  log: Log
  /** 0 to 1, for jitter and simulated signals. */
  random: () => number
}

export interface Agent {
  /** Says goodbye to the cloud and ends, in less than three seconds. */
  stop(): Promise<void>
}

/**
 * Starts everything: the controllers as one machine, one line to the cloud. Throws `FolderHeldError` while another agent
 * uses its outbox: nothing has been read or written then.
 */
export async function startAgent(config: AgentConfig, parts: AgentParts): Promise<Agent> {
  const { clock } = parts
  const keptLog = new KeptLog(clock)
  const log = keptLog.follow(parts.log)
  let uplink: Uplink | null = null
  const depsOf = (kind: string): DriverDeps => ({
    ...parts,
    log,
    configFolder: config.folders.config,
    stateFolder: join(config.folders.driverState, kind),
    onTagsChanged: () => uplink?.rebirth(),
  })
  const remote = await openRemote(config, { clock, log, depsOf })
  const local = config.connections.map(
    (connection): WantedConnection => ({
      connection,
      kind: kindOf(config.kinds, connection.driver),
      text: JSON.stringify(connection),
      isGuarded: false,
    }),
  )
  const wantRemote = (connections: readonly RemoteConnection[], kinds: DriverKinds): WantedConnection[] =>
    connections.map((one) => ({ ...one, kind: kindOf(kinds, one.connection.driver), isGuarded: true }))
  const wanted = [...local, ...(remote ? wantRemote(remote.drivers.connections, remote.drivers.kinds) : [])]
  const open = (one: WantedConnection) => ({
    ...one.connection,
    driver: openDriver(one, remote, depsOf(one.kind.kind)),
  })
  const tags = wanted.flatMap(({ connection }): readonly Tag[] => connection.tags)
  const outbox = await openOutbox(config, tags, { ...parts, log })
  const early: Sample[] = []
  const machine = new MachineModel({
    code: config.cloud.code,
    connections: wanted.map(open),
    clock,
    log,
    publish: (samples) => (uplink === null ? void early.push(...samples) : uplink.send(samples)),
  })
  log('info', 'agent.started', { connections: wanted.length, tags: tags.length })
  await within(firstPollMs, machine.firstPolls, clock)

  const node = new EdgeNode({
    code: config.cloud.code,
    tags,
    attributes: config.attributes,
    // A death from before a restart must not fit the first birth after it.
    firstBdSeq: Math.floor(clock.now() / 1_000) % 256,
  })
  const line = startUplink({
    ...config.cloud,
    node,
    machine,
    outbox,
    early,
    clock,
    log,
    random: parts.random,
  })
  uplink = line
  const stopPosition = startPosition({
    sources: config.position.map((source) => openSource(source, clock)),
    publish: (told) => line.describe(told),
    ...{ clock, log },
  })
  const reading = new Reading({ wanted, machine, node, outbox, line, clock, open })
  const page = startPage({
    machine,
    model: config.attributes.model ?? '',
    connections: () => reading.places,
    localWrite: config.page?.write ?? false,
    clock,
    log,
  })
  remote?.drivers.attach({
    connections: () => reading.connections(),
    roomForTags: () => reading.roomForTags(),
    async change(connections, kinds) {
      const change = await reading.change([...local, ...wantRemote(connections, kinds)])
      page.retag()
      return change
    },
  })
  const pageServer = config.page === null ? null : startPageServer(config.page, page.handler, { clock, log })
  const scanner = remote === null ? null : new Scanner({ ...remote, clock })
  const service = createServiceRoutes({
    health: {
      ...{ url: config.cloud.url, localCount: local.length },
      ...{ machine, reading, outbox, line, keptLog, clock },
    },
    probe: (name) => probeConnection(name, { reading, networks: remote?.networks ?? null, clock, depsOf }),
    scanner,
    log,
  })
  const tunnel = startAgentTunnel(config, {
    ...parts,
    log,
    page: page.handler,
    remote: remote?.routes ?? null,
    service,
    tagAt: ({ host, port }, unit, place) => {
      const tag = reading.tagAt({ host, port, unit, place })
      return tag && { group: tag.group, name: tag.name }
    },
  })

  return {
    async stop() {
      stopPosition()
      tunnel.stop()
      scanner?.stop()
      remote?.stop()
      page.close()
      const pageStopped = pageServer?.stop()
      // A running write is read back first, so that its result is reported.
      const machineStopped = machine.stop()
      await within(lastWriteMs, machineStopped, clock)
      await line.stop()
      await machineStopped
      await pageStopped
    },
  }
}

function openOutbox(
  { cloud, outbox }: AgentConfig,
  tags: readonly Tag[],
  { clock, log }: AgentParts,
): Promise<Outbox> {
  return Outbox.open({
    ...outbox,
    // Samples of one machine must never be sent as another's, whatever code the configuration names next.
    folder: outbox.folder === null ? null : join(outbox.folder, cloud.code),
    samplesMax: cloud.outboxSamplesMax,
    tags,
    clock,
    log,
  })
}

function kindOf(kinds: DriverKinds, driver: string): DriverKind {
  const kind = kinds.get(driver)
  if (kind === undefined || 'path' in kind) throw new Error(`there is no driver ${driver}`)
  return kind
}

function openDriver(
  { connection, kind, isGuarded }: WantedConnection,
  remote: Remote | null,
  deps: DriverDeps,
): Driver {
  if (!isGuarded || remote === null) return kind.open(connection, deps)
  return guardDriver({
    host: hostOf(connection),
    name: connection.name,
    tagCount: connection.tags.length,
    networks: remote.networks,
    clock: deps.clock,
    log: deps.log,
    open: (address) => kind.open(leadTo(connection, address), deps),
  })
}
