import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AnswerOf,
  ApiError,
  type Client,
  createClient,
  type RequestOf,
  type Route,
} from '@busbar/contract'
import { type Config, readConfig } from '@busbar/platform/config.ts'
import type { PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { closePools, openPools, splitConnections } from '@busbar/platform/kernel/database/pools.ts'
import type { Follower } from '@busbar/platform/kernel/facts/follower.ts'
import type { RateCounters } from '@busbar/platform/kernel/http/rate-counters.ts'
import { type Logger, silentLogger } from '@busbar/platform/kernel/logger.ts'
import { createPlatform, type Platform, type PlatformOptions } from '@busbar/platform/platform.ts'
import type { VisitRules } from '@busbar/platform/visit-host/rules.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A whole platform on a new database, listening on free loopback ports. */
export interface TestPlatform {
  readonly platform: Platform
  readonly db: Database
  /** FILES_DIR. */
  readonly filesDir: string
  /** For connections beside the platform's own. */
  readonly connection: PostgresConnection
  readonly url: string
  readonly webPort: number
  /** 0 with MQTT_PLAIN=0. */
  readonly mqttPort: number
  readonly mqttUrl: string
  /** MQTT with TLS, if the platform has a certificate. */
  readonly mqttsPort: number | undefined
  /** Calls a route with or without a session; throws ApiError. */
  as(user: { token: string } | undefined, lang?: 'cn' | 'en'): Client
  stop(): Promise<void>
}

const connectionsMax = 12

export interface TestPlatformOptions {
  dist?: string
  now?: () => number
  visitRules?: Partial<VisitRules>
  providers?: PlatformOptions['providers']
  /** The name servers of outgoing calls. */
  resolve?: PlatformOptions['resolve']
  logger?: Logger
  rateCounters?: RateCounters
  /** Followers of facts in addition to those of the modules. */
  followers?: readonly Follower[]
}

/** Starts the real platform; `env` are its settings. */
export async function startTestPlatform(
  env: Record<string, string> = {},
  options: TestPlatformOptions = {},
): Promise<TestPlatform> {
  const database = await createTestDatabase({ poolMax: connectionsMax })
  const site = await startTestPlatformOn(database, env, options)
  return {
    ...site,
    async stop() {
      await site.stop()
      await database.drop()
    },
  }
}

/** The same on a database that others use as well; stopping it leaves the database. */
export async function startTestPlatformOn(
  database: Pick<TestDatabase, 'db' | 'connection'>,
  env: Record<string, string>,
  options: TestPlatformOptions &
    Pick<PlatformOptions, 'nodeId' | 'cluster' | 'certificate' | 'secrets' | 'filesDir'> = {},
): Promise<TestPlatform> {
  const config: Config = readConfig({ LOG_LEVEL: 'silent', ...env })
  // Tests use connections of `db` themselves, so the platform gets separate pools.
  const apart = openPools(database.connection, splitConnections(connectionsMax))
  const pools = { ...apart, calls: database.db }
  const ownFiles = options.filesDir ? undefined : await mkdtemp(join(tmpdir(), 'busbar-files-'))
  const filesDir = options.filesDir ?? (ownFiles as string)
  const tilesDir = `${filesDir}-tiles`
  const platform = await createPlatform({
    pools,
    config,
    logger: silentLogger,
    ...options,
    filesDir,
    tilesDir,
  })
  for (const follower of options.followers ?? []) platform.facts.follow(follower)
  const { webPort, mqttPort, mqttsPort } = await platform.start({ web: 0, mqtt: 0 })
  const url = `http://127.0.0.1:${webPort}`
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await platform.stop()
    await closePools(apart)
    for (const dir of [ownFiles, tilesDir]) if (dir) await rm(dir, { recursive: true, force: true })
  }
  return {
    platform,
    db: database.db,
    filesDir,
    connection: database.connection,
    url,
    webPort,
    mqttPort: mqttPort ?? 0,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    mqttsPort,
    as: (user, lang = 'en') =>
      createClient({ baseUrl: url, lang: () => lang, ...(user ? { token: () => user.token } : {}) }),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** The ApiError of a call; if the call succeeds, the test fails. */
export async function failureOf<R extends Route>(
  client: Client,
  route: R,
  request: RequestOf<R>,
): Promise<ApiError> {
  let answer: AnswerOf<R>
  try {
    answer = await client.call(route, request)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(
    `${route.path} should have been refused, but answered ${JSON.stringify(answer).slice(0, 200)}`,
  )
}
