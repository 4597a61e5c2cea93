import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { type LoadPlan, sharesOf } from './load-plan.ts'
import { type LoadCounts, quantile, sumCounts } from './load-stats.ts'

const showMs = 1_000
/** Without a terminal, a line is written this often. */
const quietShowMs = 5_000
const stopMsMax = 4_000
const count = new Intl.NumberFormat('en')

/** Runs a plan's processes until `signal`, or its time is over. False if nothing was ever acknowledged. */
export async function runLoad(plan: LoadPlan, signal: AbortSignal): Promise<boolean> {
  const shares = sharesOf(plan)
  const latest = shares.map((): LoadCounts => sumCounts([]))
  let sinceShown: LoadCounts[] = []
  let totals = sumCounts([])
  const startedAt = performance.now()
  const children = shares.map((share, place) => {
    const child = fork(path.join(import.meta.dirname, 'share-main.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', ({ counts }: { counts: LoadCounts }) => {
      latest[place] = counts
      sinceShown.push(counts)
      totals = sumCounts([totals, counts])
    })
    child.send({ share })
    return child
  })
  const isWatched = process.stdout.isTTY === true
  let shownAt = startedAt
  const show = () => {
    const now = performance.now()
    const seconds = (now - shownAt) / 1000
    shownAt = now
    const connected = latest.reduce((sum, counts) => sum + counts.connected, 0)
    const line = formatProgress(
      { ...sumCounts(sinceShown), connected },
      plan.machines.length,
      seconds,
      (now - startedAt) / 1000,
    )
    sinceShown = []
    process.stdout.write(isWatched ? `\r\x1b[2K${line}` : `${line}\n`)
  }
  const showing = setInterval(show, isWatched ? showMs : quietShowMs)
  await Promise.race([aborted(signal), lasts(plan.forS), anyExit(children)])
  clearInterval(showing)
  if (isWatched) process.stdout.write('\n')
  await stopAll(children)
  console.log(formatTotals(totals, (performance.now() - startedAt) / 1000))
  return totals.acknowledged > 0
}

function formatProgress(counts: LoadCounts, machines: number, seconds: number, runningS: number): string {
  const perS = (number: number) => count.format(Math.round(number / Math.max(seconds, 0.001)))
  return [
    `  ${clock(runningS)}`,
    `connected ${count.format(counts.connected)} of ${count.format(machines)}`,
    `${perS(counts.sent)} messages/s`,
    `${perS(counts.acknowledged)} acknowledged/s`,
    `ack p50 ${ms(counts.latency, 0.5)} p99 ${ms(counts.latency, 0.99)}`,
    ...(counts.skipped > 0 ? [`${perS(counts.skipped)} skipped/s`] : []),
    `errors ${formatErrors(counts.errors)}`,
  ].join(' · ')
}

function formatTotals(totals: LoadCounts, runningS: number): string {
  return [
    `  ${count.format(totals.sent)} messages in ${Math.round(runningS)} s, ${count.format(totals.acknowledged)} acknowledged`,
    `ack p50 ${ms(totals.latency, 0.5)} p99 ${ms(totals.latency, 0.99)} worst ${ms(totals.latency, 1)}`,
    `${count.format(totals.skipped)} turns skipped`,
    `errors ${formatErrors(totals.errors)}`,
  ].join(' · ')
}

function formatErrors(errors: LoadCounts['errors']): string {
  const named = Object.entries(errors).map(([name, times]) => `${name} ×${count.format(times)}`)
  return named.length === 0 ? '0' : named.join(', ')
}

function ms(latency: LoadCounts['latency'], share: number): string {
  const found = quantile(latency, share)
  return found === undefined ? '—' : `${count.format(found)} ms`
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(whole / 60))}:${two(whole % 60)}`
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function lasts(seconds: number | undefined): Promise<void> {
  return seconds === undefined
    ? Promise.withResolvers<void>().promise
    : new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

/** If one process ends early, the whole load ends: figures of the rest would be misleading. */
function anyExit(children: readonly ChildProcess[]): Promise<void> {
  return new Promise((resolve) => {
    for (const child of children) child.once('exit', () => resolve())
  })
}

async function stopAll(children: readonly ChildProcess[]): Promise<void> {
  const ended = children.map((child) => {
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    return new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.send({ stop: true })
    })
  })
  const timer = setTimeout(() => {
    for (const child of children) child.kill('SIGKILL')
  }, stopMsMax)
  await Promise.all(ended)
  clearTimeout(timer)
}
