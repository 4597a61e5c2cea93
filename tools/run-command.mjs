// Runs a program to its end and keeps its output, for the error message.
import { spawn } from 'node:child_process'

/** The most characters kept of a program's output. */
const outputCharsMax = 400_000
/** Time an interrupted program may take before it is killed. */
const interruptGraceMs = 3_000

/**
 * @typedef {{ code: number, signal: NodeJS.Signals | null, output: string, durationMs: number }} CommandResult
 *   `code` is 127 where the program is not there, 128 where a signal ended it.
 * @typedef {{
 *   cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal | undefined,
 *   show?: boolean, onStart?: (pid: number) => void,
 * }} CommandOptions  `show` passes the output on as well.
 */

/**
 * @param {string} program
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(program, args, { cwd, env, signal, show = false, onStart } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const beganAt = Date.now()
    let output = ''
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] })
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer
    const interrupt = () => {
      child.kill('SIGTERM')
      killTimer = setTimeout(() => child.kill('SIGKILL'), interruptGraceMs)
    }
    signal?.addEventListener('abort', interrupt, { once: true })
    for (const [from, to] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      from.setEncoding('utf8')
      from.on('data', (text) => {
        if (show) to.write(text)
        output = (output + text).slice(-outputCharsMax)
      })
    }
    const settle = () => {
      clearTimeout(killTimer)
      signal?.removeEventListener('abort', interrupt)
    }
    child.on('spawn', () => onStart?.(/** @type {number} */ (child.pid)))
    child.on('error', (error) => {
      settle()
      const missing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT'
      resolve({
        code: missing ? 127 : 126,
        signal: null,
        output: error.message,
        durationMs: Date.now() - beganAt,
      })
    })
    child.on('close', (code, endSignal) => {
      settle()
      if (signal?.aborted) return reject(signal.reason)
      resolve({ code: code ?? 128, signal: endSignal, output, durationMs: Date.now() - beganAt })
    })
  })
}

/**
 * The end of a program's output, for an error's text.
 * @param {string} output
 * @param {number} [linesMax]
 */
export function lastLines(output, linesMax = 20) {
  return output.trimEnd().split('\n').slice(-linesMax).join('\n')
}

/** @param {number} durationMs */
export function seconds(durationMs) {
  return durationMs < 9_950 ? `${(durationMs / 1000).toFixed(1)} s` : `${Math.round(durationMs / 1000)} s`
}

/**
 * The message about a failed command: our own errors as they are, the system's with their remedy.
 * @param {unknown} error
 */
export function describeFailure(error) {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `${path} cannot be written: the checkout belongs to another user, or is read-only. Give it to the user who starts Busbar.`
  }
  if (code === 'ENOSPC') return 'The disk is full. Make room (about 1 GB) and try again.'
  return error.message
}
