import { type onboarding as contract, ingest } from '@busbar/contract'
import type { Config } from '../../config.ts'
import type { Kernel } from '../../kernel/kernel.ts'

/** The ports that MQTT has where no setting says another one. */
const usualPorts = { mqtt: 1_883, mqtts: 8_883 }

/**
 * Where machines without an agent send their values: by MQTT to the host of the console, because a proxy passes its
 * ports on under the same name.
 */
export function addressesOf(
  origin: string,
  config: Pick<Config, 'MQTT_PLAIN' | 'MQTT_PORT' | 'MQTTS_PORT' | 'TLS_CERT_FILE'>,
  ports: Kernel['ports'],
): contract.MachineAddresses {
  const { mqtt = config.MQTT_PORT ?? usualPorts.mqtt, mqtts = config.MQTTS_PORT ?? usualPorts.mqtts } = ports
  return {
    host: new URL(origin).hostname,
    mqttPort: config.MQTT_PLAIN ? mqtt : null,
    mqttsPort: config.TLS_CERT_FILE ? mqtts : null,
    webSocketUrl: `${origin.replace(/^http/, 'ws')}/mqtt`,
    ingestUrl: `${origin}${ingest.ingestTelemetry.path}`,
  }
}
