// The life of a running Busbar: platform up, demo up, summary, and down again.
import { once } from 'node:events'
import { describeEnding, keepRunning, openChild } from './supervise.mjs'

/**
 * @typedef {import('./supervise.mjs').Command} Command
 * @typedef {import('./supervise.mjs').Child} Child
 * @typedef {import('./processes.mjs').ProcessId} ProcessId
 * @typedef {{ account: string, password: string, accountCn?: string, about?: string, simulatorConfig: string, agentConfig: string }} Demo
 * @typedef {{ type: 'ready', url: string, mqttUrl?: string, notices?: string[], demo?: Demo }} Ready  what the platform
 *   says once it answers
 * @typedef {{ platform: Command, simulator: (config: string) => Command, agent: (config: string) => Command }} Commands
 */

// Together less than the ten seconds within which everything has ended.
const demoGraceMs = 3_000
const platformGraceMs = 5_000
/** A demo works without its simulator, so the start waits for it only this long. */
const simulatorWaitMs = 15_000

/**
 * Starts everything, reports it, and returns when it has ended on request.
 * @param {Commands} commands
 * @param {{ signal: AbortSignal, say: (text: string) => void, print?: (text: string) => void,
 *   onChildren?: (children: ProcessId[]) => void, onReady?: (ready: Ready) => void }} options
 * @returns {Promise<void>}
 * @throws {Error} if the platform did not start, or ended unexpectedly
 */
export async function runBusbar(commands, options) {
  const { signal, say, print = console.log, onChildren = () => {}, onReady = () => {} } = options
  /** @type {Map<string, ProcessId>} */
  const children = new Map()
  /** @param {Child} child */
  const note = (child) => {
    children.set(child.name, child.id)
    onChildren([...children.values()])
  }
  /** @type {ReturnType<typeof keepRunning>[]} */
  const demo = []
  const stopped = new Promise((/** @type {(reason: 'stopped') => void} */ resolve) => {
    if (signal.aborted) resolve('stopped')
    signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })

  /** @type {(outcome: Ready | { failed: string }) => void} */
  let settleStart = () => {}
  const started = new Promise((/** @type {(outcome: Ready | { failed: string }) => void} */ resolve) => {
    settleStart = resolve
  })
  const platform = openChild('platform', commands.platform, (message) => {
    if (message.type === 'progress') say(`starting: ${message.text}`)
    if (message.type === 'ready') settleStart(/** @type {Ready} */ (/** @type {unknown} */ (message)))
    if (message.type === 'failed') settleStart({ failed: String(message.message) })
  })
  note(platform)
  const ended = platform.ended.then((ending) => ({ ending }))

  try {
    const outcome = await Promise.race([started, ended, stopped])
    if (outcome === 'stopped') return
    if ('failed' in outcome) throw new Error(outcome.failed)
    if ('ending' in outcome) {
      throw new Error(`The platform ended before it was ready (${describeEnding(outcome.ending)}).`)
    }
    if (outcome.demo) {
      await Promise.race([startDemo(commands, outcome.demo, demo, { say, note }), ended, stopped])
    }
    if (!platform.hasEnded() && !signal.aborted) {
      onReady(outcome)
      print(formatSummary(outcome))
    }
    const end = await Promise.race([ended, stopped])
    if (end === 'stopped') return
    throw new Error(
      `The platform ended unexpectedly (${describeEnding(end.ending)}). Acknowledged data is kept: start it again with npm start.`,
    )
  } finally {
    if (signal.aborted) say('stopping')
    await Promise.all(demo.map((program) => program.stop(demoGraceMs)))
    await platform.stop(platformGraceMs)
  }
}

/**
 * Starts the simulated machines and, once their Modbus server listens, the agent that reads it.
 * @param {Commands} commands
 * @param {Demo} config
 * @param {ReturnType<typeof keepRunning>[]} running  gets what was started
 * @param {{ say: (text: string) => void, note: (child: Child) => void }} options
 */
async function startDemo(commands, config, running, { say, note }) {
  const listening = new AbortController()
  const timer = setTimeout(() => listening.abort(), simulatorWaitMs)
  running.push(
    keepRunning('simulator', commands.simulator(config.simulatorConfig), {
      say,
      onStart: note,
      onMessage: ({ type }) => type === 'ready' && listening.abort(),
    }),
  )
  await once(listening.signal, 'abort')
  clearTimeout(timer)
  running.push(keepRunning('agent', commands.agent(config.agentConfig), { say, onStart: note }))
}

/**
 * The last lines of a start: how to stop it, its addresses, and the accounts.
 * @param {Ready} ready
 */
export function formatSummary({ url, mqttUrl, notices = [], demo }) {
  const rows = [
    ...(mqttUrl ? [['Machines (MQTT)', mqttUrl]] : []),
    ['Stop', 'Ctrl-C'],
    ...(demo?.about ? [['Demo', demo.about]] : []),
    ['Open', url],
    ...(demo ? [['Account', demo.accountCn ? `${demo.account} or ${demo.accountCn}` : demo.account]] : []),
    ...(demo ? [['Password', demo.password]] : []),
  ]
  const width = Math.max(...rows.map(([label]) => label?.length ?? 0))
  return [
    ...notices.map((notice) => `  ! ${notice}`),
    '',
    '  Busbar is running.',
    '',
    ...rows.map(([label = '', value]) => `  ${label.padEnd(width)}   ${value}`),
    '',
  ].join('\n')
}
