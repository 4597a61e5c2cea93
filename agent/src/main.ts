#!/usr/bin/env node
import './small-heap.ts'
import { countBuffersInHeap } from '@busbar/link'
import { startAgent } from './agent.ts'
import { systemClock } from './clock.ts'
import { ConfigError } from './config/config-text.ts'
import { loadConfig } from './config/load-config.ts'
import { createLog } from './log.ts'
import { FolderHeldError } from './outbox/folder-lock.ts'
import { setup } from './setup/setup.ts'

const usage = `Usage: busbar-agent CONFIG.yaml      reads controllers and sends their values to the cloud
       busbar-agent setup LINK       writes the configuration that a link of the console leads to
`
/** After this time the process ends, even if something hangs. */
const stopMs = 2_900

async function main(): Promise<void> {
  const [first, ...rest] = process.argv.slice(2)
  if (first === 'setup') {
    const end = await setup(rest, (line) => process.stdout.write(`${line}\n`))
    if ('run' in end) return run(end.run)
    process.exitCode = end.exitCode
    return
  }
  if (first === '--help' || first === '-h') {
    process.stdout.write(usage)
    return
  }
  if (first === undefined || rest.length > 0) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  await run(first)
}

async function run(path: string): Promise<void> {
  countBuffersInHeap()
  const config = await loadConfig(path)
  const log = createLog((line) => process.stdout.write(line), systemClock)

  let stopAsked = false
  let ready = false
  const stop = async (why: string, exitCode = 0): Promise<void> => {
    if (stopAsked) return
    stopAsked = true
    log('info', 'agent.stopping', { why })
    setTimeout(() => process.exit(1), stopMs).unref()
    if (ready) await agent.stop()
    process.exit(exitCode)
  }
  // The state of the agent is uncertain: it keeps what it has to send, and a supervisor starts it again.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      const reason = (error instanceof Error && error.stack) || String(error)
      if (!stopAsked) log('error', 'process.failed', { reason })
      void stop('failure', 1)
    })
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  // Runs as a child of another process: without the channel to it, nothing could stop this one.
  if (process.env.BUSBAR_CHILD === '1') process.on('disconnect', () => void stop('parent gone'))

  const agent = await startAgent(config, { clock: systemClock, log, random: Math.random })
  ready = true
}

main().catch((error: unknown) => {
  if (error instanceof FolderHeldError) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return
  }
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`The configuration has ${error.problems.length} problem(s):\n${error.message}\n`)
  process.exitCode = 2
})
