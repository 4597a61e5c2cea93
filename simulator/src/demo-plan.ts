import { readFile } from 'node:fs/promises'
import type { Outage } from './connection-plan.ts'
import type { ReceiverPlan } from './receiver.ts'

/** One machine of the plan. */
export interface PlannedMachine {
  code: string
  secret: string
  trade: string
  outages: readonly Outage[]
}

/** The plan of a simulation, as the start command writes it. */
export interface DemoPlan {
  mqttUrl: string
  /** The platform's address for tunnels; absent: machines cannot be entered. */
  tunnelUrl?: string
  /** When the demo was made: its story begins then, and its made-up past ends. */
  madeAt: number
  /** Whether the machines send a past; parts already sent are in the memory. */
  fillHistory: boolean
  /** The file with the state of the simulation over a restart; absent: each start begins anew. */
  memoryFile?: string
  machines: readonly PlannedMachine[]
  /** The Modbus server, with the machine whose agent reads it, so that its past can be sent. */
  modbus?: { host: string; port: number; machine?: PlannedMachine }
  /** The system behind the demo's projects. */
  receiver?: ReceiverPlan
}

/** A demo is one process; there is a separate command for load. */
const machinesMax = 1_000

/** Reads a plan. Throws with the field's name for missing or invalid parts; a message never contains a secret. */
export async function readDemoPlan(file: string): Promise<DemoPlan> {
  return parseDemoPlan(JSON.parse(await readFile(file, 'utf8')))
}

export function parseDemoPlan(input: unknown): DemoPlan {
  const plan = recordOf(input, 'plan')
  const machines = listOf(plan.machines, 'machines')
  if (machines.length > machinesMax) throw new Error(`machines: more than ${machinesMax}`)
  return {
    mqttUrl: textOf(plan.mqttUrl, 'mqttUrl'),
    ...(plan.tunnelUrl === undefined ? {} : { tunnelUrl: textOf(plan.tunnelUrl, 'tunnelUrl') }),
    madeAt: numberOf(plan.madeAt, 'madeAt'),
    fillHistory: plan.fillHistory === true,
    ...(plan.memoryFile === undefined ? {} : { memoryFile: textOf(plan.memoryFile, 'memoryFile') }),
    machines: machines.map((machine, index) => parseMachine(machine, `machines[${index}]`)),
    ...(plan.modbus === undefined || plan.modbus === null ? {} : { modbus: parseModbus(plan.modbus) }),
    ...(plan.receiver === undefined ? {} : { receiver: parseReceiver(plan.receiver) }),
  }
}

function parseMachine(input: unknown, name: string): PlannedMachine {
  const machine = recordOf(input, name)
  const code = textOf(machine.code, `${name}.code`)
  if (!/^[0-9]{19}$/.test(code)) throw new Error(`${name}.code: not 19 digits`)
  const outages = machine.outages === undefined ? [] : listOf(machine.outages, `${name}.outages`)
  return {
    code,
    secret: textOf(machine.secret, `${name}.secret`),
    trade: textOf(machine.trade, `${name}.trade`),
    outages: outages.map((entry, place) => {
      const [fromAt, untilAt] = listOf(entry, `${name}.outages[${place}]`)
      return [numberOf(fromAt, `${name}.outages[${place}]`), numberOf(untilAt, `${name}.outages[${place}]`)]
    }),
  }
}

function parseModbus(input: unknown): NonNullable<DemoPlan['modbus']> {
  const { host, port, machine } = recordOf(input, 'modbus')
  return {
    host: textOf(host, 'modbus.host'),
    port: numberOf(port, 'modbus.port'),
    ...(machine === undefined ? {} : { machine: parseMachine(machine, 'modbus.machine') }),
  }
}

function parseReceiver(input: unknown): ReceiverPlan {
  const { host, port, secrets, pullUrl, pulls } = recordOf(input, 'receiver')
  return {
    host: textOf(host, 'receiver.host'),
    port: numberOf(port, 'receiver.port'),
    secrets: listOf(secrets, 'receiver.secrets').map((secret) => textOf(secret, 'receiver.secrets')),
    pullUrl: textOf(pullUrl, 'receiver.pullUrl'),
    pulls: listOf(pulls, 'receiver.pulls').map((pull) => {
      const { projectId, key } = recordOf(pull, 'receiver.pulls')
      return {
        projectId: numberOf(projectId, 'receiver.pulls.projectId'),
        key: textOf(key, 'receiver.pulls.key'),
      }
    }),
  }
}

function recordOf(input: unknown, name: string): Record<string, unknown> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input }
  throw new Error(`${name}: not an object`)
}

function listOf(input: unknown, name: string): unknown[] {
  if (Array.isArray(input)) return input
  throw new Error(`${name}: not a list`)
}

function textOf(input: unknown, name: string): string {
  if (typeof input === 'string' && input !== '') return input
  throw new Error(`${name}: not a text`)
}

function numberOf(input: unknown, name: string): number {
  if (typeof input === 'number' && Number.isFinite(input)) return input
  throw new Error(`${name}: not a number`)
}
