// Plays a load: reads its plan from standard input, shows one line, ends with totals.
import { parseLoadPlan } from './load-plan.ts'
import { runLoad } from './run-load.ts'

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => (ended.signal.aborted ? process.exit(1) : ended.abort()))

try {
  const isWell = await runLoad(parseLoadPlan(await readInput()), ended.signal)
  process.exit(isWell ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
