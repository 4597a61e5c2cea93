import { type Config, readNatsServers, readSecretFile } from '../../config.ts'
import type { Logger } from '../logger.ts'
import type { SecretBox } from '../secret-box.ts'
import type { Cluster } from './cluster.ts'
import { NatsCluster } from './nats-cluster.ts'

/** The line to the platform's other processes, not yet connected; undefined for a process that works alone. */
export async function openCluster(
  config: Config,
  {
    name,
    logger,
    secrets,
  }: { readonly name: string; readonly logger: Logger; readonly secrets: Pick<SecretBox, 'derive'> },
): Promise<Cluster | undefined> {
  const { NATS_PREFIX: prefix, NATS_USER: user, NATS_CA_FILE: caFile } = config
  const servers = readNatsServers(config)
  if (servers.length === 0) return undefined
  const pass = config.NATS_PASSWORD_FILE && readSecretFile('NATS_PASSWORD_FILE', config.NATS_PASSWORD_FILE)
  return new NatsCluster({
    servers,
    prefix,
    name,
    key: secrets.derive('messages between nodes'),
    logger,
    // The client takes a server without TLS, whatever the address says, unless it is told to want it.
    ...(servers.some((server) => server.startsWith('tls:')) ? { tls: caFile ? { caFile } : {} } : {}),
    ...(user ? { credentials: { user, ...(pass ? { pass } : {}) } } : {}),
  })
}
