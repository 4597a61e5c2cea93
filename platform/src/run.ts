import path from 'node:path'
import { productVersion } from '@busbar/contract'
import { countBuffersInHeap, tunnelPath } from '@busbar/link'
import {
  type Config,
  ConfigError,
  hasVisitHost,
  isHttps,
  readConfig,
  readDatabaseUrl,
  readTelemetryUrl,
  usualPorts,
} from './config.ts'
import { listRisks } from './config-risks.ts'
import { endDemo, seedDemo } from './demo/demo.ts'
import { openCluster } from './kernel/cluster/open-cluster.ts'
import { createConsoleLogger } from './kernel/console-logger.ts'
import { awaitDatabase } from './kernel/database/await-database.ts'
import { backupNoteOf, chooseDataDir } from './kernel/database/data-dir.ts'
import { bindDatabases } from './kernel/database/database-roles.ts'
import { logSecondConnections } from './kernel/database/held-connections.ts'
import { migrate } from './kernel/database/migrate.ts'
import { areSamplesApart, closePools, openPools, splitConnections } from './kernel/database/pools.ts'
import { type PostgresServer, startPostgresServer } from './kernel/database/postgres-server.ts'
import { type ChosenPort, choosePort } from './kernel/http/listen.ts'
import { WaitingRoom } from './kernel/http/waiting-room.ts'
import { announceListening } from './kernel/listening.ts'
import { createLogOnce } from './kernel/log-once.ts'
import { startMetricsServer } from './kernel/metrics/index.ts'
import { NodeCertificate } from './kernel/nodes/node-certificate.ts'
import { openNodeId } from './kernel/nodes/node-id.ts'
import { openSecretBox } from './kernel/secret-box.ts'
import { giveMemoryBack } from './kernel/start-memory.ts'
import { endsWithin, handoverGraceMs, stopBudget, stopMsMax } from './kernel/stop-budget.ts'
import { AuditSealer, auditFiles, openAuditKey } from './modules/audit/index.ts'
import { createPlatform } from './platform.ts'

const checkoutDir = path.resolve(import.meta.dirname, '../..')

/** Messages to a parent process over IPC, if there is one. */
type Told =
  | { type: 'progress'; text: string }
  | { type: 'ready'; url: string; mqttUrl?: string; metricsUrl: string; notices: string[]; demo?: object }
  | { type: 'failed'; message: string }

function tell(message: Told): void {
  if (process.send) process.send(message)
  else if (message.type === 'ready')
    console.log(`Busbar is ready at ${message.url}${message.mqttUrl ? `, MQTT at ${message.mqttUrl}` : ''}`)
  else if (message.type === 'failed') console.error(message.message)
}

async function run(config: Config): Promise<void> {
  const logger = createConsoleLogger(config.LOG_LEVEL)
  const dataDir = config.DATA_DIR ?? chooseDataDir(checkoutDir)
  const closers: { readonly part: keyof typeof stopBudget; close(): unknown }[] = []
  let stopping: Promise<boolean> | undefined
  const handoverMs = config.DATABASE_URL ? config.HANDOVER_SECONDS * 1_000 + handoverGraceMs : 0
  /** False if a part failed or was left behind. */
  const stop = () => {
    stopping ??= (async () => {
      let isClean = true
      // A part that hangs must not hold up the stop: the parent kills the process after some seconds.
      setTimeout(() => process.exit(1), stopMsMax + handoverMs).unref()
      for (const { part, close } of closers.reverse()) {
        try {
          const ms = stopBudget[part] + (part === 'platform' ? handoverMs : 0)
          if (await endsWithin(ms, close)) continue
          logger.warn({ part }, 'part.stopLate')
        } catch (error) {
          logger.error({ err: error, part }, 'part.stopFailed')
        }
        isClean = false
      }
      return isClean
    })()
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // A second signal ends the process at once. Acknowledged data is on disk either way.
      if (stopping) process.exit(1)
      logger.info({ signal }, 'platform.stopping')
      void stop().then((isClean) => {
        logger.info({}, 'platform.stopped')
        process.exit(isClean ? 0 : 1)
      })
    })
  const once = createLogOnce(logger)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      // The state of this process is uncertain: it hands over what it holds, and a supervisor starts another one.
      once.error({ err: error, event }, 'process.failed')
      void stop().then(() => process.exit(1))
    })
  // A parent that is gone cannot ask to stop any more.
  if (process.env.BUSBAR_CHILD === '1')
    process.on('disconnect', () => void stop().then(() => process.exit(0)))

  for (const risk of listRisks(config)) logger.warn(risk, 'setting.risky')
  try {
    tell({ type: 'progress', text: 'database' })
    const databaseUrl = readDatabaseUrl(config)
    const telemetryUrl = readTelemetryUrl(config)
    const chooseWeb = () => choosePort(config.PORT, usualPorts.web, config.HOST)
    // A drawn port is chosen last: until the listeners start another process could take it.
    const named = config.PORT === 0 ? undefined : await chooseWeb()
    const waitingRoom = named && new WaitingRoom(config, named.port, logger)
    const server = databaseUrl ? undefined : await startPostgresServer({ dataDir, logger })
    if (server) closers.push({ part: 'postgres', close: () => server.stop() })
    const address = databaseUrl ?? (server as PostgresServer).connection
    const waiting = { logger, onAway: () => waitingRoom?.open() }
    await Promise.all([
      awaitDatabase(address, { setting: databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', ...waiting }),
      telemetryUrl && awaitDatabase(telemetryUrl, { setting: 'TELEMETRY_URL', ...waiting }),
    ])
    const pools = openPools(address, splitConnections(config.DATABASE_POOL), {
      samples: telemetryUrl,
      onSecondConnection: logSecondConnections(logger),
    })
    closers.push({ part: 'pools', close: () => closePools(pools) })
    const db = pools.calls
    const samplesDb = areSamplesApart(pools) ? pools.samples.calls : undefined
    tell({ type: 'progress', text: 'migrations' })
    await migrate(db)
    if (samplesDb) await ofSamples(migrate(samplesDb))
    await bindDatabases(db, samplesDb)

    const [web, mqtt, mqtts, metrics] = await Promise.all([
      named ?? chooseWeb(),
      choosePort(config.MQTT_PORT, usualPorts.mqtt, config.HOST),
      config.TLS_CERT_FILE ? choosePort(config.MQTTS_PORT, usualPorts.mqtts, config.HOST) : undefined,
      choosePort(config.METRICS_PORT, usualPorts.metrics, config.METRICS_HOST),
    ])
    const mqttUrl = `mqtt://${config.HOST}:${mqtt.port}`
    const takesMachines = config.ROLES.includes('edge')
    const plain = config.MQTT_PLAIN && takesMachines ? { mqttUrl } : {}
    const tunnelUrl = `${isHttps(config) ? 'wss' : 'ws'}://${config.HOST}:${web.port}${tunnelPath}`
    const secrets = await openSecretBox(config.SECRETS_KEY_FILE ?? path.join(dataDir, 'secrets.key'))
    const demo = config.BUSBAR_DEMO
      ? await seedDemo({ db, dataDir, mqttUrl, tunnelUrl, secrets, now: Date.now() })
      : undefined
    // The accounts of a demo must not open a production.
    if (!demo) await endDemo(db)
    const audit = auditFiles(dataDir, config.AUDIT_KEY_FILE)
    const sealer = new AuditSealer({
      db,
      logger,
      key: await openAuditKey(audit.key),
      headFile: audit.head,
    })
    closers.push({ part: 'audit', close: () => sealer.stop() })
    const certificate = NodeCertificate.open(config, logger)
    // A certificate names its node; without one the data folder does.
    const nodeFile = certificate ? undefined : path.join(dataDir, 'node-id')
    const nodeId = certificate?.nodeId ?? (await openNodeId(path.join(dataDir, 'node-id')))
    const cluster = await openCluster(config, { name: nodeId, logger, secrets })
    const platform = await createPlatform({
      pools,
      config: {
        ...config,
        OUTGOING_ALLOWED_NETWORKS: [...config.OUTGOING_ALLOWED_NETWORKS, ...(demo?.allowed ?? [])],
      },
      logger,
      secrets,
      nodeId,
      nodeFile,
      filesDir: config.FILES_DIR ?? path.join(dataDir, 'files'),
      tilesDir: path.join(dataDir, 'tiles'),
      cluster,
      certificate,
      // Another process works in its name: whatever this one still writes would be mixed with that.
      onReplaced: () => void stop().then(() => process.exit(1)),
      jobs: sealer.jobs,
    })
    closers.push({ part: 'platform', close: () => platform.stop() })
    // There are no requests yet.
    giveMemoryBack()
    tell({ type: 'progress', text: 'listeners' })
    await waitingRoom?.close()
    const ports = await platform.start({
      web: web.port,
      mqtt: mqtt.port,
      ...(mqtts ? { mqtts: mqtts.port } : {}),
    })
    const metricsServer = await startMetricsServer({
      host: config.METRICS_HOST,
      port: metrics.port,
      dataDir: server ? dataDir : undefined,
      logger,
      backupNote: backupNoteOf(dataDir),
      collect: () => platform.metrics(),
    })
    closers.push({ part: 'metrics', close: () => metricsServer.stop() })
    if (server) {
      const close = await announceListening(dataDir, { ...plain, demo: config.BUSBAR_DEMO })
      closers.push({ part: 'announcement', close })
    }
    if (stopping) return
    logger.info(
      { version: productVersion, webPort: ports.webPort, mqttPort: ports.mqttPort },
      'platform.started',
    )
    tell({
      type: 'ready',
      url:
        config.PUBLIC_URL ??
        `${isHttps(config) ? 'https' : 'http'}://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${ports.webPort}`,
      ...plain,
      metricsUrl: `http://${config.METRICS_HOST}:${metricsServer.port}/metrics`,
      notices: [
        ...notices({
          web,
          mqtt: plain.mqttUrl ? mqtt : undefined,
          mqtts: takesMachines ? mqtts : undefined,
        }),
        ...visitNotices(config),
        ...outboxNotices(config),
      ],
      ...(demo ? { demo } : {}),
    })
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    if (config.LOG_LEVEL === 'debug') console.error(error)
    await stop()
    process.exit(1)
  }
}

/** Marks an error as one of the second database. */
async function ofSamples<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The database of TELEMETRY_URL: ${reason}`, { cause })
  })
}

function visitNotices(config: Config): string[] {
  return hasVisitHost(config)
    ? []
    : ['Machines cannot be entered: set VISIT_HOST to a domain of their own, with *.domain leading here.']
}

function outboxNotices(config: Config): string[] {
  const kept = [...(config.SMS_URL ? [] : ['SMS']), ...(config.SMTP_URL ? [] : ['e-mails'])]
  return kept.length === 0
    ? []
    : [
        `${kept.join(' and ')} are kept here instead of sent; read them, and the codes in them: npm run busbar -- outbox`,
      ]
}

function notices(ports: {
  web: ChosenPort
  mqtt: ChosenPort | undefined
  mqtts: ChosenPort | undefined
}): string[] {
  const taken = (what: string, usual: number, port: ChosenPort | undefined) =>
    port?.isOther ? [`Port ${usual} is taken; ${what} uses ${port.port} instead.`] : []
  return [
    ...taken('the console', usualPorts.web, ports.web),
    ...taken('MQTT', usualPorts.mqtt, ports.mqtt),
    ...taken('MQTT with TLS', usualPorts.mqtts, ports.mqtts),
  ]
}

/** Runs the platform until a signal ends it. */
export async function main(): Promise<void> {
  try {
    countBuffersInHeap()
    await run(readConfig(process.env))
  } catch (error) {
    tell({ type: 'failed', message: error instanceof ConfigError ? error.message : String(error) })
    process.exit(1)
  }
}
