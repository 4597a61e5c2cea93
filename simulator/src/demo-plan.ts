import { readFile } from 'node:fs/promises'
import type { Outage } from './connection-plan.ts'

/** One machine of the plan. */
export interface PlannedMachine {
  code: string
  secret: string
  trade: string
  outages: readonly Outage[]
}

/** What the simulator is to run, as the start command writes it. */
export interface DemoPlan {
  mqttUrl: string
  /** Where machines open their tunnels; absent: nobody can enter them. */
  tunnelUrl?: string
  fillHistory: boolean
  historyFromAt: number
  machines: readonly PlannedMachine[]
  modbus?: { host: string; port: number }
}

export const machinesMax = 1_000

/** Reads a plan. Throws with the field's name for what is missing or wrong; a message never shows a secret. */
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
    fillHistory: plan.fillHistory === true,
    historyFromAt: plan.fillHistory === true ? numberOf(plan.historyFromAt, 'historyFromAt') : 0,
    machines: machines.map(parseMachine),
    ...(plan.modbus === undefined || plan.modbus === null ? {} : { modbus: parseModbus(plan.modbus) }),
  }
}

function parseMachine(input: unknown, index: number): PlannedMachine {
  const name = `machines[${index}]`
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

function parseModbus(input: unknown): { host: string; port: number } {
  const modbus = recordOf(input, 'modbus')
  return { host: textOf(modbus.host, 'modbus.host'), port: numberOf(modbus.port, 'modbus.port') }
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
