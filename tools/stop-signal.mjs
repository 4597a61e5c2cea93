// One signal for the end of this command, from a person or a program.
import { readFileSync } from 'node:fs'
import { identify, isRunning, statOf } from './processes.mjs'

const parentPollMs = 500

/**
 * The processes of npm that run us: our parent, and npm itself if our parent is only the shell of the script.
 * @returns {import('./processes.mjs').ProcessId[]}
 */
function listRunners() {
  const parent = process.ppid
  const isShell = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')[1] === '-c'
  const npm = isShell ? statOf(parent)?.parentPid : undefined
  return [parent, ...(npm ? [npm] : [])].map(identify)
}

/**
 * Aborts on SIGINT, SIGTERM and SIGHUP, and when the npm that started us has gone: a killed npm cannot pass a
 * signal on.
 * @returns {AbortSignal}
 */
export function stopSignal() {
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('stopped'))
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, stop)
  if (process.env.npm_lifecycle_event) {
    const runners = listRunners()
    setInterval(() => {
      if (!runners.every(isRunning)) stop()
    }, parentPollMs).unref()
  }
  return controller.signal
}
