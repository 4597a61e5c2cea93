import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { type Bus, createLocalBus } from './bus/bus.ts'
import type { Config } from './config.ts'
import { isHttps } from './config.ts'
import { poolStats } from './database/database.ts'
import type { DatabasePools } from './database/pools.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { gatewayLimits } from './gateway/limits.ts'
import { rawRoutes } from './gateway/raw-routes.ts'
import { registerBindings } from './http/api.ts'
import { registerApiDocument } from './http/api-document.ts'
import { ownOriginOf } from './http/authenticate.ts'
import type { Binding } from './http/bind.ts'
import { CallLimits } from './http/call-limits.ts'
import { Certificates } from './http/certificates.ts'
import { createProxyHost, createProxyTrust, createSecureCheck } from './http/client-address.ts'
import { registerConsole } from './http/console-files.ts'
import { registerHealth } from './http/health-routes.ts'
import { registerIngest } from './http/ingest-route.ts'
import { createLoadGates } from './http/load-gate.ts'
import { LocalRateCounters, type RateCounters } from './http/rate-counters.ts'
import { createHttpServer } from './http/server.ts'
import { sessionCookieName } from './http/session-reader.ts'
import { registerUpgrades } from './http/upgrades.ts'
import { WebPort } from './http/web-port.ts'
import type { Logger } from './logger.ts'
import { type Metric, RequestMeter } from './metrics/index.ts'
import {
  accessRoutes,
  createAccess,
  expireTransfers,
  ownerReason,
  ownershipRoutes,
  TimedRights,
} from './modules/access/index.ts'
import {
  accountsRoutes,
  findPushSession,
  findQrState,
  findSession,
  isQrToken,
  mayOperate,
  qrKey,
  removeExpired,
} from './modules/accounts/index.ts'
import {
  ApplicationExpiry,
  applicationsRoutes,
  createListAnswerable,
  createWhyNot,
  enterByTicket,
  findMachineIdByApplication,
} from './modules/applications/index.ts'
import { BrandDirectory, brandsRoutes } from './modules/brands/index.ts'
import { codesRoutes, createCodeCookies, removeExpiredCodes } from './modules/codes/index.ts'
import { createEnterpriseGuards, enterprisesRoutes } from './modules/enterprises/index.ts'
import { friendsRoutes } from './modules/friends/index.ts'
import { erasePeople, eraseSpaces, expireHandovers, leavingRoutes } from './modules/leaving/index.ts'
import { machineTypesRoutes, registerMachinePictures } from './modules/machine-types/index.ts'
import { machinesRoutes } from './modules/machines/index.ts'
import { createMailbox, messagesRoutes, removeOldMessages } from './modules/messages/index.ts'
import { operatorRoutes } from './modules/operator/index.ts'
import { createOutgoing } from './modules/outgoing/index.ts'
import { registrationRoutes } from './modules/registration/index.ts'
import { scadaRoutes } from './modules/scada/index.ts'
import { createTelemetry, type Telemetry, telemetryRoutes } from './modules/telemetry/index.ts'
import { registerUploads, uploadsRoutes } from './modules/uploads/index.ts'
import { createVisits, type Visits } from './modules/visits/index.ts'
import { visitReportRoutes, WritesService, writesRoutes } from './modules/writes/index.ts'
import { readFigures } from './platform-figures.ts'
import { collectMetrics } from './platform-metrics.ts'
import { RealtimeHub } from './realtime/hub.ts'
import { MachineStates } from './realtime/machine-states.ts'
import { QrSockets } from './realtime/qr-sockets.ts'
import { removeOldEvents } from './realtime/user-events.ts'
import { RightsWatch } from './rights/rights-watch.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'
import { createSignInCodes } from './sign-in-codes.ts'
import type { Tunnels } from './tunnel/tunnel.ts'
import { TunnelRegistry } from './tunnel/tunnel-registry.ts'
import { registerAuthorize } from './visit-host/authorize-route.ts'
import { type VisitRules, visitRules } from './visit-host/rules.ts'
import { createVisitAddress } from './visit-host/visit-address.ts'
import { createVisitHost } from './visit-host/visit-host.ts'

const housekeepingMs = 5 * 60_000
/** What was asked before a stop is answered; what takes longer is cut. */
const drainMsMax = 3_000

/** The folder `vite build` writes the console to. */
export const consoleDist = path.resolve(import.meta.dirname, '../../console/dist')

/** The ports a platform listens on; `mqttsPort` where it has a certificate. */
export interface Listening {
  readonly webPort: number
  /** Undefined with MQTT_PLAIN=0. */
  readonly mqttPort: number | undefined
  readonly mqttsPort: number | undefined
}

export interface Platform {
  readonly app: FastifyInstance
  readonly bus: Bus
  readonly telemetry: Telemetry
  readonly gateway: Gateway
  readonly hub: RealtimeHub
  readonly tunnels: Tunnels
  readonly visits: Visits
  /** Every route this platform answers, with its function. */
  readonly bindings: readonly Binding[]
  /** Starts to serve; answers the addresses it listens on. */
  start(ports: { web: number; mqtt: number; mqtts?: number }): Promise<Listening>
  metrics(): Metric[]
  /**
   * Stops in reverse: nothing new is accepted, what was asked is answered and what machines sent is acknowledged, pages,
   * machines and tunnels are told, then the rest.
   */
  stop(): Promise<void>
}

/** Puts the platform together on a migrated database. Nothing listens before `start`. */
export async function createPlatform(options: {
  pools: DatabasePools
  config: Config
  logger: Logger
  now?: () => number
  dist?: string
  /** Encrypts second factors; without one they end with this process. */
  secrets?: SecretBox
  /** For a test that shows what fails without one of them. */
  visitRules?: Partial<VisitRules> | undefined
  /** Where calls are counted; without them in this process. */
  rateCounters?: RateCounters | undefined
}): Promise<Platform> {
  const { pools, config, logger } = options
  const { commits, history, lists } = pools
  const db = pools.calls
  const now = options.now ?? Date.now
  const demo = config.BUSBAR_DEMO
  let webPort = config.PORT ?? 0
  const visitAddress = createVisitAddress(
    config,
    () => webPort,
    () => brands.sites,
  )
  const certificates = Certificates.open(config, logger, (name) => visitAddress.owns(name))
  const port = new WebPort(createSecureCheck(config.TRUSTED_PROXIES), certificates)
  const meter = new RequestMeter()
  const bus = createLocalBus(logger)
  const brands = await BrandDirectory.open({ db, bus, logger, config })
  const outgoing = createOutgoing({ db, logger, config, now, brandOf: (id) => brands.get(id) })
  const access = createAccess(db, { demo })
  const rights = new RightsWatch({ db: pools.watch, bus, logger })
  const timedRights = new TimedRights({ db, bus, logger, now })
  const telemetry = createTelemetry({ db, commits, history, lists, bus, logger, now })
  const gateway = createGateway({
    db,
    commits,
    lists,
    bus,
    logger,
    telemetry,
    hostId: config.SPARKPLUG_HOST_ID,
    machineValuesPerS: config.MACHINE_VALUES_PER_SECOND,
    now,
  })
  const tunnels = new TunnelRegistry({ logins: gateway.logins, rights, logger, now })
  rights.subscribe({
    changed({ machineId, reason }) {
      if (reason === 'secretReset' && machineId !== null) gateway.endMachine(machineId)
      if (reason === ownerReason && machineId !== null) {
        telemetry.disown(machineId)
        gateway.disown(machineId)
      }
      if (reason === 'language' && machineId !== null) void gateway.refreshLanguage(machineId)
    },
    // Machines are no visitors: they go on telling.
    blind: () => undefined,
  })
  const hub = new RealtimeHub({
    db,
    bus,
    logger,
    access,
    rights,
    latest: (machineIds) => telemetry.listLatestOfEach(machineIds),
    findPushSession: (sid, at, host) => findPushSession(db, sid, at, brands.find(host).id),
    now,
  })
  const mailbox = createMailbox(db, hub)
  bus.subscribe('messages', ({ userIds }) => {
    mailbox
      .tell(userIds, new Date(now()))
      .catch((error) => logger.warn({ err: error }, 'unread counts were not told'))
  })
  const qrSockets = new QrSockets({
    bus,
    logger,
    keyOf: qrKey,
    findState: (qrToken, at) => findQrState(db, qrToken, at),
    now,
  })
  const states = new MachineStates({
    db,
    bus,
    logger,
    hub,
    access,
    rights,
    isOnline: (id) => gateway.presence.isOnline(id),
    now,
  })
  const applicationExpiry = new ApplicationExpiry({ db, mailbox, logger, now })
  const findWhyNot = createWhyNot(db, access)
  const visits = createVisits({
    db,
    history,
    decisions: { db: pools.decisions, access: createAccess(pools.decisions, { demo }) },
    bus,
    logger,
    access,
    enterByTicket: (caller, wish) => enterByTicket({ db, bus, mailbox, demo }, caller, wish),
    findWhyNot,
    rights,
    tunnels,
    hub,
    address: visitAddress,
    now,
  })
  const writes = new WritesService({
    db,
    bus,
    logger,
    access,
    control: visits.control,
    telemetry,
    gateway,
    hub,
    now,
  })

  const desk = { db, outgoing, publicUrl: config.PUBLIC_URL }
  const cookies = createCodeCookies(isHttps(config))
  const isOperator = (userId: number) => mayOperate(db, userId, { factor: config.OPERATOR_SECOND_FACTOR })

  const bindings = [
    ...accessRoutes({ db, bus, mailbox, access, demo }),
    ...applicationsRoutes({ db, bus, mailbox, access, demo }),
    ...ownershipRoutes({ db, bus, mailbox, demo }),
    ...accountsRoutes({
      db,
      bus,
      logger,
      box: options.secrets ?? createSecretBox(),
      codes: createSignInCodes(desk),
      outgoing,
      brands,
      https: isHttps(config),
      publicUrl: config.PUBLIC_URL,
    }),
    ...brandsRoutes(db),
    ...codesRoutes({ desk, cookies }),
    ...friendsRoutes(db),
    ...leavingRoutes({ desk, bus, mailbox }),
    ...enterprisesRoutes({
      db,
      lists,
      bus,
      mailbox,
      access,
      demo,
      presence: gateway.presence,
      visitUrlOf: (code, consoleHost) => visitAddress.entryUrl({ code, target: 'page' }, consoleHost),
      openVisit: visits.openVisit,
      outgoing,
      publicUrl: config.PUBLIC_URL,
      isMadeByOperators: config.ENTERPRISES_BY === 'operators',
      isOperator,
    }),
    ...machineTypesRoutes(db),
    ...machinesRoutes({
      db,
      lists,
      bus,
      access,
      presence: gateway.presence,
      clocks: gateway.clocks,
      telemetry,
      listBusy: visits.listBusy,
    }),
    ...messagesRoutes({ db, lists, mailbox, listAnswerable: createListAnswerable(db, access) }),
    ...operatorRoutes({
      db,
      lists,
      bus,
      brands,
      figures: () => readFigures({ gateway, telemetry, rights, hub, states, writes, tunnels, visits, port }),
      isOnline: (id) => gateway.presence.isOnline(id),
      startedAt: now(),
    }),
    ...registrationRoutes({
      desk,
      bus,
      cookies,
      findCaller: async (context) => {
        const token = context.cookie(sessionCookieName(isHttps(config)))
        return token ? findSession(db, token, context.now, context.brand.id) : undefined
      },
    }),
    ...scadaRoutes({ db, brands, outgoing }),
    ...telemetryRoutes(telemetry),
    ...uploadsRoutes({ db, isOperator }),
    ...rawRoutes(gateway),
    ...visits.routes,
    ...writesRoutes({ db, service: writes, findVisibleVisit: visits.findVisible }),
    ...visitReportRoutes({ db: history, listVisitsOfSpan: visits.listOfSpan }),
  ]
  const app = await createHttpServer(config, logger, port, meter)
  const guards = {
    findSession: (token: string, at: number, brandId: number) => findSession(db, token, at, brandId),
    isOperator,
    brands,
    hasMachineRight: access.has,
    whyNot: access.whyNot,
    machineOfCode: access.machineOfCode,
    machineOfGrant: access.machineOfGrant,
    machineOfApplication: (applicationId: number) => findMachineIdByApplication(db, applicationId),
    machinesOfTags: (tagIds: readonly number[]) => telemetry.machinesOfTags(tagIds),
    ...createEnterpriseGuards(db),
  }
  const callLimits = new CallLimits(options.rateCounters ?? new LocalRateCounters(), now)
  const loads = createLoadGates({ history: poolStats(history).max, lists: poolStats(lists).max })
  registerBindings(app, bindings, guards, callLimits, config, now, loads)
  registerIngest(app, gateway, callLimits)
  registerUploads(app, db, callLimits)
  registerMachinePictures(app, callLimits)
  let isReady = false
  const readiness = {
    missing: () => [
      ...(isReady ? [] : ['start']),
      ...(telemetry.isStalled ? ['commits'] : []),
      ...(rights.isFresh() ? [] : ['database']),
    ],
  }
  registerHealth(app, readiness, callLimits)
  registerApiDocument(app, callLimits)
  const addressOf = createProxyTrust(config.TRUSTED_PROXIES)
  const hostOf = createProxyHost(config.TRUSTED_PROXIES)
  const visitHost = {
    address: visitAddress,
    door: visits.door,
    https: isHttps(config),
    brandNameOf: (host: string | undefined) => brands.find(host).platformName,
    limits: callLimits,
    now,
  }
  registerAuthorize(app, {
    ...visitHost,
    rules: { ...visitRules, ...options.visitRules },
    ownOriginOf: (request) =>
      ownOriginOf(request, { brands }, config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : undefined),
    findSession: (token, at, host) => findSession(db, token, at, brands.find(host).id),
    machineOfCode: access.machineOfCode,
  })
  await registerConsole(app, options.dist ?? consoleDist, (host) => brands.find(host))
  port.serve(createVisitHost({ ...visitHost, tunnels, logger, addressOf, rules: options.visitRules }))
  registerUpgrades(port, {
    push: (ws, sid, request) =>
      void (isQrToken(sid) ? qrSockets.accept(ws, sid) : hub.accept(ws, sid, hostOf(request))),
    admitMqtt: (address) => gateway.admit(address),
    mqtt: (ws, address, newcomer) => gateway.acceptWebSocket(ws, address, newcomer),
    admitTunnel: (authorization, address) => tunnels.admit(authorization, address),
    addressOf,
    limits: callLimits,
  })

  async function startMqtts(wishedPort: number): Promise<number | undefined> {
    if (!certificates) return undefined
    const server = createTlsServer({
      ...certificates.serverOptions,
      handshakeTimeout: gatewayLimits.connectMsMax,
    })
    certificates.attach(server)
    return gateway.startTls(server, { host: config.HOST, port: wishedPort })
  }

  let housekeeping: NodeJS.Timeout | undefined
  const keepHouse = () =>
    Promise.all([
      removeExpired(db, new Date(now())),
      removeExpiredCodes(db, new Date(now())),
      outgoing.removeOld(),
      removeOldEvents(db),
      removeOldMessages(db, mailbox, now()),
      expireTransfers({ db, mailbox }, now()),
      expireHandovers({ db, mailbox }, now()),
      erasePeople({ db, bus, mailbox, logger }, now()),
      eraseSpaces({ db, bus, mailbox, logger }, now()),
    ]).catch((error) => logger.warn({ err: error }, 'housekeeping failed'))

  return {
    app,
    bus,
    telemetry,
    gateway,
    hub,
    tunnels,
    visits,
    bindings,
    async start(ports) {
      await telemetry.start()
      states.start()
      await rights.start()
      timedRights.start()
      outgoing.start()
      applicationExpiry.start()
      hub.start()
      tunnels.start()
      await visits.start()
      await writes.start()
      const mqttPort = await gateway.start(
        config.MQTT_PLAIN ? { host: config.HOST, port: ports.mqtt } : undefined,
      )
      const mqttsPort = await startMqtts(ports.mqtts ?? 0)
      await app.listen({ host: config.HOST, port: ports.web })
      housekeeping = setInterval(() => void keepHouse(), housekeepingMs)
      isReady = true
      const address = app.server.address()
      webPort = typeof address === 'object' && address ? address.port : ports.web
      return { webPort, mqttPort, mqttsPort }
    },
    metrics: () =>
      collectMetrics({
        pools,
        gateway,
        telemetry,
        rights,
        hub,
        states,
        writes,
        tunnels,
        visits,
        port,
        meter,
      }),
    async stop() {
      isReady = false
      clearInterval(housekeeping)
      const closed = app.close()
      await Promise.all([port.drain(drainMsMax), gateway.drain(drainMsMax)])
      hub.stop()
      qrSockets.stop()
      await visits.stop()
      tunnels.stop()
      applicationExpiry.stop()
      timedRights.stop()
      rights.stop()
      await gateway.stop()
      port.server.closeAllConnections()
      await closed
      await writes.stop()
      await outgoing.stop()
      certificates?.close()
      brands.close()
      await states.stop()
      await telemetry.stop()
    },
  }
}
