import { chmod, chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { errorReason } from '../log.ts'
import { SetupFailure } from './reach.ts'
import type { SetupTexts } from './setup-texts.ts'

/** The code in the file of a package, before it is set up. */
const noMachine = '0000000000000000000'

export interface NewConfig {
  readonly folder: string
  readonly code: string
  readonly secret: string
  /** MQTT over WebSocket. */
  readonly url: string
  readonly tunnel: string
  /** Null: nothing is configured from the platform. */
  readonly networks: readonly string[] | null
}

/** The machine that the file of a folder is for; null without one. */
export async function findMachine(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'agent.yaml'), 'utf8').catch(() => '')
  const code = parseDocument(text).getIn(['cloud', 'code'])
  return typeof code === 'string' && code !== noMachine ? code : null
}

/**
 * Writes the agent's file and the secret into a folder; the file of the same machine stays as it is. Answers the path of the
 * file. Throws `SetupFailure` where it cannot be written.
 */
export async function writeConfig(config: NewConfig, texts: SetupTexts): Promise<string> {
  const path = join(config.folder, 'agent.yaml')
  try {
    await mkdir(config.folder, { recursive: true, mode: 0o750 })
    if ((await findMachine(config.folder)) !== config.code)
      await writeWhole(path, textOf(config), config.folder)
    await writeWhole(join(config.folder, 'secret'), `${config.secret}\n`, config.folder)
  } catch (error) {
    throw new SetupFailure(texts.notWritable(config.folder, errorReason(error)))
  }
  return path
}

/** Whole or not at all; the group of the folder is the one under which the agent runs, and reads it. */
async function writeWhole(path: string, text: string, folder: string): Promise<void> {
  const aside = `${path}.new`
  await writeFile(aside, text, { mode: 0o600 })
  const { gid } = await stat(folder)
  if (process.getuid?.() === 0) {
    await chown(aside, 0, gid)
    await chmod(aside, 0o640)
  }
  await rename(aside, path)
}

function textOf({ code, url, tunnel, networks }: NewConfig): string {
  const remote =
    networks === null
      ? ['remote: off']
      : ['remote: drivers', `networks: [${networks.map((network) => JSON.stringify(network)).join(', ')}]`]
  return [
    '# Written by `busbar-agent setup`. The example in the package explains every line that can stand here.',
    'cloud:',
    `  url: ${JSON.stringify(url)}`,
    `  tunnel: ${JSON.stringify(tunnel)}`,
    `  code: "${code}"`,
    '  secretFile: secret',
    '',
    '# Whether people with the control key of this machine may set up connections to controllers in these networks from the',
    '# platform; "off" does not allow it.',
    ...remote,
    ...(networks === null ? ['', 'connections: []'] : []),
    '',
  ].join('\n')
}
