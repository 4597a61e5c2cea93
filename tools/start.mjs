// `npm start`: installs, builds and starts Busbar; ends all of it on Ctrl-C.
import { join } from 'node:path'
import { ensureAllBuilt, ensureServerBuilt } from './build.mjs'
import { productEnvironment, productNode, root, stateDir } from './checkout.mjs'
import { closeLogFolder } from './child-log.mjs'
import { ensureInstalled, startLockPath } from './install.mjs'
import { takeLock } from './lock.mjs'
import { ensureOwnDownload } from './package-downloads.mjs'
import { runBusbar } from './run-busbar.mjs'
import { describeFailure, seconds } from './run-command.mjs'
import { stopSignal } from './stop-signal.mjs'
import { endAbandoned } from './supervise.mjs'

const help = `npm start                   a demo on this machine: people, thirteen simulated machines, a real agent
npm start -- --production   no demo: an empty platform, to be set up with npm run busbar -- --help

Settings come from the environment; docs/operations.md lists them`

const logDir = join(stateDir, 'log')

/** @param {string} text */
const say = (text) => console.log(`  ${text}`)

/**
 * A demo writes into its database, so an external database gets one only on request.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function wantsDemo(args, env) {
  if (args.includes('--production')) return false
  if (env.BUSBAR_DEMO !== undefined) return ['1', 'true'].includes(env.BUSBAR_DEMO)
  return env.NODE_ENV !== 'production' && !env.DATABASE_URL
}

/** @param {boolean} demo */
function commands(demo) {
  const program = productNode()
  const env = { ...productEnvironment(), BUSBAR_DEMO: demo ? '1' : '0' }
  return {
    platform: { program, args: [join(root, 'platform', 'dist', 'main.mjs')], env, cwd: root },
    /** @param {string} config */
    simulator: (config) => ({
      ...{ program, env, cwd: root, logPath: join(logDir, 'simulator.log') },
      args: [join(root, 'simulator', 'src', 'main.ts'), config],
    }),
    /** @param {string} config */
    agent: (config) => ({
      ...{ program, env, cwd: root, logPath: join(logDir, 'agent.log') },
      args: [join(root, 'agent', 'dist', 'busbar-agent.mjs'), config],
    }),
  }
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const unknown = args.filter((arg) => !['--production', '--help', '-h'].includes(arg))
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(' ')}\n\n${help}`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return 0
  }
  const signal = stopSignal()
  try {
    const taken = takeLock(startLockPath)
    if ('heldBy' in taken) throw new Error(describeHolder(taken.heldBy))
    try {
      await start(wantsDemo(args, process.env), taken, signal)
    } finally {
      taken.lock.release()
    }
  } catch (error) {
    if (!signal.aborted) {
      console.error(`\n${describeFailure(error)}`)
      return 1
    }
  }
  return 0
}

/** @param {import('./lock.mjs').LockRecord} record */
function describeHolder({ holder, note }) {
  const where = note?.url ? `at ${note.url}` : '(it is still starting)'
  return `Busbar already runs from this checkout ${where}: process ${holder.pid}. Stop it with Ctrl-C there, or: kill ${holder.pid}`
}

/**
 * Prepares, starts, and returns once everything has ended because it was wished.
 * @param {boolean} demo
 * @param {{ lock: import('./lock.mjs').Lock, previous: import('./lock.mjs').LockRecord | undefined }} taken
 * @param {AbortSignal} signal
 */
async function start(demo, { lock, previous }, signal) {
  const beganAt = Date.now()
  console.log(demo ? 'Starting Busbar with its demo' : 'Starting Busbar')
  if (previous) {
    say('the last run ended unexpectedly: cleaning up after it')
    await endAbandoned(previous.children)
  }
  await ensureInstalled({ say, signal })
  await (demo ? ensureAllBuilt : ensureServerBuilt)({ say, signal })
  closeLogFolder(logDir)
  await runBusbar(commands(demo), {
    signal,
    say,
    onChildren: (children) => lock.update({ children }),
    onReady: (ready) => {
      lock.update({ note: { url: ready.url } })
      say(`ready in ${seconds(Date.now() - beganAt)}`)
      // A person who connects a controller needs it only some clicks later.
      if (demo) ensureOwnDownload().catch(() => {})
    },
  })
}

process.exitCode = await main(process.argv.slice(2))
// Open handles (a timer, a channel to a process that still runs) must not block the person's terminal.
process.exit()
