import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { limits, shortText } from '@busbar/contract'
import { readConfig } from '../config.ts'
import { chooseDataDir } from '../kernel/database/data-dir.ts'
import type { Database } from '../kernel/database/database.ts'
import { findListening } from '../kernel/listening.ts'
import { parseAccountName } from '../modules/accounts/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'
import { loadMachinesMax, registerLoadMachines, removeLoadMachines } from './load-machines.ts'

const checkoutDir = path.resolve(import.meta.dirname, '../../..')
/** A separate program: the platform knows only its path. */
const loadProgram = path.join(checkoutDir, 'simulator/src/load/main.ts')
const text = { type: 'string' } as const
const defaults = { machines: 100, rate: 1, connect: 500, json: 3 }
const prefixCharactersMax = 12
const ratePerSMax = 1_000

/** `busbar simulate` */
export const simulateCommand: Command = {
  name: ['simulate'],
  summary: 'simulate machines for load: registers and connects them, sends values until Ctrl-C',
  usage: [
    `  --machines N       how many, at most ${loadMachinesMax} (default ${defaults.machines})`,
    `  --rate R           messages a second of each machine, 0.1 for one in ten seconds (default ${defaults.rate})`,
    '  --account ACCOUNT  whose machines they are, e-mail or phone number; without it nobody’s',
    '  --type TYPE        their type, e.g. compressor (default machine)',
    '  --prefix TEXT      their names begin with it (default Load)',
    `  --json N           of ten machines so many speak plain JSON, the others Sparkplug B (default ${defaults.json})`,
    `  --connect R        connections opened a second (default ${defaults.connect})`,
    '  --for SECONDS      ends by itself; without it Ctrl-C does',
    '  --processes N      to play them in; without it as few as can hold them',
    '  --url MQTT-URL     mqtt://host:port; without it the platform that runs on this data folder',
    '  --remove           removes all of these machines with their samples, and plays nothing',
    '  --force            also where the platform was not started for demo',
  ].join('\n'),
  prepare(args) {
    const isForced = args.includes('--force')
    const isRemoval = args.includes('--remove')
    const given = readOptions(
      args.filter((arg) => arg !== '--force' && arg !== '--remove'),
      {
        ...{ machines: text, rate: text, account: text, 'country-code': text, type: text, prefix: text },
        ...{ json: text, connect: text, for: text, processes: text, url: text },
      },
      [],
    )
    const target = findTarget(given.url, isForced)
    if (isRemoval) return removeAll
    if (!existsSync(loadProgram))
      throw new CommandError('The simulator is not part of this installation: run it from a checkout')
    const wish = {
      count:
        numberOf(given.machines, '--machines', { min: 1, max: loadMachinesMax, isWhole: true }) ??
        defaults.machines,
      type: nameOf(given.type ?? 'machine', '--type', limits.machineNameMax),
      prefix: nameOf(given.prefix ?? 'Load', '--prefix', prefixCharactersMax),
    }
    const pace = {
      ratePerS: numberOf(given.rate, '--rate', { min: 0.001, max: ratePerSMax }) ?? defaults.rate,
      connectPerS: numberOf(given.connect, '--connect', { min: 1, max: 10_000 }) ?? defaults.connect,
      jsonOfTen: numberOf(given.json, '--json', { min: 0, max: 10, isWhole: true }) ?? defaults.json,
      forS: numberOf(given.for, '--for', { min: 1, max: 1_000_000 }),
      processes: numberOf(given.processes, '--processes', { min: 1, max: 64, isWhole: true }),
    }
    return async (db) => {
      const ownerUserId = given.account === undefined ? undefined : await findOwner(db, given)
      const machines = await registerLoadMachines(db, { ...wish, ownerUserId })
      console.log(`  ${machines.length} machines are registered; Ctrl-C stops, --remove removes them`)
      await play(JSON.stringify({ ...target, ...pace, machines }))
    }
  },
}

/** The address that the machines connect to. Throws if there is no listener, or if it may disturb real work. */
function findTarget(url: string | undefined, isForced: boolean): { host: string; port: number } {
  const config = readConfig(process.env)
  const running = findListening(config.DATA_DIR ?? chooseDataDir(checkoutDir))
  const mqttUrl = url ?? running?.mqttUrl
  if (mqttUrl === undefined)
    throw new CommandError('No platform runs on this data folder: start it with npm start, or give its --url')
  const isDemo = config.DATABASE_URL === undefined && running?.demo === true && mqttUrl === running.mqttUrl
  if (!isDemo && !isForced)
    throw new CommandError(
      'This platform does not run as a demo, and the load may slow it down for its users. Add --force to go on',
    )
  const { protocol, hostname, port } = URL.canParse(mqttUrl) ? new URL(mqttUrl) : new URL('none:')
  if (protocol !== 'mqtt:' || hostname === '') throw new CommandError('--url: mqtt://host:port')
  return { host: hostname, port: Number(port || 1883) }
}

async function removeAll(db: Database, samplesDb?: Database): Promise<void> {
  const { machines, samples } = await removeLoadMachines(db, samplesDb)
  console.log(`  ${machines} machines and ${samples} samples were removed`)
}

/** Secrets go through a pipe: they are on no disk and in no list of processes. */
async function play(plan: string): Promise<void> {
  const child = spawn(process.execPath, [loadProgram], { stdio: ['pipe', 'inherit', 'inherit'] })
  // The terminal's Ctrl-C reaches it by itself; signals sent only to this process are passed on.
  const pass = () => void child.kill('SIGTERM')
  const wait = () => {}
  process.on('SIGINT', wait)
  process.on('SIGTERM', pass)
  child.stdin.on('error', () => {})
  child.stdin.end(plan)
  const [code] = await once(child, 'exit')
  process.off('SIGINT', wait)
  process.off('SIGTERM', pass)
  if (code !== 0) throw new CommandError('The simulation failed')
}

async function findOwner(db: Database, given: Record<string, string | undefined>): Promise<number> {
  const account = parseAccountName(given.account ?? '', given['country-code'] ?? '86')
  if (!account) throw new CommandError('--account: an e-mail or a phone number')
  let query = db.selectFrom('users').select('id')
  query =
    'email' in account
      ? query.where('email', '=', account.email)
      : query.where('country_code', '=', account.countryCode).where('phone', '=', account.phone)
  const user = await query.executeTakeFirst()
  if (!user) throw new CommandError(`There is no account ${given.account}`)
  return user.id
}

function nameOf(given: string, option: string, charactersMax: number): string {
  const read = shortText(1, charactersMax).safeParse(given)
  if (!read.success) throw new CommandError(`${option}: 1 to ${charactersMax} characters`)
  return read.data
}

function numberOf(
  given: string | undefined,
  option: string,
  { min, max, isWhole = false }: { min: number; max: number; isWhole?: boolean },
): number | undefined {
  if (given === undefined) return undefined
  const number = Number(given)
  const fits = given.trim() !== '' && number >= min && number <= max && (!isWhole || Number.isInteger(number))
  if (!fits)
    throw new CommandError(`${option}: ${isWhole ? 'a whole number' : 'a number'} from ${min} to ${max}`)
  return number
}
