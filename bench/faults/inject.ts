import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backup, restore } from '@busbar/platform/kernel/database/backup.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { signal } from '@busbar/platform/kernel/database/postgres-leftovers.ts'
import type { Rig } from './rig.ts'
import type { Fault } from './schedule.ts'
import { canMount } from './small-disk.ts'

/**
 * The time whose data a kill -9 may lose: a sample touches the disk only if its PUBACK takes longer than a
 * second, or after 0.2 s while the line is away (`agent/src/outbox/outbox.ts`); one more poll for the values
 * being read.
 */
const agentAheadMs = 1_500
/** An answer requested before the freeze may come after the wait for it has ended. */
const agentAroundMs = 500
const walSwitchEveryMs = 200
/** An hour after the epoch, as a clock without a battery begins. */
const unsetClockAt = 3_600_000

/** Nothing is left of what the platform made. */
const emptyDatabase = `
  do $$ declare name text; begin
    for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
      execute format('drop schema %I cascade', name);
    end loop;
    create schema public;
  end $$`

/** Spans, by the monotonic clock, whose reads the agent may lose. */
export type Blind = (from: number, to: number) => void

/** Why a fault cannot be made here; undefined if it can. */
export async function whyImpossible(fault: Fault): Promise<string | undefined> {
  if (fault.kind === 'fullDisk' && !(await canMount()))
    return 'a disk to fill wants root and the right to mount'
  return undefined
}

/** Makes a fault, keeps it for its time, and ends it. Resolves when the cause is removed. */
export async function inject(rig: Rig, fault: Fault, blind: Blind): Promise<void> {
  await sleep(fault.atMs)
  switch (fault.kind) {
    case 'kill':
      return kill(rig, fault, blind)
    case 'freeze':
      return freeze(rig, fault, blind)
    case 'fullDisk':
      return fillDisk(rig, fault)
    case 'noDatabase': {
      const giveBack = await rig.database.takeAway()
      await sleep(fault.forMs)
      return giveBack()
    }
    case 'clock':
      return stepClock(rig, fault)
    case 'receiver':
      await rig.system.behave(fault.way)
      await sleep(fault.forMs)
      return rig.system.behave('well')
    case 'restore':
      return restoreBackup(rig, fault, blind)
    default:
      return breakLines(rig, fault)
  }
}

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>

async function kill(rig: Rig, fault: FaultOf<'kill'>, blind: Blind): Promise<void> {
  if (fault.target === 'platform') return rig.platform.kill(fault.restartMs)
  if (fault.target === 'agent') {
    const now = performance.now()
    blind(now - agentAheadMs, now + agentAroundMs)
    return rig.agent.kill(fault.restartMs)
  }
  const pid = await rig.database[fault.target]()
  if (pid !== undefined) signal(pid, 'SIGKILL')
}

async function freeze(rig: Rig, fault: FaultOf<'freeze'>, blind: Blind): Promise<void> {
  const pids = await pidsOf(rig, fault.target)
  const frozenAt = performance.now()
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(fault.forMs)
  for (const pid of pids) signal(pid, 'SIGCONT')
  if (fault.target === 'agent') blind(frozenAt - agentAroundMs, performance.now() + agentAroundMs)
}

async function pidsOf(rig: Rig, target: FaultOf<'freeze'>['target']): Promise<number[]> {
  if (target === 'platform' || target === 'agent') return [rig[target].pid]
  if (target === 'postgres') return rig.database.processes()
  const pid = await rig.database[target]()
  return pid === undefined ? [] : [pid]
}

async function fillDisk(rig: Rig, fault: FaultOf<'fullDisk'>): Promise<void> {
  const disk = rig.disks?.[fault.target]
  if (!disk) throw new Error('there is no disk to fill')
  const until = performance.now() + fault.forMs
  try {
    while (performance.now() < until) {
      // Fills the disk repeatedly, so that files removed in the meantime do not make room.
      await disk.fill()
      if (fault.target === 'platform' && fault.wantsLog)
        await rig.query('select pg_switch_wal()').catch(() => {})
      await sleep(walSwitchEveryMs)
    }
  } finally {
    await disk.empty()
  }
}

async function stepClock(rig: Rig, fault: FaultOf<'clock'>): Promise<void> {
  const program = rig[fault.target]
  program.stepClock(fault.step === '1970' ? unsetClockAt - Date.now() : fault.step)
  await sleep(fault.forMs)
  program.stepClock(0)
}

/** Goes back to a backup of a while before, as an operator does: into an empty database, while the platform is stopped. */
async function restoreBackup(rig: Rig, fault: FaultOf<'restore'>, blind: Blind): Promise<void> {
  const file = join(rig.dir, `${performance.now()}.backup`)
  const begunAt = performance.now()
  const before = rig.clients.map(({ client }) => new Set(client.acknowledged))
  await backup(rig.db, file)
  await sleep(fault.forMs)
  await rig.platform.whileStopped(async () => {
    await rig.query(emptyDatabase)
    await migrate(rig.db)
    await restore(file, rig.db)
  })
  await rm(file)
  for (const [place, { machine, client }] of rig.clients.entries()) {
    const gone = rig.restoredAway.get(machine.code) ?? new Set()
    for (const number of client.acknowledged) if (!before[place]?.has(number)) gone.add(number)
    rig.restoredAway.set(machine.code, gone)
  }
  blind(begunAt - agentAheadMs, performance.now())
}

async function breakLines(
  rig: Rig,
  fault: FaultOf<'cut' | 'delay' | 'noAnswers' | 'noRequests'>,
): Promise<void> {
  const lines = rig.lines[fault.target]
  for (const line of lines) {
    if (fault.kind === 'delay') line.delayMs = fault.delayMs
    else line.state = fault.kind
  }
  await sleep(fault.forMs)
  for (const line of lines) {
    line.delayMs = 0
    if (fault.kind === 'delay') continue
    if (fault.ends === 'reset') line.reset()
    line.state = 'fine'
  }
}
