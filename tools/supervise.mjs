// Starts the platform and, in a demo, the simulator and the agent; ends them all together.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openChildLog } from './child-log.mjs'
import { endProcesses, identify, listFamily, signalProcess, waitUntilGone } from './processes.mjs'

/**
 * @typedef {import('./processes.mjs').ProcessId} ProcessId
 * @typedef {{ program: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string, logPath?: string }} Command
 *   Without `logPath` its output goes where ours goes.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending
 * @typedef {{ type: string, [field: string]: unknown }} Message
 * @typedef {{
 *   name: string, id: ProcessId, ended: Promise<Ending>, hasEnded: () => boolean, stop: (graceMs: number) => Promise<void>,
 * }} Child
 */

/**
 * Starts one program that speaks with us over an IPC channel. It leads a separate session, so that Ctrl-C in
 * the terminal reaches only us and we stop things in order; when we are killed, the closed channel tells it
 * to stop.
 * @param {string} name
 * @param {Command} command
 * @param {(message: Message) => void} onMessage
 * @returns {Child}
 */
export function openChild(name, { program, args, env, cwd, logPath }, onMessage) {
  const output = logPath ? 'pipe' : 'inherit'
  const child = spawn(program, args, {
    cwd,
    env: { ...(env ?? process.env), BUSBAR_CHILD: '1' },
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  })
  if (logPath) {
    const log = openChildLog(logPath)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', log)
  }
  /** @type {Ending | undefined} */
  let ending
  const ended = new Promise((/** @type {(ending: Ending) => void} */ resolve) => {
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      console.error(`${name} could not be started: ${error.message}`)
      resolve({ code: 127, signal: null })
    })
    child.on('exit', (code, signal) => resolve({ code, signal }))
  }).then((value) => {
    ending = value
    return value
  })
  child.on('message', (message) => {
    if (isMessage(message)) onMessage(message)
  })
  const id = identify(child.pid ?? 0)
  return {
    name,
    id,
    ended,
    hasEnded: () => ending !== undefined,
    stop: async (graceMs) => {
      if (child.pid === undefined) return
      const family = listFamily(id)
      if (ending === undefined) {
        signalProcess(id, 'SIGTERM')
        const timer = setTimeout(() => {
          // Its children would go on without it.
          for (const process of [id, ...listFamily(id)]) signalProcess(process, 'SIGKILL')
        }, graceMs)
        await ended
        clearTimeout(timer)
      }
      await endProcesses([...family, ...listFamily(id)], familyGraceMs)
    },
  }
}

/** Time the children of an ended program may take to end, too. */
const familyGraceMs = 500

/** @param {unknown} message @returns {message is Message} */
function isMessage(message) {
  return (
    typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string'
  )
}

/** @param {Ending} ending */
export function describeEnding({ code, signal }) {
  return signal ? `killed by ${signal}` : `exit code ${code}`
}

const restartDelayMinMs = 1_000
const restartDelayMaxMs = 30_000
/** A run of this length counts as stable: the next restart comes soon again. */
const wellAfterMs = 60_000

/**
 * Keeps a program running until it is stopped: when it ends it is started again, ever more slowly.
 * @param {string} name
 * @param {Command} command
 * @param {{ say: (text: string) => void, onMessage?: (message: Message) => void, onStart?: (child: Child) => void,
 *   delayMinMs?: number }} options
 */
export function keepRunning(
  name,
  command,
  { say, onMessage = () => {}, onStart = () => {}, delayMinMs = restartDelayMinMs },
) {
  const stopping = new AbortController()
  /** @type {Child | undefined} */
  let child
  let delayMs = delayMinMs
  const run = async () => {
    while (!stopping.signal.aborted) {
      const beganAt = Date.now()
      child = openChild(name, command, onMessage)
      onStart(child)
      const ending = await child.ended
      if (stopping.signal.aborted) return
      if (Date.now() - beganAt > wellAfterMs) delayMs = delayMinMs
      const where = command.logPath ? `, see ${command.logPath}` : ''
      const wait = `started again in ${Math.ceil(delayMs / 1000)} s`
      say(`the ${name} ended unexpectedly (${describeEnding(ending)}${where}): ${wait}`)
      await endProcesses(listFamily(child.id), familyGraceMs)
      await delay(delayMs, stopping.signal)
      delayMs = Math.min(delayMs * 2, restartDelayMaxMs)
    }
  }
  const done = run()
  return {
    /** @param {number} graceMs */
    stop: async (graceMs) => {
      stopping.abort()
      await child?.stop(graceMs)
      await done
    },
  }
}

/** @param {number} durationMs @param {AbortSignal} signal */
async function delay(durationMs, signal) {
  if (signal.aborted) return
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), durationMs)
  await Promise.race([once(signal, 'abort'), once(ended.signal, 'abort')])
  clearTimeout(timer)
}

/** Time the children of a killed command may take to notice and stop. */
const abandonedGraceMs = 8_000

/**
 * Waits for the children of a command that was killed; kills those that have not stopped by then.
 * @param {ProcessId[]} children
 */
export async function endAbandoned(children) {
  // Only those that still run, because the session id of an ended one may belong to a stranger by now.
  for (const id of await waitUntilGone(children, abandonedGraceMs)) {
    const family = listFamily(id)
    signalProcess(id, 'SIGKILL')
    await endProcesses([id, ...family], 0)
  }
}
