import { setTimeout as sleep } from 'node:timers/promises'
import { untilTrue } from '@busbar/testkit/until.ts'
import { checkAgent, checkClients, checkConnections, checkSystem, type Marks, takeMarks } from './checks.ts'
import { inject, whyImpossible } from './inject.ts'
import type { Use } from './kept-program.ts'
import { checkMemory } from './memory.ts'
import type { Rig } from './rig.ts'
import { describeSchedule, type Fault, type Schedule } from './schedule.ts'

/** The promise: after whatever it was, everything works again within this, without a hand. */
const readyMsMax = 10_000
/** The agent waits 1 s, 2 s, 4 s … between its tries, 30 s at most (`agent/src/uplink`). */
const agentPauseMsMax = 30_000
/** Time for queued data of both ends to be sent and stored. */
const drainMsMax = 20_000
/** Time for rows: a lease of a killed process, and the waits after two failures (rules/projects.md: retries). */
const rowsMsMax = 60_000
/** Load before the first fault is part of each schedule; this is the least after the last. */
const afterMs = 300

/** Time from the end of the last fault until each part had recovered, in milliseconds. */
export interface Recovery {
  readonly ready: number | undefined
  readonly clients: number | undefined
  readonly agent: number | undefined
  readonly watcher: number | undefined
}

export interface RunResult {
  readonly seed: number
  readonly what: string
  /** Why it could not be run at all. */
  readonly skipped?: string
  /** The broken rules; empty if the run passed. */
  readonly violations: readonly string[]
  readonly recovery?: Recovery
  readonly acknowledged?: number
  readonly reads?: number
  /** The system of the project got these again: requests after their answer, and rows. */
  readonly repeats?: number
  readonly rowsAgain?: number
  readonly tookMs?: number
  readonly memory?: { readonly platform: Use; readonly agent: Use }
}

/**
 * One run: load, faults, their end, and then a check that everything has recovered. `waits`: time for what the agent has
 * queued to be stored, and for rows to reach the project's system.
 */
export async function runSchedule(
  rig: Rig,
  schedule: Schedule,
  waits = { agentMsMax: drainMsMax, rowsMsMax },
): Promise<RunResult> {
  const what = describeSchedule(schedule)
  const { seed } = schedule
  for (const fault of schedule.faults) {
    const skipped = await whyImpossible(fault)
    if (skipped) return { seed, what, skipped, violations: [] }
  }
  const startedAt = performance.now()
  const violations: string[] = []
  rig.leaverLine.state = 'fine'
  rig.leaver.comeBack()
  const isCalm = await untilTrue(() => everybodyIsOnline(rig), readyMsMax + agentPauseMsMax)
  if (isCalm === undefined) violations.push('before the faults: not everybody was online')
  const before = { platform: await rig.platform.measure(), agent: await rig.agent.measure() }
  const marks = await takeMarks(rig, schedule)

  for (const { client } of rig.clients) client.setLoad(true)
  await Promise.all(schedule.faults.map((fault) => inject(rig, fault, marks.blind)))
  const endedAt = performance.now()
  const recovery = await recover(rig, schedule.faults, endedAt, violations)
  await sleep(afterMs)
  for (const { client } of rig.clients) client.setLoad(false)
  await checkQuiet(rig, seed, violations)
  violations.push(...(await checkEverything(rig, marks, schedule, waits)))
  const after = { platform: await rig.platform.measure(), agent: await rig.agent.measure() }
  violations.push(...checkMemory('platform', before.platform, after.platform))
  violations.push(...checkMemory('agent', before.agent, after.agent))
  return {
    seed,
    what,
    violations,
    recovery,
    acknowledged: marks.acknowledgedSince(),
    reads: rig.device.reads.length - marks.reads,
    repeats: rig.system.repeats - marks.repeats,
    rowsAgain: rig.system.rowsAgain - marks.rowsAgain,
    tookMs: Math.round(performance.now() - startedAt),
    memory: after,
  }
}

async function everybodyIsOnline(rig: Rig): Promise<boolean> {
  const shown = await rig.watcher.listOnline()
  return (
    shown.get(rig.agentMachine.machineId) === true &&
    rig.clients.every(({ client, machine }) => shown.get(machine.machineId) === client.isOnline) &&
    rig.leaver.isOnline &&
    rig.watcher.pushed(rig.agentMachine.machineId)?.online === true
  )
}

/** Waits until each answers a request that began after the faults. */
async function recover(
  rig: Rig,
  faults: readonly Fault[],
  endedAt: number,
  violations: string[],
): Promise<Recovery> {
  const readBefore = rig.device.reads.length
  const agentMsMax = readyMsMax + agentPauseOf(faults)
  const within = (msMax: number, check: () => Promise<boolean> | boolean) => untilTrue(check, msMax, endedAt)
  const [ready, clients, agent, watcher] = await Promise.all([
    within(readyMsMax, async () => (await fetch(`${rig.url}/readyz`)).ok),
    // The numbers of the outage go first: how many they are says nothing about whether the platform is well.
    within(readyMsMax, () => rig.clients.every(({ client }) => client.answeredOf >= endedAt)),
    within(
      agentMsMax,
      async () => ((await rig.watcher.findLatest(rig.agentMachine.machineId))?.value ?? 0) > readBefore,
    ),
    within(agentMsMax, () => (rig.watcher.pushed(rig.agentMachine.machineId)?.latest ?? 0) > readBefore),
  ])
  const say = (what: string, ms: number | undefined, msMax: number) => {
    if (ms === undefined) violations.push(`${what} was not well ${msMax / 1000} s after the faults`)
  }
  say('/readyz', ready, readyMsMax)
  const unwell = rig.clients.find(({ client }) => client.answeredOf < endedAt)
  say(`a client’s publish (it last met ${unwell?.client.problem})`, clients, readyMsMax)
  say('the agent’s newest value by REST', agent, agentMsMax)
  say('the agent’s newest value by push', watcher, agentMsMax)
  return { ready, clients, agent, watcher }
}

/**
 * The longest pause that its back-off can have reached: it doubles, so it is at most the sum of all pauses
 * before.
 */
function agentPauseOf(faults: readonly Fault[]): number {
  const outageMs = faults.reduce((sum, fault) => sum + ('forMs' in fault ? fault.forMs : fault.restartMs), 0)
  return Math.min(agentPauseMsMax, 2_000 + 2 * outageMs)
}

/** After the load: all is acknowledged, ended clients are shown as offline, and every page shows the same. */
async function checkQuiet(rig: Rig, seed: number, violations: string[]): Promise<void> {
  const senders = rig.clients.filter(({ client }) => client !== rig.leaver)
  await drain(rig, violations)
  // Values from before a short outage are rightly stale, so one more is sent.
  for (const { client } of rig.clients) client.make()
  await drain(rig, violations)
  // In every other run its line is dead: the platform hears no end, only nothing more.
  if (seed % 2 === 1) rig.leaverLine.state = 'noRequests'
  rig.leaver.vanish()
  const expected = [
    ...senders.map(({ machine, client }) => ({ machine, isOnline: client.isOnline, latest: client.made })),
    { machine: rig.agentMachine, isOnline: true, latest: undefined },
    { machine: machineOfLeaver(rig), isOnline: false, latest: rig.leaver.made },
  ]
  const problems = async (): Promise<string[]> => {
    const online = await rig.watcher.listOnline()
    const found: string[] = []
    for (const { machine, isOnline, latest } of expected) {
      const shown = online.get(machine.machineId)
      const pushed = rig.watcher.pushed(machine.machineId)
      const is = (answer: boolean | undefined) =>
        answer === undefined ? 'unknown' : answer ? 'online' : 'offline'
      if (shown !== isOnline) found.push(`REST shows ${machine.code} ${is(shown)}, it is ${is(isOnline)}`)
      if (pushed?.online !== isOnline)
        found.push(`push shows ${machine.code} ${is(pushed?.online)}, it is ${is(isOnline)}`)
      if (latest === undefined || latest === 0) continue
      const newest = await rig.watcher.findLatest(machine.machineId)
      if (newest?.value !== latest)
        found.push(`REST has ${newest?.value} as newest of ${machine.code}, it sent ${latest}`)
      const quality = isOnline ? 'good' : 'stale'
      if (newest?.quality !== quality)
        found.push(`REST calls the newest of ${machine.code} ${newest?.quality}, it is ${quality}`)
      if (pushed?.latest !== latest)
        found.push(`push has ${pushed?.latest} as newest of ${machine.code}, it sent ${latest}`)
    }
    return found
  }
  const calm = await untilTrue(async () => (await problems()).length === 0, readyMsMax)
  if (calm === undefined) violations.push(...(await problems()))
}

/** Waits until everything that was made is acknowledged. */
async function drain(rig: Rig, violations: string[]): Promise<void> {
  const open = () => rig.clients.filter(({ client }) => client.acknowledged.size < client.made)
  if ((await untilTrue(() => open().length === 0, drainMsMax)) !== undefined) return
  for (const { client, machine } of open()) {
    const count = client.made - client.acknowledged.size
    violations.push(
      `${count} numbers of ${machine.code} were never acknowledged; it last met ${client.problem}`,
    )
  }
}

function machineOfLeaver(rig: Rig) {
  const found = rig.clients.find(({ client }) => client === rig.leaver)
  if (!found) throw new Error('nobody leaves')
  return found.machine
}

async function checkEverything(
  rig: Rig,
  marks: Marks,
  schedule: Schedule,
  { agentMsMax, rowsMsMax }: { readonly agentMsMax: number; readonly rowsMsMax: number },
): Promise<string[]> {
  const mayLose = schedule.faults.some((fault) => fault.kind === 'fullDisk' && fault.target === 'agent')
  return [
    ...(await checkAgent(rig, marks, { msMax: agentMsMax, mayLose })),
    ...(await checkClients(rig, marks)),
    ...(await checkConnections(rig, marks)),
    ...(schedule.subject === 'rows' ? await checkSystem(rig, marks, schedule, rowsMsMax) : []),
  ]
}
