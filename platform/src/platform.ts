import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Bus, createLocalBus } from './bus/bus.ts'
import type { Config } from './config.ts'
import { isHttps } from './config.ts'
import type { Database } from './database/database.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { registerBindings } from './http/api.ts'
import type { Binding } from './http/bind.ts'
import { createProxyTrust } from './http/client-address.ts'
import { registerConsole } from './http/console-files.ts'
import { registerHealth } from './http/health-routes.ts'
import { registerIngest } from './http/ingest-route.ts'
import { createHttpServer } from './http/server.ts'
import { registerUpgrades } from './http/upgrades.ts'
import type { Logger } from './logger.ts'
import { counter, gauge, type Metric } from './metrics.ts'
import { createAccess } from './modules/access/index.ts'
import {
  accountsRoutes,
  findPushSession,
  findSession,
  findUser,
  removeExpired,
} from './modules/accounts/index.ts'
import { brandsRoutes } from './modules/brands/index.ts'
import { enterprisesRoutes } from './modules/enterprises/index.ts'
import { machinesRoutes } from './modules/machines/index.ts'
import { messagesRoutes } from './modules/messages/index.ts'
import { createTelemetry, type Telemetry, telemetryRoutes } from './modules/telemetry/index.ts'
import { RealtimeHub } from './realtime/hub.ts'
import { MachineStates } from './realtime/machine-states.ts'
import { removeOldEvents } from './realtime/user-events.ts'
import { RightsWatch } from './rights/rights-watch.ts'

const housekeepingMs = 5 * 60_000

/** The folder `vite build` writes the console to. */
export const consoleDist = path.resolve(import.meta.dirname, '../../console/dist')

export interface Platform {
  readonly app: FastifyInstance
  readonly bus: Bus
  readonly telemetry: Telemetry
  readonly gateway: Gateway
  readonly hub: RealtimeHub
  /** Every route this platform answers, with its function. */
  readonly bindings: readonly Binding[]
  /** Starts to serve; answers the addresses it listens on. */
  start(ports: { web: number; mqtt: number }): Promise<{ webPort: number; mqttPort: number }>
  metrics(): Metric[]
  /** Stops in reverse: no new requests, machines' last samples committed, then the rest. */
  stop(): Promise<void>
}

/** Puts the platform together on a migrated database. Nothing listens before `start`. */
export async function createPlatform(options: {
  db: Database
  config: Config
  logger: Logger
  now?: () => number
  dist?: string
}): Promise<Platform> {
  const { db, config, logger } = options
  const now = options.now ?? Date.now
  const demo = config.BUSBAR_DEMO
  const bus = createLocalBus(logger)
  const access = createAccess(db, { demo })
  const rights = new RightsWatch({ db, bus, logger })
  const telemetry = createTelemetry({ db, bus, logger, now })
  const gateway = createGateway({ db, bus, logger, telemetry, now })
  const hub = new RealtimeHub({
    db,
    bus,
    logger,
    access,
    rights,
    latest: (machineId, tagIds) => telemetry.listLatest(machineId, tagIds),
    findPushSession: (sid, at) => findPushSession(db, sid, at),
    now,
  })
  const states = new MachineStates({
    db,
    bus,
    logger,
    hub,
    isOnline: (id) => gateway.presence.isOnline(id),
    now,
  })

  const bindings = [
    ...accountsRoutes(db, bus, { https: isHttps(config) }),
    ...brandsRoutes(),
    ...enterprisesRoutes(db),
    ...machinesRoutes({ db, bus, access, presence: gateway.presence, telemetry }),
    ...messagesRoutes(db),
    ...telemetryRoutes(telemetry),
  ]
  const app = await createHttpServer(config, logger)
  const guards = {
    findSession: (token: string, at: number) => findSession(db, token, at),
    isOperator: async (userId: number) => (await findUser(db, userId)).is_operator,
    hasMachineRight: access.has,
    whyNot: access.whyNot,
    machineOfCode: access.machineOfCode,
    machineOfGrant: access.machineOfGrant,
    machinesOfTags: (tagIds: readonly number[]) => telemetry.machinesOfTags(tagIds),
  }
  registerBindings(app, bindings, guards, config, now)
  registerIngest(app, gateway)
  let isReady = false
  registerHealth(app, {
    missing: async () => [
      ...(isReady ? [] : ['start']),
      ...(await db
        .selectFrom('telemetry_state')
        .select('singleton')
        .execute()
        .then(
          () => [],
          () => ['database'],
        )),
    ],
  })
  await registerConsole(app, options.dist ?? consoleDist)
  registerUpgrades(app.server, {
    push: (ws, sid) => void hub.accept(ws, sid),
    mqtt: (ws, address) => gateway.acceptWebSocket(ws, address),
    addressOf: createProxyTrust(config.TRUSTED_PROXIES),
  })

  let housekeeping: NodeJS.Timeout | undefined
  const keepHouse = () =>
    Promise.all([removeExpired(db, new Date(now())), removeOldEvents(db)]).catch((error) =>
      logger.warn({ err: error }, 'housekeeping failed'),
    )

  return {
    app,
    bus,
    telemetry,
    gateway,
    hub,
    bindings,
    async start(ports) {
      await telemetry.start()
      states.start()
      await rights.start()
      hub.start()
      const mqttPort = await gateway.start({ host: config.HOST, port: ports.mqtt })
      await app.listen({ host: config.HOST, port: ports.web })
      housekeeping = setInterval(() => void keepHouse(), housekeepingMs)
      isReady = true
      const address = app.server.address()
      return { webPort: typeof address === 'object' && address ? address.port : ports.web, mqttPort }
    },
    metrics: () => collectMetrics(gateway, hub),
    async stop() {
      isReady = false
      clearInterval(housekeeping)
      hub.stop()
      rights.stop()
      await gateway.stop()
      await app.close()
      await states.stop()
      await telemetry.stop()
    },
  }
}

function collectMetrics(gateway: Gateway, hub: RealtimeHub): Metric[] {
  const ingest = gateway.stats()
  const push = hub.stats()
  return [
    gauge('busbar_mqtt_connections', 'Open MQTT connections', ingest.connections),
    counter('busbar_mqtt_messages_total', 'Publishes taken', ingest.messages),
    counter('busbar_samples_total', 'Samples committed', ingest.points),
    counter('busbar_mqtt_bytes_total', 'Bytes of publishes', ingest.bytes),
    counter('busbar_mqtt_logins_refused_total', 'Logins refused', ingest.refusedLogins),
    gauge('busbar_ingest_waiting', 'Records waiting for their commit', ingest.waiting),
    gauge('busbar_push_sockets', 'Open push sockets', push.sockets),
    gauge('busbar_push_channels', 'Sets of tags watched', push.channels),
  ]
}
