import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { collectGuards } from './collect-guards.ts'
import type { Gateway } from './edge/gateway.ts'
import { createGatewayModule } from './edge/gateway-module.ts'
import { gatewayLimits } from './edge/limits.ts'
import type { Tunnels } from './edge/tunnels/tunnel.ts'
import { createTunnelModule } from './edge/tunnels/tunnel-module.ts'
import type { EdgeLink } from './edge-link/edge-link.ts'
import { createEdgeLinkModule } from './edge-link/edge-link-module.ts'
import type { Bus } from './kernel/bus/bus.ts'
import { createDatabaseModule } from './kernel/database/database-module.ts'
import type { Facts } from './kernel/facts/facts.ts'
import { createFactsModule } from './kernel/facts/facts-module.ts'
import type { Binding } from './kernel/http/bind.ts'
import { createWebModule } from './kernel/http/web-module.ts'
import { type Job, type Jobs, needsModule } from './kernel/jobs/index.ts'
import { createJobsModule } from './kernel/jobs/jobs-module.ts'
import { createKernel, type Kernel, type KernelOptions } from './kernel/kernel.ts'
import { Lifecycle } from './kernel/lifecycle.ts'
import { joinMetrics, type Metric } from './kernel/metrics/index.ts'
import type { Module } from './kernel/module.ts'
import { createNodesModule } from './kernel/nodes/nodes-module.ts'
import { createOutgoingCallsModule } from './kernel/outgoing-http/outgoing-calls-module.ts'
import { createRightsModule } from './kernel/rights/rights-module.ts'
import { createApplicationsModule, createListAnswerable } from './modules/access/applications/index.ts'
import { createAccess, createAccessModule } from './modules/access/index.ts'
import { createAccountsModule } from './modules/accounts/index.ts'
import { createRegistrationModule } from './modules/accounts/registration/index.ts'
import { createCodesModule } from './modules/accounts/verification-codes/index.ts'
import { createAgentConfigModule } from './modules/agent-config/index.ts'
import { createAlarmRulesModule, createRuleEngineModule } from './modules/alarm-rules/index.ts'
import { createAlarmsModule } from './modules/alarms/index.ts'
import { createAnnotationsModule } from './modules/annotations/index.ts'
import { createAuditModule } from './modules/audit/index.ts'
import { createBoardsModule } from './modules/boards/index.ts'
import { createBrandsModule, presentBrand } from './modules/brands/index.ts'
import { createChecksModule } from './modules/checks/index.ts'
import { createDestinationsModule } from './modules/destinations/index.ts'
import { createDownloadsModule } from './modules/downloads/index.ts'
import { createEmbeddingModule, createEmbeddingPort } from './modules/embedding/index.ts'
import { createEnterprisesModule } from './modules/enterprises/index.ts'
import { createExportsModule } from './modules/exports/index.ts'
import { createFilesModule, type Files } from './modules/files/index.ts'
import { createFriendsModule } from './modules/friends/index.ts'
import { createLeavingModule } from './modules/leaving/index.ts'
import { createMachineImportsModule } from './modules/machine-imports/index.ts'
import { createMachineListsModule } from './modules/machine-lists/index.ts'
import { createMachineTypesModule } from './modules/machine-types/index.ts'
import { createMachinesModule } from './modules/machines/index.ts'
import { createMapModule } from './modules/map/index.ts'
import { createMessagesModule } from './modules/messages/index.ts'
import { createNotificationsModule, listMailsOff, mayStillNotify } from './modules/notifications/index.ts'
import { createOnboardingModule } from './modules/onboarding/index.ts'
import { createOperatorModule } from './modules/operator/index.ts'
import { createOutgoingModule, type Providers } from './modules/outgoing/index.ts'
import { createPlacesModule, createSitesModule } from './modules/places/index.ts'
import { createProjectDataModule } from './modules/project-data/index.ts'
import { createProjectStreamModule } from './modules/project-stream/index.ts'
import { createProjectsModule, type ProjectsModule } from './modules/projects/index.ts'
import { createReportsModule } from './modules/reports/index.ts'
import { createRetentionModule, createSpaceLengths } from './modules/retention/index.ts'
import { createScadaModule } from './modules/scada/index.ts'
import { createSimsModule } from './modules/sims/index.ts'
import { createSmsStockModule } from './modules/sms-stock/index.ts'
import { createSpacesModule } from './modules/spaces/index.ts'
import { createTagSettingsModule } from './modules/tag-settings/index.ts'
import { createReadingsModule, createTelemetryModule, type Telemetry } from './modules/telemetry/index.ts'
import { createTilesModule } from './modules/tiles/index.ts'
import { createUploadsModule } from './modules/uploads/index.ts'
import { createViewsModule } from './modules/views/index.ts'
import { createVisitChangesModule } from './modules/visit-changes/index.ts'
import { createVisitAddress, createVisitsModule, type Visits } from './modules/visits/index.ts'
import { createWritesModule } from './modules/writes/index.ts'
import { createAttendanceModule } from './realtime/attendance-module.ts'
import type { RealtimeHub } from './realtime/hub.ts'
import { createMachineStatesModule } from './realtime/machine-states-module.ts'
import { createRealtimeModule } from './realtime/realtime-module.ts'
import { createTcpSocketModule } from './tcp-socket/tcp-socket-module.ts'
import type { VisitRules } from './visit-host/rules.ts'
import { createVisitHostModule } from './visit-host/visit-host-module.ts'

/** The folder `vite build` writes the console to. */
const consoleDist = path.resolve(import.meta.dirname, '../../console/dist')

/** The folder that `npm run build` writes the programs to download to. */
const downloadsDist = path.resolve(import.meta.dirname, '../../dist/downloads')

export interface PlatformOptions extends KernelOptions {
  readonly dist?: string
  /** The folder of files made for people; without it a temporary folder of the system. */
  readonly filesDir?: string
  /** The folder of tiles that are kept; without it a temporary folder of the system. */
  readonly tilesDir?: string
  /** For tests: instead of the SMS and e-mail services that the settings name. */
  readonly providers?: Providers | undefined
  /** For a test that shows that each rule is needed. */
  readonly visitRules?: Partial<VisitRules> | undefined
}

export interface Platform extends Pick<Lifecycle, 'start' | 'stop'> {
  readonly app: FastifyInstance
  readonly bus: Bus
  readonly telemetry: Telemetry
  readonly gateway: Gateway
  readonly link: EdgeLink
  readonly hub: RealtimeHub
  readonly tunnels: Tunnels
  readonly facts: Facts
  readonly files: Files
  readonly jobs: Jobs
  readonly visits: Visits
  readonly projects: Pick<ProjectsModule, 'links' | 'keys' | 'quota'>
  readonly peers: Kernel['peers']
  /** Every route this platform answers, with its function. */
  readonly bindings: readonly Binding[]
  metrics(): Metric[]
}

/** Puts the platform together on a migrated database. Ports open with `start`. */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const kernel = createKernel(options)
  const { config, db } = kernel
  const access = createAccess(db, { demo: config.BUSBAR_DEMO })
  const listAnswerable = createListAnswerable(db, access)

  const brands = await createBrandsModule(kernel)
  const address = createVisitAddress(
    config,
    () => kernel.ports.web,
    () => brands.directory.sites,
  )
  const web = await createWebModule(kernel, address.owns)
  const outgoing = createOutgoingModule(kernel, {
    brands,
    mayStillNotify: (id) => mayStillNotify({ db, access, now: kernel.now }, id),
    listMailsOff,
    openAttachment: (key) => reports.openAttachment(key),
    ...(options.providers && { providers: options.providers }),
  })
  const codes = createCodesModule(kernel, { outgoing })
  const accounts = createAccountsModule(kernel, { brands, outgoing, codes })
  const lengths = createSpaceLengths(db, config.RETENTION_RAW_DAYS_MAX)
  const telemetry = createTelemetryModule(kernel, { lengths })
  const gateway = createGatewayModule(kernel, { telemetry, certificates: web.certificates })
  const tunnels = createTunnelModule(kernel, { gateway })
  const edgeLink = createEdgeLinkModule(kernel, { gateway, tunnels, telemetry })
  const { link } = edgeLink
  const files = createFilesModule(kernel, {
    dir: options.filesDir ?? path.join(tmpdir(), 'busbar-files'),
  })
  const alarmRules = createAlarmRulesModule(kernel, { telemetry, access })
  const realtime = createRealtimeModule(kernel, { access, link, brands })
  const messages = createMessagesModule(kernel, { listAnswerable })
  const applications = createApplicationsModule(kernel, { access, messages })
  const lists = createMachineListsModule(kernel)
  const projects = createProjectsModule(kernel, {
    ...{ access, brands, link, messages },
    reporting: {
      listFigures: (projectIds) => destinations.listFigures(projectIds),
      listLastRows: (projectId) => projectStream.streams.listLastRows(projectId),
    },
  })
  const projectStream = createProjectStreamModule(kernel, { projects, telemetry })
  const destinations = createDestinationsModule(kernel, { projects, projectStream, telemetry })
  const attendance = createAttendanceModule(kernel, { realtime })
  const visits = createVisitsModule(kernel, {
    access,
    applications,
    link,
    attendance: attendance.attendance,
    embeddings: createEmbeddingPort(projects),
    address,
  })
  const enterprises = createEnterprisesModule(kernel, {
    access,
    accounts,
    messages,
    outgoing,
    link,
    lists,
    listProjects: projects.listOldest,
    telemetry,
    visits,
    address,
  })
  const visitChanges = createVisitChangesModule(kernel, { access, visits, telemetry, link })
  const writes = createWritesModule(kernel, { access, visits, visitChanges, telemetry, link })
  const projectData = createProjectDataModule(kernel, { projects, projectStream, telemetry, writes })
  gateway.gateway.openTo(projectData.door)
  const reports = createReportsModule(kernel, {
    access,
    brands,
    files,
    messages,
    outgoing,
    telemetry,
  })
  const downloads = createDownloadsModule(kernel, { dir: downloadsDist })
  const rules = options.visitRules
  const visitHost = createVisitHostModule(kernel, {
    access,
    accounts,
    brands,
    visits,
    link,
    address,
    rules,
  })
  const tcpSocket = createTcpSocketModule(kernel, { visits, visitChanges, link })
  /** In the order in which they start; they stop in reverse, so that each store outlives its writers. */
  const running: readonly Module[] = [
    createSpacesModule(kernel),
    createDatabaseModule(kernel),
    createNodesModule(kernel),
    createFactsModule(kernel),
    createOutgoingCallsModule(kernel),
    edgeLink,
    telemetry,
    alarmRules,
    createRuleEngineModule(kernel, { telemetry, link }),
    createMachineStatesModule(kernel, { access, link }),
    messages,
    files,
    brands,
    outgoing,
    writes,
    web,
    gateway,
    createRightsModule(kernel),
    createAccessModule(kernel, { access, messages, listProjectReach: projects.listReach }),
    createPlacesModule(kernel, { access, lengths, messages }),
    projects,
    projectStream,
    destinations,
    projectData,
    applications,
    tunnels,
    attendance,
    visits,
    visitChanges,
    realtime,
  ]
  const modules: readonly Module[] = [
    ...running,
    accounts,
    createAlarmsModule(kernel, {
      access,
      tags: telemetry.store,
      findRuleMachine: alarmRules.findMachineOfRule,
    }),
    createAuditModule(),
    createAgentConfigModule(kernel, { access, visits, link }),
    createChecksModule(kernel, { access, brands, link }),
    createBoardsModule(kernel, { access, telemetry, link, mailbox: messages.mailbox }),
    createViewsModule(kernel),
    createAnnotationsModule(kernel, { access }),
    createEmbeddingModule(kernel, { access, projects, visits, address }),
    createExportsModule(kernel, { access, files, telemetry }),
    codes,
    createRegistrationModule(kernel, { accounts, codes }),
    createFriendsModule(kernel),
    createLeavingModule(kernel, { codes, messages }),
    downloads,
    enterprises,
    lists,
    createMachineTypesModule(kernel),
    createMachinesModule(kernel, {
      access,
      link,
      lists,
      listProjects: projects.listOldest,
      telemetry,
      visits,
    }),
    createNotificationsModule(kernel, {
      access,
      tags: telemetry.store,
      enterprises,
      messages,
      brands,
      outgoing,
    }),
    createMachineImportsModule(kernel),
    createOnboardingModule(kernel, { access, brands, downloads: downloads.downloads, messages }),
    createSitesModule(kernel, { access }),
    createOperatorModule(kernel, { brands, link, measured: running }),
    createReadingsModule(telemetry, link),
    reports,
    createRetentionModule(kernel),
    createScadaModule(kernel, { brands, outgoing }),
    createSimsModule(kernel, { access, enterprises }),
    createSmsStockModule(kernel, { enterprises }),
    createTagSettingsModule(kernel, { access, messages, telemetry }),
    createMapModule(kernel, { access, link }),
    createTilesModule(kernel, {
      brands,
      dir: options.tilesDir ?? path.join(tmpdir(), 'busbar-tiles'),
    }),
    createUploadsModule(kernel, { accounts }),
    visitHost,
    tcpSocket,
  ]
  const { ROLES: ownRoles } = config
  const runsHere = (module: Module) => module.roles.some((role) => ownRoles.includes(role))
  const active = modules.filter(runsHere)
  // In their order: rules go before the alarms of their machine end, so that one they still raise ends as well.
  for (const { follows = [] } of active) for (const follower of follows) kernel.facts.follow(follower)
  const runsAllJobs = ownRoles.includes('jobs')
  const runsJob = (job: Job, module: Module) => (needsModule(job) ? runsHere(module) : runsAllJobs)
  const jobs = createJobsModule(
    kernel,
    [
      ...modules.flatMap((module) => (module.jobs ?? []).filter((job) => runsJob(job, module))),
      ...(runsAllJobs ? (options.jobs ?? []) : []),
    ],
    modules.flatMap((module) => (module.jobs ?? []).filter((job) => !runsJob(job, module))),
  )
  const lifecycle = new Lifecycle([...active, jobs], kernel.logger)
  await web.answer({
    modules: active,
    roles: ownRoles,
    guards: collectGuards(modules, { accounts, access, brands, enterprises, projects: projects.guards }),
    site: visitHost.site,
    upgrades: {
      push: realtime.accept,
      mqttFrameBytesMax: gatewayLimits.packetBytesMax,
      admitMqtt: (from) => gateway.gateway.admit(from),
      mqtt: (ws, from, newcomer) => gateway.gateway.acceptWebSocket(ws, from, newcomer),
      admitTunnel: (authorization, from) => tunnels.registry.admit(authorization, from),
      visitPort: tcpSocket.accept,
    },
    dist: options.dist ?? consoleDist,
    findFace: (host) => presentBrand(brands.directory.find(host)),
    isReady: () => lifecycle.isReady,
  })
  return {
    app: web.app,
    bus: kernel.bus,
    facts: kernel.facts,
    files: files.files,
    jobs: kernel.jobs,
    telemetry: telemetry.store,
    gateway: gateway.gateway,
    link,
    hub: realtime.hub,
    tunnels: tunnels.registry,
    visits: visits.visits,
    projects,
    peers: kernel.peers,
    bindings: modules.flatMap(({ routes = [] }) => routes),
    start: (ports) => lifecycle.start(ports),
    async stop() {
      // Also without a line to other nodes: those that take over are beside it before it gets one.
      await lifecycle.leave(await kernel.node.leave(), config.HANDOVER_SECONDS * 1_000)
      await lifecycle.stop()
    },
    metrics: () => joinMetrics([...active, jobs].flatMap((module) => module.metrics?.() ?? [])),
  }
}
