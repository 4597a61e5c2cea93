import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { demoMachineCode, limits } from '@busbar/contract'
import { primaryHostId } from '@busbar/link'
import { z } from 'zod'
import { gatewayLimits } from './edge/limits.ts'
import { connectionsMin } from './kernel/database/pools.ts'
import { type AllowedPlace, parseAllowedNetworks } from './kernel/outgoing-http/allowed-networks.ts'
import { type Role, roles } from './kernel/roles.ts'

/** Ports of a platform whose configuration names none, where they are free. */
export const usualPorts = { web: 8080, mqtt: 1883, mqtts: 8883, metrics: 9464 } as const

const port = z.coerce.number().int().min(0).max(65_535)
const flag = z.enum(['0', '1', 'true', 'false']).transform((word) => word === '1' || word === 'true')
const file = z.string().min(1).optional()
/** The default domain of visits: it resolves in a browser on this machine only. */
const localVisitDomain = 'visit.localhost'
/** Far from the codes that `machine create` draws, whose first digit is never zero. */
const usualSelfRegisteredCodes = '0100000000000000000-0199999999999999999'
const codeRange = z
  .string()
  .regex(/^\d{19}-\d{19}$/, 'two codes of 19 digits, from-to')
  .default(usualSelfRegisteredCodes)
  .transform((text) => ({ from: text.slice(0, 19), to: text.slice(20) }))
  .refine(({ from, to }) => from <= to, 'the first code is above the last')
  .refine(({ from }) => from !== demoMachineCode, 'nineteen zeros are the demo machine')
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** A name with at least two parts; the last part must not be a number, as in an address. */
const visitHostPattern = new RegExp(`^(?:${label}\\.)+(?!\\d+(?::|$))${label}(?::\\d{1,5})?$`)

/** Every setting of the platform, read once at the start. The description is what an operator reads. */
export const settings = {
  HOST: z.string().default('127.0.0.1').describe('Address on which the web server listens'),
  PORT: port.optional().describe('Port of the web server; unset: 8080, or the next free one'),
  MQTT_PORT: port.optional().describe('Port of the MQTT listener; unset: 1883, or the next free one'),
  SPARKPLUG_HOST_ID: z
    .string()
    .regex(/^[^/+#\p{C}]{1,64}$/u, 'a text of 1 to 64 characters without / + #')
    .default(primaryHostId)
    .describe('Host id of the platform’s own STATE topic, spBv1.0/STATE/{host id}'),
  METRICS_PORT: port.optional().describe('Port of /metrics; unset: 9464, or the next free one'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address /metrics listens on; it needs no sign-in, so choose one that strangers cannot reach'),
  DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the embedded database and of uploads; unset: data/ of the checkout'),
  FILES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of exports and reports, the same one for all processes on one database; unset: files/ of the data folder',
    ),
  FILES_GB_MAX: z.coerce
    .number()
    .min(1)
    .max(100_000)
    .default(50)
    .describe('Most gigabytes that all exports and reports together can take up'),
  PROJECT_STREAM_GB_MAX: z.coerce
    .number()
    .min(1)
    .max(100_000)
    .default(20)
    .describe(
      'Most gigabytes of rows that wait for the destinations of projects; beyond it the oldest go; the same at all nodes',
    ),
  STORAGE_MB_PERSON: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe(
      'Most megabytes of boards, views, notes, pictures and reports of one person; the same at all nodes',
    ),
  STORAGE_MB_ENTERPRISE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_024)
    .describe('The same of one enterprise'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('A PostgreSQL of your own (15 or newer) instead of the embedded one'),
  DATABASE_PASSWORD_FILE: file.describe(
    'File with the password for DATABASE_URL, which then needs none; read once at the start',
  ),
  TELEMETRY_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('A second PostgreSQL, for samples only; unset: samples are in the first one'),
  TELEMETRY_PASSWORD_FILE: file.describe(
    'File with the password for TELEMETRY_URL, which then needs none; read once at the start',
  ),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(connectionsMin)
    .max(200)
    .default(20)
    .describe('Connections to the database; TELEMETRY_URL adds about two thirds of this number'),
  ROLES: z
    .string()
    .default(roles.join(','))
    .transform((list, context): readonly Role[] => {
      const wished = new Set(list.split(',').map((role) => role.trim()))
      const known = roles.filter((role) => wished.delete(role))
      if (wished.size > 0 || known.length === 0) {
        context.addIssue({ code: 'custom', message: `some of ${roles.join(', ')}` })
        return z.NEVER
      }
      return known
    })
    .describe('Roles of this process, comma-separated'),
  NATS_URL: z
    .string()
    .regex(
      /^(nats|tls):\/\/[^\s,]+(\s*,\s*(nats|tls):\/\/[^\s,]+)*$/,
      'nats://host:4222, several with commas',
    )
    .refine((list) => list.split(',').every((server) => URL.canParse(server.trim())), 'nats://host:4222')
    .optional()
    .describe(
      'NATS servers that connect several processes, tls://host:4222 (nats:// on loopback); unset: this process works alone',
    ),
  NATS_PREFIX: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .default('busbar')
    .describe('First word of all subjects, for platforms that share NATS servers'),
  NATS_USER: z.string().max(64).optional().describe('User at the NATS servers'),
  NATS_PASSWORD_FILE: file.describe('File with the password of NATS_USER'),
  NATS_CA_FILE: file.describe(
    'Certificate (PEM) of the authority of NATS servers with TLS; unset: the authorities of this system',
  ),
  NODE_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d{1,5}$/, 'host:port')
    .optional()
    .describe('Where other nodes reach this one for streams of tunnels, host:port; unset: 127.0.0.1'),
  NODE_HOST: z.string().default('127.0.0.1').describe('Address on which this node listens for other nodes'),
  NODE_PORT: port.default(0).describe('Port on which this node listens for other nodes; 0: any free one'),
  NODE_CA_FILE: file.describe('Certificate (PEM) of the authority that signs the certificates of all nodes'),
  NODE_CERT_FILE: file.describe('Certificate (PEM) of this node, with its id and the name in NODE_ADDRESS'),
  NODE_KEY_FILE: file.describe('Private key (PEM) of NODE_CERT_FILE'),
  HANDOVER_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300)
    .default(7)
    .describe('Seconds over which a node that stops lets its machines and pages go to other nodes'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where people reach the console, e.g. https://busbar.example'),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'mailto:security@example.com or https://…')
    .max(200)
    .optional()
    .describe(
      'Where people report weaknesses, mailto: or https:, in /.well-known/security.txt; unset: no such file',
    ),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .describe('Addresses or networks whose X-Forwarded-* are believed, comma-separated'),
  VISIT_HOST: z
    .string()
    .toLowerCase()
    .regex(visitHostPattern, 'a domain with a wildcard record, or domain:port')
    .default(localVisitDomain)
    .describe(
      'Domain of the machines’ pages, *.domain leads here; another registrable one than PUBLIC_URL’s',
    ),
  ALLOW_SAME_SITE_VISITS: flag
    .default(false)
    .describe(
      'Lets machines’ pages live under the console’s own registrable domain; they can then set cookies for it',
    ),
  TLS_CERT_FILE: file.describe(
    'Certificate chain (PEM) of the web server; unset: plain HTTP, as behind a proxy',
  ),
  TLS_KEY_FILE: file.describe('Private key (PEM) of TLS_CERT_FILE'),
  VISIT_TLS_CERT_FILE: file.describe('Certificate chain of *.VISIT_HOST; unset: TLS_CERT_FILE'),
  VISIT_TLS_KEY_FILE: file.describe('Private key (PEM) of VISIT_TLS_CERT_FILE'),
  MQTT_PLAIN: flag
    .default(true)
    .describe('MQTT without TLS; 0: no such listener, machines use MQTTS_PORT or WebSocket'),
  MQTT_PROXY_PROTOCOL: flag
    .default(false)
    .describe(
      '1: MQTT connections of TRUSTED_PROXIES begin with the PROXY protocol (1 or 2), which names the machine’s address',
    ),
  MQTTS_PORT: port
    .optional()
    .describe(
      'Port of the MQTT listener with TLS; unset: 8883, or the next free one, when TLS_CERT_FILE is set',
    ),
  SECRETS_KEY_FILE: file.describe(
    'File with the key that encrypts second factors; unset: secrets.key in the data folder, made at the first start',
  ),
  OPERATOR_SECOND_FACTOR: flag
    .default(false)
    .describe('1: the back office requires two-factor authentication'),
  AUDIT_KEY_FILE: file.describe(
    'File with the key that seals the audit log; unset: audit.key in the data folder, made at the first start',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Server e-mails go out by, smtp://user@host:587 or smtps://user@host:465; unset: they stay in the outbox, read by an operator',
    ),
  SMTP_PASSWORD_FILE: file.describe('File with the password of SMTP_URL’s user'),
  EMAIL_SENDER: z.email().optional().describe('Sender address of e-mails for brands without their own'),
  BOUNCE_TOKEN_FILE: file.describe(
    'File with the secret by which `busbar bounce` reports bounced e-mails; the mail server’s user may read it too; unset: none are taken',
  ),
  SMS_URL: z
    .url({ protocol: /^(ssmpp|smpp|https?)$/ })
    .optional()
    .describe(
      'Service SMS go out by: smpp://system@host:2775 (ssmpp: with TLS), or https://key@host signed as Aliyun’s; unset: they stay in the outbox',
    ),
  SMS_SECRET_FILE: file.describe('File with the password, or the key’s secret, of SMS_URL'),
  SMS_RECEIPT_TOKEN: z
    .string()
    .regex(/^[\w-]{24,64}$/)
    .optional()
    .describe(
      'Secret in the address an SMS service calls with delivery reports (signed HTTP), /api/v1/sms/receipts/{token}; unset: none are taken',
    ),
  SMS_SIGNATURE: z
    .string()
    .max(20)
    .default('')
    .describe('Signature of SMS for brands without their own, without brackets'),
  SMS_SENDER: z
    .string()
    .regex(/^\w{0,20}$/)
    .default('')
    .describe('Sender number or name of SMS (SMPP)'),
  SMS_TEMPLATE: z
    .string()
    .max(64)
    .default('')
    .describe('Template for codes (signed HTTP); its parameter is code'),
  SMS_NOTICE_TEMPLATE: z
    .string()
    .max(64)
    .default('')
    .describe(
      'Template any other SMS is sent by (signed HTTP), with the parameter text; unset: SMS_TEMPLATE',
    ),
  AMAP_KEY_FILE: file.describe(
    'File with the key of AMap’s web services, which are asked for addresses first; unset: they are not asked',
  ),
  AMAP_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://restapi.amap.com')
    .describe('Where AMap’s web services are'),
  AMAP_POSITION_KEY_FILE: file.describe(
    'File with the key of AMap’s positioning of hardware, which is asked first where a machine is; unset: it is not asked',
  ),
  AMAP_POSITION_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://apilocate.amap.com')
    .describe('Where AMap’s positioning of hardware is'),
  TENCENT_MAP_KEY_FILE: file.describe(
    'File with the key of Tencent’s location services, which are asked after AMap for addresses and positions; unset: they are not asked',
  ),
  TENCENT_MAP_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://apis.map.qq.com')
    .describe('Where Tencent’s location services are'),
  PLACE_CALLS_PER_DAY_MAX: z.coerce
    .number()
    .int()
    .min(0)
    .default(5_000)
    .describe('Calls of one provider of places in a day, of all processes together'),
  SIM_ACCOUNTS_FILE: file.describe(
    'File (JSON) with the accounts at carriers of SIM cards, the same one for all processes; read once at the start; unset: none',
  ),
  TILES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of PMTiles files that operators choose as maps, the same one for all processes, only read; unset: none',
    ),
  TILE_CACHE_MB_MAX: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(2_048)
    .describe('Most megabytes of tiles that this process keeps in its data folder; 0: none'),
  OUTGOING_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .transform((list, context): readonly AllowedPlace[] => {
      try {
        return parseAllowedNetworks(list)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .describe(
      'Places that outgoing calls may reach though private or without TLS: enterprise=7 10.1.0.0/16:1883, operator maps.local:80; *: all',
    ),
  MACHINE_VALUES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(1_000_000)
    .default(gatewayLimits.machineValuesPerS)
    .describe(
      'Values one machine may send a second, each started 64 bytes of texts as one; above it QoS 1 and 2 wait, QoS 0 is dropped and counted',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level of log lines, JSON on stderr; debug has a line for every request'),
  ENTERPRISES_BY: z
    .enum(['anyone', 'operators'])
    .default('anyone')
    .describe('People who may create enterprises: anyone who is signed in, or operators only'),
  SELF_REGISTERED_CODES: codeRange.describe(
    'Codes of machines that people register themselves, from-to; operators cannot register codes of this range',
  ),
  SELF_REGISTERED_PERSON_MAX: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(20)
    .describe('Most machines that one person registers; 0: people cannot'),
  SELF_REGISTERED_ENTERPRISE_MAX: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(500)
    .describe('Most machines that the people of one enterprise register for it; 0: they cannot'),
  DOWNLOADS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the programs that people download, with manifest.json; unset: dist/downloads of the checkout',
    ),
  DOWNLOADS_KEY_FILE: file.describe(
    'Public key (PEM, Ed25519) that the manifest of the programs is signed with; unset: signatures are not checked',
  ),
  RETENTION_RAW_DAYS_MAX: z.coerce
    .number()
    .int()
    .min(limits.retentionRawDaysUsual)
    .max(limits.retentionRawDaysMax)
    .default(limits.retentionRawDaysMax)
    .describe(
      'Days for which people may have the samples of their machines kept; all have 90 unless they set it',
    ),
  BUSBAR_DEMO: flag.default(false).describe('Demo people and machines; only on a loopback HOST'),
} as const

const schema = z.object(settings)
export type Config = z.output<typeof schema>

/** The settings were wrong; the message names each one. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost'])

/** Reads the environment. Throws ConfigError naming every setting that is wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  )
  const result = schema.safeParse(given)
  if (!result.success) {
    throw new ConfigError(
      result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    )
  }
  if (result.data.BUSBAR_DEMO && isReachable(result.data)) {
    throw new ConfigError(
      'BUSBAR_DEMO: the demo runs only on a loopback HOST, without a public PUBLIC_URL or TRUSTED_PROXIES',
    )
  }
  // A loopback HOST does not tell where people come from: a proxy on this machine brings them from anywhere.
  if ((result.data.SMTP_URL || result.data.SMS_URL) && !result.data.PUBLIC_URL && !result.data.BUSBAR_DEMO) {
    throw new ConfigError(
      'PUBLIC_URL: set it beside SMTP_URL or SMS_URL; without it the links in e-mails and SMS lead nowhere',
    )
  }
  if (result.data.BUSBAR_DEMO && !result.data.MQTT_PLAIN)
    throw new ConfigError('MQTT_PLAIN: the demo’s machines need it; unset it, or BUSBAR_DEMO')
  if (result.data.DATABASE_PASSWORD_FILE && !result.data.DATABASE_URL)
    throw new ConfigError('DATABASE_PASSWORD_FILE: it is the password of a DATABASE_URL; set that too')
  if (result.data.TELEMETRY_PASSWORD_FILE && !result.data.TELEMETRY_URL)
    throw new ConfigError('TELEMETRY_PASSWORD_FILE: it is the password of a TELEMETRY_URL; set that too')
  if (result.data.MQTT_PROXY_PROTOCOL && result.data.TRUSTED_PROXIES.length === 0)
    throw new ConfigError('MQTT_PROXY_PROTOCOL: set TRUSTED_PROXIES too, to the proxies that send it')
  checkNodes(result.data)
  checkTls(result.data)
  checkVisits(result.data)
  return result.data
}

/**
 * DATABASE_URL with its password, wherever that is; undefined if the database is the embedded one.
 * @throws ConfigError when the password's file cannot be read
 */
export function readDatabaseUrl(config: Config): string | undefined {
  return readUrl(config, 'DATABASE')
}

/**
 * TELEMETRY_URL with its password; undefined if the samples have no separate database.
 * @throws ConfigError when the password's file cannot be read
 */
export function readTelemetryUrl(config: Config): string | undefined {
  return readUrl(config, 'TELEMETRY')
}

function readUrl(config: Config, prefix: 'DATABASE' | 'TELEMETRY'): string | undefined {
  const given = config[`${prefix}_URL`]
  const file = config[`${prefix}_PASSWORD_FILE`]
  if (!given || !file) return given
  const url = new URL(given)
  url.password = encodeURIComponent(readSecretFile(`${prefix}_PASSWORD_FILE`, file))
  return url.href
}

/**
 * The secret in a file that a setting names, without the line break that editors add.
 * @throws ConfigError when the file cannot be read
 */
export function readSecretFile(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable'
    throw new ConfigError(`${setting}: ${file} cannot be read (${reason})`)
  }
}

function checkNodes(config: Config): void {
  const files = (['NODE_CA_FILE', 'NODE_CERT_FILE', 'NODE_KEY_FILE'] as const).filter((name) => config[name])
  if (files.length > 0 && files.length < 3)
    throw new ConfigError(
      `${files.join(', ')}: NODE_CA_FILE, NODE_CERT_FILE and NODE_KEY_FILE belong together`,
    )
  if (config.NATS_PASSWORD_FILE && !config.NATS_USER)
    throw new ConfigError('NATS_PASSWORD_FILE: it is the password of a NATS_USER; set that too')
  checkNats(config)
  if (config.ROLES.length < roles.length && !config.NATS_URL)
    throw new ConfigError('ROLES: processes that share the work need NATS_URL')
  if (config.ROLES.length < roles.length && !config.DATABASE_URL)
    throw new ConfigError(
      'ROLES: processes that share the work need a DATABASE_URL, the embedded one is one process’s',
    )
}

/** Messages between nodes cross a network with TLS only, and each node is known to the server. */
function checkNats(config: Config): void {
  const away = readNatsServers(config).filter((server) => !isLoopback(new URL(server).hostname))
  if (away.length === 0) return
  const plain = away.find((server) => !server.startsWith('tls:'))
  if (plain)
    throw new ConfigError(
      `NATS_URL: ${plain} is on another host, so its connection needs TLS: give the server a certificate (busbar node certificates), write tls:// in place of nats://, and set NATS_CA_FILE`,
    )
  if (!config.NATS_USER || !config.NATS_PASSWORD_FILE)
    throw new ConfigError(
      'NATS_USER, NATS_PASSWORD_FILE: NATS on another host needs both; give each node a user of its own (deploy/nats.conf)',
    )
}

/** The servers of NATS_URL. */
export function readNatsServers({ NATS_URL }: Pick<Config, 'NATS_URL'>): string[] {
  return NATS_URL?.split(',').map((server) => server.trim()) ?? []
}

function checkTls(config: Config): void {
  for (const prefix of ['', 'VISIT_'] as const) {
    const certificate = config[`${prefix}TLS_CERT_FILE`]
    const key = config[`${prefix}TLS_KEY_FILE`]
    if (certificate && !key)
      throw new ConfigError(`${prefix}TLS_KEY_FILE: set it too, to the key of ${prefix}TLS_CERT_FILE`)
    if (key && !certificate)
      throw new ConfigError(`${prefix}TLS_CERT_FILE: set it too, to the certificate of ${prefix}TLS_KEY_FILE`)
  }
  if (config.VISIT_TLS_CERT_FILE && !config.TLS_CERT_FILE)
    throw new ConfigError('TLS_CERT_FILE: the console needs one too where VISIT_TLS_CERT_FILE is set')
  if (config.MQTTS_PORT !== undefined && !config.TLS_CERT_FILE)
    throw new ConfigError('MQTTS_PORT: MQTT with TLS needs TLS_CERT_FILE and TLS_KEY_FILE')
  if (config.TLS_CERT_FILE && config.PUBLIC_URL?.startsWith('http:'))
    throw new ConfigError('PUBLIC_URL: with TLS_CERT_FILE the console is reached by https://, not http://')
}

/** A machine's page is a stranger: it must not share the console's registrable domain. */
function checkVisits(config: Config): void {
  if (!config.PUBLIC_URL) return
  const consoleHost = new URL(config.PUBLIC_URL).hostname
  const visitDomain = readVisitHost(config).domain
  if (consoleHost === visitDomain || consoleHost.endsWith(`.${visitDomain}`))
    throw new ConfigError(
      `VISIT_HOST: the console (PUBLIC_URL) cannot be ${visitDomain} or a name under it; give machines’ pages a domain of their own`,
    )
  if (isLocalName(consoleHost) || config.ALLOW_SAME_SITE_VISITS || !sharesConsoleSite(config)) return
  throw new ConfigError(
    `VISIT_HOST: ${visitDomain} and the console’s ${consoleHost} are one site to a browser; use another registrable domain for machines’ pages, or set ALLOW_SAME_SITE_VISITS=1 knowing that a machine’s page can then set cookies for the console`,
  )
}

/** Whether machines’ pages and the console are on one registrable domain. */
export function sharesConsoleSite(config: Config): boolean {
  if (!config.PUBLIC_URL) return false
  return isSameSite(new URL(config.PUBLIC_URL).hostname, readVisitHost(config).domain)
}

/** Whether a console’s host and a visit domain are on one registrable domain. */
export function isSameSite(consoleHost: string, visitDomain: string): boolean {
  // The list of public suffixes takes 2 MB, and only a platform with a domain name needs it.
  const { getDomain } = createRequire(import.meta.url)('tldts') as typeof import('tldts')
  const site = (host: string) => getDomain(host, { allowPrivateDomains: true })
  const consoleSite = site(consoleHost)
  // A machine’s own host decides: the visit domain itself may be a public suffix.
  return consoleSite !== null && consoleSite === site(`machine.${visitDomain}`)
}

/** The domain of visit hosts and, if it was given, their port. */
export function readVisitHost(config: Config): { domain: string; port: string | undefined } {
  const [domain = localVisitDomain, port] = config.VISIT_HOST.split(':')
  return { domain, port }
}

/** Whether visits have a domain that leads here: the default one resolves on this machine only. */
export function hasVisitHost(config: Config): boolean {
  return !hasOutsideAddress(config) || !isLocalName(readVisitHost(config).domain)
}

/** Whether people reach the console by an address that does not only mean this machine. */
export function hasOutsideAddress({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean {
  return PUBLIC_URL !== undefined && !isLocalName(new URL(PUBLIC_URL).hostname)
}

/** Whether a host of a URL is this machine itself. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return loopbackHosts.has(bare) || /^127(\.\d{1,3}){3}$/.test(bare)
}

/** A name for the machine one sits at. */
export function isLocalName(host: string): boolean {
  return loopbackHosts.has(host.replace(/^\[|\]$/g, '')) || host.endsWith('.localhost')
}

/** Whether others than the people at this machine can come in. */
function isReachable(config: Config): boolean {
  const publicHost = config.PUBLIC_URL ? new URL(config.PUBLIC_URL).hostname : 'localhost'
  return (
    !loopbackHosts.has(config.HOST) || !loopbackHosts.has(publicHost) || config.TRUSTED_PROXIES.length > 0
  )
}

/** True where cookies must be Secure and named `__Host-`. */
export function isHttps(config: Config): boolean {
  return config.TLS_CERT_FILE !== undefined || (config.PUBLIC_URL?.startsWith('https:') ?? false)
}
