import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { demoMachineCode, type Lang } from '@busbar/contract'
import type { Database } from '../kernel/database/database.ts'
import { findFreePort } from '../kernel/http/listen.ts'
import { type AllowedPlace, parseAllowedNetworks } from '../kernel/outgoing-http/allowed-networks.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { createCode, createMachinePassword } from '../modules/machines/index.ts'
import { openDemoReceiving } from './demo-projects.ts'
import {
  type CatalogueEntry,
  createDemoRows,
  type DemoMachine,
  listDemoCodes,
  lockDemoPeople,
} from './demo-rows.ts'

const simulatorDir = path.resolve(import.meta.dirname, '../../../simulator')
/** The catalogue's cooling tower: its line is the bad one. */
const longAwayPlace = 7

/** The trades that both demo people share: the machine with a real agent, and the one everybody may enter. */
const sharedTrades = new Set(['modbus', 'demo'])

/** The demo people: each has a separate plant in one language, and both share two machines. */
export const demoAccounts = { en: 'demo@busbar.local', cn: 'demo.cn@busbar.local' } as const

/** The data that the start command shows, and with which it starts the demo's own processes. */
export interface Demo {
  readonly account: string
  readonly accountCn: string
  readonly password: string
  /** The demo in a few words, for the start command. */
  readonly about: string
  readonly simulatorConfig: string
  readonly agentConfig: string
  /** Where the demo's projects send rows to, for the demo's people alone. */
  readonly allowed: readonly AllowedPlace[]
}

/** Kept beside the data, readable by its owner only: the simulated machines' secrets and the demo password. */
interface DemoState {
  readonly password: string
  readonly madeAt: number
  /** Whether the simulator invents the week before `madeAt`; not for machines with a real past. */
  readonly hasPast: boolean
  readonly machines: readonly DemoMachine[]
}

/**
 * Makes the demo's people and machines at the first start, and writes the configuration of the simulator and of
 * the demo's agent at every start. The password is random per installation; where it was lost, the rows
 * that are there get a new one and new secrets.
 */
export async function seedDemo(options: {
  db: Database
  dataDir: string
  mqttUrl: string
  /** `ws://…/tunnel`: where the demo's machines can be entered. */
  tunnelUrl: string
  secrets: SecretBox
  now: number
}): Promise<Demo> {
  const dir = path.join(options.dataDir, 'demo')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // One that an earlier version made.
  await chmod(dir, 0o700)
  const stateFile = path.join(dir, 'state.json')
  const known = await readJson<DemoState>(stateFile)
  const codes = await listDemoCodes(options.db, demoAccounts)
  const isWhole = known?.machines.some(({ lang }) => lang === 'cn') === true
  const state = known && isWhole && codes.size > 0 ? known : await planDemo(known, codes, options.now)
  if (state !== known) await writePrivate(stateFile, JSON.stringify(state))
  const simulatorConfig = path.join(dir, 'simulator.json')
  // Each port stays over a restart: connections that a person added on the page of the drivers lead to the one, and
  // destinations of projects to the other.
  const before = await readJson<{ modbus?: { port: number }; receiver?: { port: number } }>(simulatorConfig)
  const modbus = { host: '127.0.0.1', port: await findFreePort('127.0.0.1', before?.modbus?.port) }
  const port = await findFreePort('127.0.0.1', before?.receiver?.port)
  const receiver = {
    secrets: options.secrets,
    url: receiverUrl(port),
    formerUrl: receiverUrl(before?.receiver?.port ?? port),
  }
  const people = await createDemoRows(options.db, { ...state, accounts: demoAccounts, receiver })
  const receiving = await openDemoReceiving(options.db, people, receiver, new Date(options.now))

  const simulated = state.machines.map(({ code, secret, trade, outages }) => ({
    code,
    secret,
    trade,
    outages,
  }))
  await writePrivate(
    simulatorConfig,
    JSON.stringify({
      mqttUrl: options.mqttUrl,
      tunnelUrl: options.tunnelUrl,
      madeAt: state.madeAt,
      fillHistory: state.hasPast,
      memoryFile: path.join(dir, 'simulator-memory.json'),
      machines: simulated.filter(({ trade }) => trade !== 'modbus'),
      modbus: { ...modbus, machine: simulated.find(({ trade }) => trade === 'modbus') },
      receiver: {
        ...{ host: '127.0.0.1', port, secrets: receiving.secrets, pulls: receiving.pulls },
        // The console's own listener.
        pullUrl: options.tunnelUrl.replace(/^ws(s?):(.*)\/.*$/, 'http$1:$2/api/project/v1/data'),
      },
    }),
  )
  const agentConfig = path.join(dir, 'agent.yaml')
  const modbusMachine = state.machines.find((machine) => machine.trade === 'modbus')
  const template = await readFile(path.join(simulatorDir, 'demo-agent.yaml'), 'utf8')
  const values: Record<string, string> = {
    CLOUD_URL: options.mqttUrl,
    TUNNEL_URL: options.tunnelUrl,
    CODE: modbusMachine?.code ?? '',
    SECRET: modbusMachine?.secret ?? '',
    MODBUS_HOST: modbus.host,
    MODBUS_PORT: String(modbus.port),
  }
  await writePrivate(
    agentConfig,
    template.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  )

  return {
    account: demoAccounts.en,
    accountCn: demoAccounts.cn,
    password: state.password,
    about: `${state.machines.filter(({ lang }) => lang !== 'cn').length} machines in each language${state === known ? '' : ', whose past week is there within seconds'}`,
    simulatorConfig,
    agentConfig,
    allowed: people.flatMap((userId) => parseAllowedNetworks(`person=${userId} 127.0.0.1:${port}`)),
  }
}

const receiverUrl = (port: number): string => `http://127.0.0.1:${port}/rows`

/** Keeps anybody from signing in to a demo that is over: locked until a start for demo opens it again. */
export async function endDemo(db: Database): Promise<void> {
  await lockDemoPeople(db, demoAccounts)
}

/** A demo that begins now. One whose database was lost keeps its password and its machines' codes. */
async function planDemo(
  known: DemoState | undefined,
  codes: ReadonlyMap<string, string>,
  now: number,
): Promise<DemoState> {
  const planned = await planMachines(now, codes)
  const machines = planned.map((machine) => {
    // The plant of an earlier demo for both accounts becomes the English account's.
    const before = known?.machines.find(
      ({ trade, lang = machine.lang && 'en' }) => trade === machine.trade && lang === machine.lang,
    )
    return before
      ? { ...machine, code: before.code, secret: before.secret, password: before.password }
      : machine
  })
  return {
    password: known?.password ?? createMachinePassword(),
    madeAt: now,
    hasPast: codes.size === 0,
    machines,
  }
}

async function planMachines(now: number, codes: ReadonlyMap<string, string>): Promise<DemoMachine[]> {
  const catalogue = JSON.parse(
    await readFile(path.join(simulatorDir, 'demo-machines.json'), 'utf8'),
  ) as CatalogueEntry[]
  const entries = catalogue.flatMap((entry, place) => {
    const langs: readonly (Lang | undefined)[] = sharedTrades.has(entry.trade) ? [undefined] : ['en', 'cn']
    return langs.map((lang) => ({ entry, place, lang }))
  })
  return entries.map(({ entry, place, lang }) => ({
    ...entry,
    ...(lang ? { lang } : {}),
    code: entry.trade === 'demo' ? demoMachineCode : (codes.get(entry.name[lang ?? 'en']) ?? createCode()),
    secret: createMachinePassword() + createMachinePassword() + createMachinePassword(),
    password: createMachinePassword(),
    outages: planOutages(place, now),
  }))
}

const hourMs = 3_600_000

/** Times of the last week in which a machine was away: most for minutes, some for an hour, one for hours each day. */
function planOutages(place: number, now: number): [number, number][] {
  /** Hours ago, and for how many. */
  const away = (hoursAgo: number, hours: number): [number, number] => {
    const from = Math.round(now - hoursAgo * hourMs)
    return [from, Math.round(from + hours * hourMs)]
  }
  if (place === longAwayPlace) {
    const evenings = [6, 5, 4, 3, 2, 1].map((daysAgo) =>
      away(daysAgo * 24 + 3 + (daysAgo % 3), 7 + (daysAgo % 2)),
    )
    return [...evenings, away(16, 2.8), away(3.4, 3.1)]
  }
  if (place % 5 === 2) return [away(131, 0.3), away(74.5, 1.4), away(10.2, 0.6)]
  if (place % 5 === 4) return [away(150, 0.2), away(98, 4.5), away(19.8, 0.2), away(3.6, 0.2)]
  return place % 5 === 1 ? [away(112 - place, 0.15)] : []
}

async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written beside and moved into place: a kill in the middle leaves the old file, never half of the new one. */
async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.draft`
  await writeFile(draft, text, { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, file)
}
