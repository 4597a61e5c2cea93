import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorReason } from '../log.ts'
import type { AgentConfig } from './config.ts'
import { configLimits } from './config.ts'
import { ConfigError } from './config-text.ts'
import { parseConfigWithDrivers } from './parse-config.ts'

/**
 * Reads and checks a configuration file. Throws `ConfigError`. A `secretFile` and the outbox are looked for beside the
 * file.
 */
export async function loadConfig(path: string): Promise<AgentConfig> {
  const config = await parseConfigWithDrivers(await readText(path, 'the file', configLimits.fileBytesMax))
  const { secret: inlineSecret, secretFile, ...cloud } = config.cloud
  const secret = inlineSecret ?? (await readSecret(resolve(dirname(path), secretFile ?? '')))
  const { disk, ...outbox } = config.outbox
  const folder = disk ? resolve(dirname(path), outbox.folder ?? join(stateFolder(), 'outbox')) : null
  const folders = {
    config: resolve(dirname(path)),
    driverState: resolve(dirname(path), stateFolder(), 'driver-state'),
    remote: resolve(dirname(path), stateFolder(), 'remote'),
  }
  return { ...config, cloud: { ...cloud, secret }, outbox: { ...outbox, folder }, folders }
}

/** The folder that systemd provides (StateDirectory=), else the one beside the configuration. */
function stateFolder(): string {
  const [state] = (process.env.STATE_DIRECTORY ?? '').split(':')
  return state || '.'
}

async function readSecret(path: string): Promise<string> {
  const secret = (await readText(path, 'cloud.secretFile', configLimits.secretBytesMax)).trim()
  if (secret === '') throw problem('cloud.secretFile', `names ${path}, which is empty`)
  return secret
}

async function readText(path: string, field: string, bytesMax: number): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw problem(field, `cannot be read: ${path} (${errorReason(error)})`)
  }
  if (bytes.length > bytesMax) throw problem(field, `is larger than ${bytesMax} bytes: ${path}`)
  return bytes.toString('utf8')
}

function problem(path: string, message: string): ConfigError {
  return new ConfigError([{ path, line: null, message }])
}
