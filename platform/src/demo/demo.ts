import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { demoMachineCode } from '@busbar/contract'
import type { Database } from '../database/database.ts'
import { findFreePort } from '../http/listen.ts'
import { createCode, createMachinePassword } from '../modules/machines/index.ts'
import {
  type CatalogueEntry,
  createDemoRows,
  type DemoMachine,
  listDemoCodes,
  lockDemoPeople,
} from './demo-rows.ts'

const simulatorDir = path.resolve(import.meta.dirname, '../../../simulator')
const historyMs = 24 * 3_600_000
/** The catalogue's cooling tower: its line is the bad one. */
const longAwayPlace = 7

/** The demo people: one sees English names, one Chinese ones; both look after the same machines. */
export const demoAccounts = { en: 'demo@busbar.local', cn: 'demo.cn@busbar.local' } as const

/** What the start command needs to show and to start the demo's own processes. */
export interface Demo {
  readonly account: string
  readonly accountCn: string
  readonly password: string
  readonly simulatorConfig: string
  readonly agentConfig: string
}

/** Kept beside the data, readable by its owner only: the simulated machines' secrets and the demo password. */
interface DemoState {
  readonly password: string
  readonly madeAt: number
  readonly machines: readonly DemoMachine[]
}

/**
 * Makes the demo's people and machines at the first start, and writes the configuration of the simulator and of
 * the demo's agent at every start. The password is random per installation (decision 42); where it was lost, the rows
 * that are there get a new one and new secrets.
 */
export async function seedDemo(options: {
  db: Database
  dataDir: string
  mqttUrl: string
  /** `ws://…/tunnel`: where the demo's machines can be entered. */
  tunnelUrl: string
  now: number
}): Promise<Demo> {
  const dir = path.join(options.dataDir, 'demo')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const stateFile = path.join(dir, 'state.json')
  const known = await readState(stateFile)
  const state = known ?? {
    password: createMachinePassword(),
    madeAt: options.now,
    machines: await planMachines(options.now, await listDemoCodes(options.db, demoAccounts)),
  }
  if (!known) await writePrivate(stateFile, JSON.stringify(state))
  const isNew = await createDemoRows(options.db, { ...state, accounts: demoAccounts })

  const modbus = { host: '127.0.0.1', port: await findFreePort('127.0.0.1') }
  const simulatorConfig = path.join(dir, 'simulator.json')
  await writePrivate(
    simulatorConfig,
    JSON.stringify({
      mqttUrl: options.mqttUrl,
      tunnelUrl: options.tunnelUrl,
      fillHistory: isNew,
      historyFromAt: state.madeAt - historyMs,
      machines: state.machines
        .filter((machine) => machine.trade !== 'modbus')
        .map(({ code, secret, trade, outages }) => ({ code, secret, trade, outages })),
      modbus,
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
    simulatorConfig,
    agentConfig,
  }
}

/** Keeps anybody from signing in to a demo that is over (decision 42): locked until a start for demo opens it again. */
export async function endDemo(db: Database): Promise<void> {
  await lockDemoPeople(db, demoAccounts)
}

async function planMachines(now: number, codes: ReadonlyMap<string, string>): Promise<DemoMachine[]> {
  const catalogue = JSON.parse(
    await readFile(path.join(simulatorDir, 'demo-machines.json'), 'utf8'),
  ) as CatalogueEntry[]
  return catalogue.map((entry, place) => ({
    ...entry,
    code: entry.trade === 'demo' ? demoMachineCode : (codes.get(entry.name.en) ?? createCode()),
    secret: createMachinePassword() + createMachinePassword() + createMachinePassword(),
    password: createMachinePassword(),
    outages: planOutages(place, now),
  }))
}

/** Times of the last day in which a machine was away: most never, some for minutes, one for hours. */
function planOutages(place: number, now: number): [number, number][] {
  const minuteMs = 60_000
  const ago = (minutes: number) => now - minutes * minuteMs
  if (place === longAwayPlace) return [[ago(960), ago(790)]]
  if (place % 5 === 2) return [[ago(610), ago(575)]]
  if (place % 5 === 4) {
    return [
      [ago(1190), ago(1178)],
      [ago(214), ago(203)],
    ]
  }
  return []
}

async function readState(file: string): Promise<DemoState | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoState
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
