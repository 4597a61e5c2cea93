import { measureAlone } from './nodes/alone.ts'
import { measureCosts } from './nodes/costs.ts'
import { measureKill } from './nodes/kill.ts'
import { measureReturn } from './nodes/return.ts'
import { measureRights } from './nodes/rights.ts'
import { measureTunnel } from './nodes/tunnel.ts'
import { measureValues } from './nodes/values.ts'
import { describeMachine, printRows, type Row } from './src/report.ts'

/* Several nodes beside one process: values to pages, tunnels, rights, what the code for several costs one process, how
   long machines of a killed node are away, and what each machine, value, lease and node costs NATS and PostgreSQL. Every
   node, the generator, pages, agents, NATS and PostgreSQL are processes of their own on one machine.
   `npm run bench -- nodes [values] [tunnel] [alone] [rights] [kill] [return] [costs]` runs some of them. */

const parts: Record<string, () => Promise<Row[]>> = {
  values: measureValues,
  tunnel: measureTunnel,
  alone: measureAlone,
  rights: measureRights,
  kill: measureKill,
  return: measureReturn,
  costs: measureCosts,
}
console.log(describeMachine())
const wished = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const found: Row[] = []
for (const [name, measure] of Object.entries(parts))
  if (wished.length === 0 || wished.includes(name)) {
    const rows = await measure()
    printRows(rows)
    found.push(...rows)
  }
if (wished.length !== 1) printRows(found)
