import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import type { Logger } from '../logger.ts'
import { endsWithin, stopBudget } from '../stop-budget.ts'
import type { RunAs } from './data-dir.ts'
import { listProcessesIn, signal } from './postgres-leftovers.ts'

/** Replaying the write-ahead log after a crash may take this long before the server answers. */
const startWaitMsMax = 5 * 60_000
/** A fast shutdown writes a checkpoint; after this it is stopped at once instead, which costs a replay at the next start. */
const fastStopMsMax = 6_000
const immediateStopMsMax = stopBudget.postgres - 500 - fastStopMsMax
/** After a kill -9 of the postmaster its backends hold the shared memory until they notice. */
const retryPauseMs = 50
const backendsNoticeMsMax = 2_000
const retryMsMax = 30_000
const outputLinesMax = 40

const readyLine = 'database system is ready to accept connections'
const blockedLine = 'pre-existing shared memory block'

export interface PostgresExit {
  code: number | null
  signal: NodeJS.Signals | null
  /** The last lines it wrote. */
  output: string[]
}

/** One run of the postmaster, from ready to gone. */
export interface PostgresRun {
  pid: number
  exited: Promise<PostgresExit>
  stop(): Promise<void>
}

export interface PostgresCommand {
  postgres: string
  clusterDir: string
  socketDir: string
  runAs: RunAs | undefined
  settings: Record<string, string>
  logger: Logger
}

/** Starts the postmaster and resolves when it takes connections. */
export async function startPostgres(command: PostgresCommand): Promise<PostgresRun> {
  const startedAt = Date.now()
  for (;;) {
    const attempt = await tryStart(command)
    if ('pid' in attempt) return attempt
    const waitedMs = Date.now() - startedAt
    if (!attempt.output.some((line) => line.includes(blockedLine)) || waitedMs > retryMsMax) {
      throw new Error(`PostgreSQL did not start in ${command.clusterDir}:\n${attempt.output.join('\n')}`)
    }
    // Its postmaster is gone, so its remaining processes are useless.
    if (waitedMs > backendsNoticeMsMax) {
      for (const pid of await listProcessesIn(command.clusterDir)) signal(pid, 'SIGKILL')
    }
    await sleep(retryPauseMs)
  }
}

async function tryStart(command: PostgresCommand): Promise<PostgresRun | PostgresExit> {
  const { postgres, clusterDir, socketDir, runAs, logger } = command
  const settings = { ...command.settings, unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"` }
  const args = [
    '-D',
    clusterDir,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
  const child = spawnTied(postgres, args, { runAs, cwd: clusterDir, endSignal: 'INT' })
  const output: string[] = []
  const ready = Promise.withResolvers<true>()
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      output.push(line)
      if (output.length > outputLinesMax) output.shift()
      logLine(logger, line)
      if (line.includes(readyLine)) ready.resolve(true)
    })
  }
  const exited = endOf(child).then(({ code, signal }) => ({ code, signal, output }))
  const timer = setTimeout(
    () => ready.reject(new Error(`PostgreSQL was not ready after ${startWaitMsMax / 1000} s`)),
    startWaitMsMax,
  )
  try {
    const first = await Promise.race([ready.promise, exited])
    if (first !== true) return first
  } catch (error) {
    await stopChild(child, exited, clusterDir)
    throw error
  } finally {
    clearTimeout(timer)
  }
  return { pid: child.pid ?? 0, exited, stop: () => stopChild(child, exited, clusterDir) }
}

/** Runs a program that ends by itself, and ends it with this process. @throws with its output, `secret` left out */
export async function runToEnd(
  command: string,
  args: string[],
  options: { runAs: RunAs | undefined; cwd: string; input?: string; secret?: string },
): Promise<void> {
  const child = spawnTied(command, args, { ...options, endSignal: 'KILL', stdin: true })
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  // A program that ended early gives the reason by its exit and its output.
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.input ?? '')
  const { code, signal } = await endOf(child)
  const text = Buffer.concat(output).toString().trim()
  // A single-user PostgreSQL goes on after an error and ends with 0.
  if (code !== 0 || /^(.*\s)?(ERROR|FATAL|PANIC): /m.test(text)) {
    const shown = options.secret ? text.replaceAll(options.secret, '…') : text
    throw new Error(`${command} ended with ${signal ?? code}:\n${shown}`)
  }
}

interface TiedOptions {
  runAs: RunAs | undefined
  cwd: string
  /** The child's signal when this process dies. */
  endSignal: 'INT' | 'KILL'
  stdin?: boolean
}

/**
 * Spawns a child that ends with this process, also after kill -9. With `setpriv` the kernel does it; that signal
 * follows the thread that spawned, so on other threads than the main one, and without setpriv, a small shell waits for
 * our end of a pipe to close. The child gets a session of its own: a Ctrl-C in the terminal reaches only us, and we
 * stop the child after everything that needs it.
 */
function spawnTied(command: string, args: string[], options: TiedOptions): ChildProcess {
  const byKernel = isMainThread && setprivTies()
  const [program = command, ...rest] = byKernel
    ? ['setpriv', '--pdeathsig', options.endSignal, '--', command, ...args]
    : [command, ...args]
  const child = spawn(program, rest, {
    ...options.runAs,
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    detached: true,
    stdio: [options.stdin ? 'pipe' : 'ignore', options.stdin ? 'pipe' : 'ignore', 'pipe'],
  })
  if (!byKernel && child.pid) {
    const script = `read -r _; kill -${options.endSignal} ${child.pid}`
    const watchdog = spawn('/bin/sh', ['-c', script], {
      ...options.runAs,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    watchdog.on('error', () => child.kill('SIGKILL'))
    watchdog.stdin?.on('error', () => {})
    watchdog.unref()
    child.once('exit', () => watchdog.kill('SIGKILL'))
  }
  return child
}

let setprivKnown: boolean | undefined

function setprivTies(): boolean {
  setprivKnown ??= spawnSync('setpriv', ['--pdeathsig', 'INT', 'true'], { stdio: 'ignore' }).status === 0
  return setprivKnown
}

async function endOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal }
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>, clusterDir: string): Promise<void> {
  child.kill('SIGINT')
  if (await endsWithin(fastStopMsMax, () => exited)) return
  child.kill('SIGQUIT')
  if (await endsWithin(immediateStopMsMax, () => exited)) return
  child.kill('SIGKILL')
  for (const pid of await listProcessesIn(clusterDir)) signal(pid, 'SIGKILL')
  await exited
}

function logLine(logger: Logger, line: string): void {
  if (/^(FATAL|PANIC): /.test(line)) logger.warn({ line }, 'postgres.logged')
  else logger.debug({ line }, 'postgres.logged')
}
