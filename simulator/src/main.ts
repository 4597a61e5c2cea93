import { type DemoPlan, type PlannedMachine, readDemoPlan } from './demo-plan.ts'
import { startEdgeNode } from './edge-node.ts'
import { type MachineNode, type NodeOptions, startTicking } from './machine-node.ts'
import { type ModbusMachine, startModbusMachine } from './modbus-machine.ts'
import { startPlainJsonNode } from './plain-json-node.ts'
import { findTrade } from './trades/index.ts'

/** All of a plan's machines, running in this process. */
interface Simulation {
  readonly modbus: ModbusMachine | undefined
  stop(): Promise<void>
}

/** The end is forced after this, whatever still waits. */
const stopTimeoutMs = 2_500

async function startSimulation(plan: DemoPlan): Promise<Simulation> {
  const modbus = plan.modbus === undefined ? undefined : await startModbusMachine(plan.modbus)
  const nodes: MachineNode[] = []
  const stopTicking = startTicking(() => nodes)
  let stopped = false
  // One after the other: a machine's past is a second of work, and each is seen as soon as its own is done.
  const starting = (async () => {
    for (const machine of plan.machines) {
      if (stopped) return
      const node = await startNode(plan, machine)
      nodes.push(node)
      node.tick()
    }
  })()
  starting.catch((error: unknown) => fail(error))
  return {
    modbus,
    async stop() {
      stopped = true
      stopTicking()
      await Promise.all([...nodes.map((node) => node.stop()), modbus?.close()])
    },
  }
}

function startNode(plan: DemoPlan, machine: PlannedMachine): Promise<MachineNode> {
  const trade = findTrade(machine.trade)
  if (trade === undefined) throw new Error(`unknown trade: ${machine.trade}`)
  const options: NodeOptions = {
    mqttUrl: plan.mqttUrl,
    code: machine.code,
    secret: machine.secret,
    trade,
    outages: machine.outages,
    ...(plan.fillHistory ? { historyFromAt: plan.historyFromAt } : {}),
  }
  return trade.speaks === 'sparkplug' ? startEdgeNode(options) : startPlainJsonNode(options)
}

function fail(error: unknown): never {
  process.stderr.write(`simulator: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

const file = process.argv[2]
if (file === undefined) fail('usage: main.ts <demo.json>')

let simulation: Simulation | undefined
let ending = false

function end(): void {
  if (ending) return
  ending = true
  setTimeout(() => process.exit(0), stopTimeoutMs).unref()
  void (simulation?.stop() ?? Promise.resolve()).finally(() => process.exit(0))
}

process.on('SIGTERM', end)
process.on('SIGINT', end)
if (process.env.BUSBAR_CHILD === '1') process.on('disconnect', end)

try {
  simulation = await startSimulation(await readDemoPlan(file))
  process.send?.({ type: 'ready', modbusPort: simulation.modbus?.port ?? null })
} catch (error) {
  fail(error)
}
