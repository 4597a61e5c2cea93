import { checks as contract } from '@busbar/contract'
import { isHttps, usualPorts } from '../../config.ts'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { type BrandsModule, consoleOrigin, linkSource } from '../brands/index.ts'
import { readLog } from './agent-log.ts'
import { ChecksService } from './checks-service.ts'
import { removeChecksOf, removeOldChecks } from './checks-store.ts'
import { makeBundle } from './support-bundle.ts'

interface Deps {
  readonly access: AccessPort
  readonly brands: BrandsModule
  readonly link: EdgeLink
}

const keptMs = 86_400_000

/** "Why can I not reach it": checks of devices, and the words of their agents. */
export function createChecksModule(kernel: Kernel, { access, brands, link }: Deps): Module {
  const { config, db, logger, now } = kernel
  const deps = { db, access, link, logger, now }
  const service = new ChecksService(deps)
  /** The port is known once the platform listens. */
  const originOf = (host: string) =>
    consoleOrigin({ ...linkSource(kernel, brands.directory), https: isHttps(config) }, host)
  const mqttPort = mqttPortOf(config)
  return {
    name: 'checks',
    roles: ['api'],
    routes: [
      bind(contract.startCheck, async ({ machineID, ...told }, { user, address }) => ({
        jobId: await service.start({
          userId: user.userId,
          machineId: machineID,
          browser: { address, ...told },
        }),
      })),
      bind(contract.getCheck, ({ jobId }, { user, lang, host }) =>
        service.get(user.userId, jobId, { lang, needed: { origin: originOf(host), mqttPort } }),
      ),
      bind(contract.getAgentLog, ({ machineId }) => readLog(link, machineId)),
      bind(contract.getSupportBundle, ({ machineId }, { user, address }) =>
        makeBundle(deps, { machineId, userId: user.userId, address }),
      ),
    ],
    jobs: [
      {
        name: 'checks.removeOld',
        everyS: 3_600,
        run: () => removeOldChecks(db, new Date(now() - keptMs)),
      },
    ],
    follows: [onNextOwner('checks.ownerChanged', (trx, { machineId }) => removeChecksOf(trx, machineId))],
    drain: () => service.drain(),
  }
}

/** The port that machines without WebSocket use; undefined: there is none. */
function mqttPortOf(config: Kernel['config']): number | undefined {
  if (config.TLS_CERT_FILE) return config.MQTTS_PORT ?? usualPorts.mqtts
  return config.MQTT_PLAIN ? (config.MQTT_PORT ?? usualPorts.mqtt) : undefined
}
