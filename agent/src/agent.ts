import type { Clock } from './clock.ts'
import type { AgentConfig, ConnectionConfig } from './config/config.ts'
import type { Driver } from './drivers/driver.ts'
import { createModbusDriver } from './drivers/modbus-tcp/modbus-driver.ts'
import { createSimulatedDriver } from './drivers/simulated/simulated-driver.ts'
import type { Log } from './log.ts'
import type { PollLoop } from './sampling/poll-loop.ts'
import { startPollLoop } from './sampling/poll-loop.ts'
import { Sampler } from './sampling/sampler.ts'
import type { Sample, Tag } from './tag.ts'
import { EdgeNode } from './uplink/edge-node.ts'
import type { Uplink } from './uplink/uplink.ts'
import { startUplink } from './uplink/uplink.ts'

/** The first birth waits this long for the controllers' first answers, so that it does not tell of bad values. */
const firstPollMs = 2_000

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

/** Starts everything: a driver and a poll loop for each connection, one line to the cloud. */
export async function startAgent(config: AgentConfig, parts: AgentParts): Promise<Agent> {
  const { clock, log } = parts
  const samplers: Sampler[] = []
  const drivers: Driver[] = []
  const loops: PollLoop[] = []
  let tagCount = 0
  let uplink: Uplink | null = null

  for (const connection of config.connections) {
    const sampler = new Sampler(connection.tags, tagCount, connection.pollIntervalMs)
    const driver = createDriver(connection, parts)
    tagCount += connection.tags.length
    samplers.push(sampler)
    drivers.push(driver)
    loops.push(
      startPollLoop(driver, connection.pollIntervalMs, clock, (readings) => {
        const samples = sampler.offer(readings, clock.now(), clock.monotonic())
        // Until there is a line nothing is lost: the birth tells the newest value of every tag.
        uplink?.send(samples)
      }),
    )
  }
  log('info', 'agent.started', { connections: drivers.length, tags: tagCount })
  await firstPolls(loops, clock)

  const node = new EdgeNode({
    code: config.cloud.code,
    tags: config.connections.flatMap((connection): Tag[] => connection.tags),
    attributes: config.attributes,
    // A death from before a restart must not fit the first birth after it.
    firstBdSeq: Math.floor(clock.now() / 1_000) % 256,
  })
  const current = (): Sample[] => samplers.flatMap((sampler) => sampler.current())
  const line = startUplink({ ...config.cloud, node, current, clock, log, random: parts.random })
  uplink = line

  return {
    async stop() {
      for (const loop of loops) loop.stop()
      await line.stop()
      await Promise.all(drivers.map((driver) => driver.close()))
    },
  }
}

function createDriver(connection: ConnectionConfig, { clock, log, random }: AgentParts): Driver {
  switch (connection.driver) {
    case 'modbus-tcp':
      return createModbusDriver(connection, clock, log)
    case 'simulated':
      return createSimulatedDriver(connection, clock, random)
  }
}

function firstPolls(loops: readonly PollLoop[], clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(firstPollMs, resolve)
    void Promise.all(loops.map((loop) => loop.firstPoll)).then(() => {
      cancel()
      resolve()
    })
  })
}
