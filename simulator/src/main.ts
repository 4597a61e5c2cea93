import { setFlagsFromString } from 'node:v8'
import type { Simulation } from './simulation.ts'

// A process beside the platform on a small machine: memory counts more than the second a day's past takes.
// This must run before the modules are loaded, hence the imports further down.
setFlagsFromString('--optimize-for-size')
setFlagsFromString('--max-semi-space-size=1')

/** The process ends after this time, whatever still runs. */
const stopTimeoutMs = 2_500

function fail(error: unknown): never {
  process.stderr.write(`simulator: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

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

const file = process.argv[2]
if (file === undefined) fail('usage: main.ts <demo.json>')
try {
  const { readDemoPlan } = await import('./demo-plan.ts')
  const { startSimulation } = await import('./simulation.ts')
  simulation = await startSimulation(await readDemoPlan(file), fail)
  process.send?.({ type: 'ready', modbusPort: simulation.modbus?.port ?? null })
} catch (error) {
  fail(error)
}
