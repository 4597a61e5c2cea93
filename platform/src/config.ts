import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
const flag = z.enum(['0', '1', 'true', 'false']).transform((word) => word === '1' || word === 'true')

/** Every setting of the platform, read once at the start. The description is what an operator reads. */
export const settings = {
  HOST: z.string().default('127.0.0.1').describe('Address the web server listens on'),
  PORT: port.optional().describe('Port of the web server; unset: 8080, or the next free one'),
  MQTT_PORT: port.optional().describe('Port of the MQTT listener; unset: 1883, or the next free one'),
  METRICS_PORT: port.optional().describe('Loopback port of /metrics; unset: 9464, or the next free one'),
  DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the embedded database and of uploads; unset: data/ of the checkout'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('A PostgreSQL of your own instead of the embedded one'),
  DATABASE_POOL: z.coerce.number().int().min(4).max(200).default(16).describe('Connections to the database'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where people reach the console, e.g. https://busbar.example'),
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
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('What is logged'),
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
  return result.data
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
  return config.PUBLIC_URL?.startsWith('https:') ?? false
}
