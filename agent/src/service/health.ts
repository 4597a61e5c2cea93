import { statfs } from 'node:fs/promises'
import { availableParallelism, freemem, loadavg, platform, release } from 'node:os'
import type { AgentHealth } from '@busbar/link'
import { agentServiceLimits } from '@busbar/link'
import packageJson from '../../package.json' with { type: 'json' }
import type { Clock } from '../clock.ts'
import type { MachineModel } from '../machine-model.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Reading } from '../reading.ts'
import type { PlatformClock } from '../tunnel/visitor.ts'
import type { Uplink } from '../uplink/uplink.ts'
import type { KeptLog } from './kept-log.ts'
import { proxyOf } from './proxy.ts'

export interface HealthParts {
  /** Of the platform. */
  readonly url: string
  /** The first connections are those of the hand-written file. */
  readonly localCount: number
  readonly machine: MachineModel
  readonly reading: Reading
  readonly outbox: Outbox
  readonly line: Uplink
  readonly keptLog: KeptLog
  readonly clock: Clock
}

/** The state of the agent and of all that it needs. */
export async function readHealth(parts: HealthParts, platformClock: PlatformClock): Promise<AgentHealth> {
  const { url, outbox, line, keptLog, clock } = parts
  // Values that come meanwhile are older than the answer.
  const disk = await readDisk(outbox.folder)
  const at = clock.now()
  return {
    version: packageJson.version,
    node: process.version,
    system: `${platform()} ${process.arch} ${release()}`,
    at,
    uptimeMs: Math.round(process.uptime() * 1_000),
    // Windows tells none.
    load: platform() === 'win32' ? null : (loadavg()[0] ?? null),
    processors: availableParallelism(),
    memory: { usedBytes: process.memoryUsage.rss(), freeBytes: freemem() },
    disk,
    outbox: {
      waiting: outbox.waiting,
      oldestAt: outbox.oldestAt,
      dropped: outbox.dropped,
      isDiskWell: outbox.isDiskWell,
    },
    clockAheadMs: platformClock.isTold ? Math.round(at - platformClock()) : null,
    line: { isOnline: line.isOnline, ...line.path, proxy: proxyOf(url), failures: keptLog.lineFailures },
    connections: listConnections(parts, at),
  }
}

function listConnections(
  { localCount, machine, reading, keptLog }: HealthParts,
  now: number,
): AgentHealth['connections'] {
  const { places } = reading
  const samples = machine.current().filter(({ value }) => value !== null)
  return reading
    .connections()
    .slice(0, agentServiceLimits.connectionsMax)
    .map(({ name, driver, tags, state }, index) => {
      const { firstTag, tagCount } = places[index] ?? { firstTag: 0, tagCount: 0 }
      const times = samples.flatMap(({ tag, at }) =>
        tag >= firstTag && tag < firstTag + tagCount ? [at] : [],
      )
      return {
        name,
        driver,
        remote: index >= localCount,
        tags,
        state,
        failure: keptLog.failureOf(name),
        valueAgeMs: times.length === 0 ? null : now - times.reduce((newest, at) => Math.max(newest, at)),
      }
    })
}

async function readDisk(folder: string | null): Promise<AgentHealth['disk']> {
  if (folder === null) return null
  try {
    const { bsize, bavail, blocks } = await statfs(folder)
    return { freeBytes: bsize * bavail, totalBytes: bsize * blocks }
  } catch {
    return null
  }
}
