import { join } from 'node:path'
import type { Clock } from './clock.ts'
import type { AgentConfig } from './config/config.ts'
import type { Driver } from './drivers/driver.ts'
import type { DriverConnection } from './drivers/driver-kind.ts'
import type { Log } from './log.ts'
import { MachineModel } from './machine-model.ts'
import { Outbox } from './outbox/outbox.ts'
import { startPage } from './page/page.ts'
import { startPageServer } from './page/page-server.ts'
import type { PageConnection } from './page/page-views.ts'
import type { Sample, Tag } from './tag.ts'
import { startAgentTunnel } from './tunnel/agent-tunnel.ts'
import { EdgeNode } from './uplink/edge-node.ts'
import type { Uplink } from './uplink/uplink.ts'
import { startUplink } from './uplink/uplink.ts'

/** The first birth waits this long for the controllers' first answers, so that it does not tell of bad values. */
const firstPollMs = 2_000
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
  const { clock, log } = parts
  const tags = config.connections.flatMap((connection): readonly Tag[] => connection.tags)
  const outbox = await openOutbox(config, tags, parts)
  let uplink: Uplink | null = null
  const early: Sample[] = []
  const machine = new MachineModel({
    code: config.cloud.code,
    connections: config.connections.map((connection) => ({
      ...connection,
      driver: openDriver(connection, config, parts, () => uplink?.rebirth()),
    })),
    clock,
    publish: (samples) => (uplink === null ? void early.push(...samples) : uplink.send(samples)),
  })
  log('info', 'agent.started', { connections: config.connections.length, tags: machine.tags.length })
  await within(firstPollMs, machine.firstPolls, clock)

  const node = new EdgeNode({
    code: config.cloud.code,
    tags: machine.tags,
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

  const page = startPage({
    machine,
    model: config.attributes.model ?? '',
    connections: pageConnections(config),
    localWrite: config.page?.write ?? false,
    clock,
    log,
  })
  const pageServer = config.page === null ? null : startPageServer(config.page, page.handler, { clock, log })
  const tunnel = startAgentTunnel(config, { ...parts, page: page.handler })

  return {
    async stop() {
      tunnel.stop()
      page.close()
      const pageStopped = pageServer?.stop()
      // A write under way is read back first, so that it is told what became of it.
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
    // Samples of one machine are never sent as another's, whatever code the configuration names next.
    folder: outbox.folder === null ? null : join(outbox.folder, cloud.code),
    samplesMax: cloud.outboxSamplesMax,
    tags,
    clock,
    log,
  })
}

function pageConnections({ connections }: AgentConfig): PageConnection[] {
  let firstTag = 0
  return connections.map(({ name, tags }) => {
    const connection = { name, firstTag, tagCount: tags.length }
    firstTag += tags.length
    return connection
  })
}

function openDriver(
  connection: DriverConnection,
  { kinds, folders }: AgentConfig,
  parts: AgentParts,
  onTagsChanged: () => void,
): Driver {
  const kind = kinds.get(connection.driver)
  if (kind === undefined || 'path' in kind) throw new Error(`there is no driver ${connection.driver}`)
  const stateFolder = join(folders.driverState, kind.kind)
  return kind.open(connection, { ...parts, configFolder: folders.config, stateFolder, onTagsChanged })
}

function within(limitMs: number, done: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, resolve)
    void done.then(() => {
      cancel()
      resolve()
    })
  })
}
