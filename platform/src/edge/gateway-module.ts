import { createServer as createTlsServer } from 'node:tls'
import type { LiveFollower } from '../kernel/facts/follower.ts'
import type { Certificates } from '../kernel/http/certificates.ts'
import { createTrust } from '../kernel/http/client-address.ts'
import { registerIngest } from '../kernel/http/ingest-route.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Module } from '../kernel/module.ts'
import { ownerReason } from '../kernel/rights/right-changes.ts'
import type { TelemetryModule } from '../modules/telemetry/index.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { gatewayMetrics } from './gateway-metrics.ts'
import { gatewayLimits } from './limits.ts'

export interface GatewayModule extends Module {
  readonly gateway: Gateway
}

interface Deps {
  readonly telemetry: TelemetryModule
  readonly certificates: Certificates | undefined
}

/** The entrance of machines: MQTT, MQTT over WebSocket, and HTTP ingest. */
export function createGatewayModule(kernel: Kernel, { telemetry, certificates }: Deps): GatewayModule {
  const { config, pools, db, bus, facts, logger, rights, node, cluster, ports, now } = kernel
  const gateway = createGateway({
    db,
    commits: pools.commits,
    bus,
    facts,
    logger,
    telemetry: telemetry.store,
    nodeId: node.id,
    hostId: config.SPARKPLUG_HOST_ID,
    machineValuesPerS: config.MACHINE_VALUES_PER_SECOND,
    isProxy: config.MQTT_PROXY_PROTOCOL ? createTrust(config.TRUSTED_PROXIES) : undefined,
    now,
  })
  node.onRevived(() => void gateway.presence.rewrite())
  rights.subscribe({
    changed({ machineId, reason }) {
      if (machineId === null) return
      if (reason === 'secretReset') gateway.endMachine(machineId)
      if (reason === ownerReason) {
        telemetry.store.disown(machineId)
        gateway.disown(machineId)
      }
    },
    // Machines keep sending while rights cannot be read: no person sees these messages.
    blind: () => undefined,
  })

  bus.subscribe('held', ({ machineId, epoch }, origin) => {
    if (origin === 'elsewhere') gateway.heldElsewhere(machineId, epoch)
  })
  bus.subscribe('tags', ({ machineId }, origin) => {
    if (origin === 'elsewhere' && !gateway.presence.isOnline(machineId)) telemetry.store.letGo(machineId)
  })
  // Messages published while the line was down were missed.
  cluster?.onUp(() => telemetry.store.letGoAllBut((machineId) => gateway.presence.isOnline(machineId)))

  const language: LiveFollower<'machine.languageChanged'> = {
    mode: 'live',
    name: 'gateway.language',
    kinds: ['machine.languageChanged'],
    async follow(changes) {
      await Promise.all(changes.map(({ machineId }) => gateway.refreshLanguage(machineId)))
    },
  }

  async function openTls(port: number): Promise<number | undefined> {
    if (!certificates) return undefined
    const server = createTlsServer({
      ...certificates.serverOptions,
      handshakeTimeout: gatewayLimits.connectMsMax,
    })
    certificates.attach(server)
    return gateway.startTls(server, { host: config.HOST, port })
  }

  return {
    name: 'gateway',
    roles: ['edge'],
    gateway,
    follows: [language],
    jobs: gateway.presence.jobs,
    serve: (app, limits) => registerIngest(app, gateway, limits),
    async open({ mqtt, mqtts = 0 }) {
      const address = config.MQTT_PLAIN ? { host: config.HOST, port: mqtt } : undefined
      const mqttPort = await gateway.start(address)
      const mqttsPort = await openTls(mqtts)
      if (mqttPort !== undefined) ports.mqtt = mqttPort
      if (mqttsPort !== undefined) ports.mqtts = mqttsPort
      return { mqttPort, mqttsPort }
    },
    leave: (ms) => gateway.leave(ms),
    drain: (patienceMs) => gateway.drain(patienceMs),
    stop: () => gateway.stop(),
    metrics: () => gatewayMetrics(gateway.stats()),
    figures() {
      const { online, messages, rawWaiting } = gateway.stats()
      const queues = [{ name: 'rawMessages', length: rawWaiting }]
      return { machinesOnline: online, messages, queues }
    },
  }
}
