// Running processes, read from /proc, so that a process is never mistaken for another that got its number later.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * A process that is known by more than its number.
 * @typedef {{ pid: number, startTicks: number }} ProcessId
 */

/**
 * @typedef {ProcessId & { parentPid: number, sessionId: number, zombie: boolean }} ProcessStat
 */

/**
 * The entry of a process in /proc; undefined if it does not run.
 * @param {number} pid
 * @returns {ProcessStat | undefined}
 */
export function statOf(pid) {
  let text
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The command's name is in parentheses and may contain any character, parentheses too: count from the last
  // one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    zombie: fields[0] === 'Z',
    parentPid: Number(fields[1]),
    sessionId: Number(fields[3]),
    startTicks: Number(fields[19]),
  }
}

/**
 * @param {number} pid
 * @returns {ProcessId}
 */
export function identify(pid) {
  return { pid, startTicks: statOf(pid)?.startTicks ?? 0 }
}

/**
 * Whether this very process still runs (a zombie does not).
 * @param {ProcessId} id
 */
export function isRunning(id) {
  const stat = statOf(id.pid)
  return stat !== undefined && !stat.zombie && stat.startTicks === id.startTicks
}

/** @returns {ProcessStat[]} */
export function listProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined && !stat.zombie)
    .map((stat) => /** @type {ProcessStat} */ (stat))
}

/**
 * The processes that a child started: its descendants, and those left in the session it leads (a process
 * whose parent died is no longer a descendant).
 * @param {ProcessId} leader a child that was started detached, so that it leads a session; it may have ended
 * @returns {ProcessId[]} without the leader itself
 */
export function listFamily({ pid: leaderPid, startTicks }) {
  const all = listProcesses()
  const known =
    startTicks > 0 && all.every(({ pid, startTicks: ticks }) => pid !== leaderPid || ticks === startTicks)
  if (!known) return []
  const family = new Set([leaderPid])
  for (let grown = true; grown; ) {
    grown = false
    for (const { pid, parentPid, sessionId } of all) {
      if (family.has(pid)) continue
      if (sessionId !== leaderPid && !family.has(parentPid)) continue
      family.add(pid)
      grown = true
    }
  }
  family.delete(leaderPid)
  return all.filter(({ pid }) => family.has(pid)).map(({ pid, startTicks }) => ({ pid, startTicks }))
}

/**
 * Sends a signal to exactly this process; a process that has ended already is fine.
 * @param {ProcessId} id
 * @param {NodeJS.Signals} signal
 */
export function signalProcess(id, signal) {
  if (!isRunning(id)) return
  try {
    process.kill(id.pid, signal)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

const pollIntervalMs = 50

/**
 * Waits until all of these have ended.
 * @param {ProcessId[]} ids
 * @param {number} timeoutMs
 * @returns {Promise<ProcessId[]>} those that still run after the time
 */
export async function waitUntilGone(ids, timeoutMs) {
  const deadlineAt = Date.now() + timeoutMs
  for (;;) {
    const left = ids.filter(isRunning)
    if (left.length === 0 || Date.now() >= deadlineAt) return left
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
  }
}

/**
 * Waits, then kills the remaining ones by number.
 * @param {ProcessId[]} ids
 * @param {number} graceMs
 */
export async function endProcesses(ids, graceMs) {
  for (const id of await waitUntilGone(ids, graceMs)) signalProcess(id, 'SIGKILL')
  await waitUntilGone(ids, 1_000)
}
