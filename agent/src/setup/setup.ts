import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isNetwork } from '../remote/networks.ts'
import { ownNetworks } from './own-networks.ts'
import { post, requireWebSocket, SetupFailure } from './reach.ts'
import { type SetupTexts, setupTexts } from './setup-texts.ts'
import { findMachine, writeConfig } from './write-config.ts'

const usualFolder = '/etc/busbar-agent'
const unit = 'busbar-agent.service'
const linkPattern = /^\/api\/v1\/setup\/[\w-]{43}$/
const triesMax = 3

/** The platform's answer about the machine of a link. */
interface Taken {
  readonly machineCode: string
  readonly secret: string
  readonly urls: { readonly mqtt: string; readonly tunnel: string }
  readonly remote: 'off' | 'drivers'
  readonly networks: readonly string[]
}

/** How a setup ends: with this exit code, or by running the agent with the file that it wrote. */
export type SetupEnd = { readonly exitCode: number } | { readonly run: string }

/**
 * `busbar-agent setup LINK`: fetches what this computer needs to speak for a machine, and starts the agent. Run again it
 * harms nothing: the link tells the same until its secret is stored, and the file of another machine is not replaced.
 */
export async function setup(args: string[], say: (line: string) => void): Promise<SetupEnd> {
  const texts = setupTexts(process.env)
  try {
    return await perform(args, texts, say)
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    say(error.message)
    return { exitCode: 1 }
  }
}

async function perform(args: string[], texts: SetupTexts, say: (line: string) => void): Promise<SetupEnd> {
  const { link, values } = readArgs(args, texts)
  const folder = resolve(values.folder ?? process.env.BUSBAR_AGENT_FOLDER ?? usualFolder)
  say(texts.asks(new URL(link).host))
  const { machineCode: code, secret, urls, remote, networks: wished } = await take(link, texts)
  const present = await findMachine(folder)
  if (present !== null && present !== code && !values.replace)
    throw new SetupFailure(texts.otherMachine(`${folder}/agent.yaml`, present))
  await requireWebSocket(urls.mqtt, 'mqtt', texts)

  const named =
    values.networks?.split(',').map((text) => text.trim()) ?? (wished.length > 0 ? wished : ownNetworks())
  const wrong = named.find((text) => !isNetwork(text))
  if (wrong !== undefined) throw new SetupFailure(texts.badNetwork(wrong))
  const networks = values['no-remote'] || remote === 'off' || named.length === 0 ? null : named
  const { mqtt: url, tunnel } = urls
  const path = await writeConfig({ folder, code, secret, url, tunnel, networks }, texts)
  say(texts.written(path))
  if (networks) say(texts.networks(networks.join(', ')))
  else say(named.length === 0 ? texts.noNetworks : texts.remoteOff(path))
  await acknowledge(link, texts)
  return networks && !values['no-start'] && !isStartedByOthers() ? start(path, texts, say) : { exitCode: 0 }
}

function readArgs(args: string[], texts: SetupTexts) {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch {
    throw new SetupFailure(texts.usage)
  }
  const [link = '', ...rest] = parsed.positionals
  if (rest.length > 0 || link === '') throw new SetupFailure(texts.usage)
  const url = URL.canParse(link) ? new URL(link) : null
  if (url === null || !/^https?:$/.test(url.protocol) || !linkPattern.test(url.pathname))
    throw new SetupFailure(texts.badLink(link))
  return { link: url.origin + url.pathname, values: parsed.values }
}

const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      folder: { type: 'string' },
      networks: { type: 'string' },
      'no-remote': { type: 'boolean', default: false },
      'no-start': { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
    },
  })

async function take(link: string, texts: SetupTexts): Promise<Taken> {
  const body = await post(`${link}/secret`, texts)
  const { hwcode, hwdata, error } = body as { hwcode: number; hwdata?: Taken; error?: { message?: string } }
  if (hwcode !== 0 || !hwdata) throw new SetupFailure(texts.refused(error?.message ?? String(hwcode)))
  return hwdata
}

/** The secret is stored: a link that cannot be told so ends by itself. */
async function acknowledge(link: string, texts: SetupTexts): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      await post(`${link}/done`, texts)
      return
    } catch (error) {
      if (!(error instanceof SetupFailure)) throw error
    }
  }
}

/** A container is started after its setup, and so is a task of Windows. */
const isStartedByOthers = (): boolean =>
  process.env.BUSBAR_AGENT_FOLDER !== undefined || process.platform === 'win32'

function start(path: string, texts: SetupTexts, say: (line: string) => void): SetupEnd {
  // The service reads the usual folder.
  if (dirname(path) !== usualFolder || !existsSync('/run/systemd/system')) {
    say(texts.runsHere)
    return { run: path }
  }
  const { status } = spawnSync('systemctl', ['restart', unit], { stdio: 'ignore' })
  say(status === 0 ? texts.started : texts.notStarted(`systemctl restart ${unit}`))
  return { exitCode: status === 0 ? 0 : 1 }
}
