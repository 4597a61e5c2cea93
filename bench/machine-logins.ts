import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '../e2e/src/site.ts'
import { createMachines } from './ingest/machines.ts'
import { codeOf, machineSecret } from './ingest/messages.ts'
import { connectPacket } from './src/raw-machine.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

/* Machines that sign in for the first time, all behind one address, beside 1,000 machines there that try an outdated
   secret each second. Platform and generator are two processes. */

const isShort = process.argv.includes('--short')
const honest = isShort ? 400 : 4_000
const outdated = isShort ? 100 : 1_000
const retryMs = 1_000
/** Attempts of honest machines under way at the same time. */
const atOnce = 100
const headStartMs = 3_000

interface Attempt {
  readonly ms: number
  readonly isIn: boolean
  leave(): void
}

/** One sign-in, to the CONNACK or the end of the connection. */
function signIn(port: number, code: string, secret: string): Promise<Attempt> {
  return new Promise((resolve) => {
    const beganAt = performance.now()
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const leave = () => socket.destroy()
    const answer = (isIn: boolean) => resolve({ ms: performance.now() - beganAt, isIn, leave })
    socket.once('connect', () => socket.write(connectPacket(code, secret)))
    socket.once('data', (bytes: Buffer) => answer(bytes[3] === 0))
    socket.on('error', () => {})
    socket.once('close', () => answer(false))
  })
}

async function measure(site: Site, first: number, isBeside: boolean) {
  const port = Number(new URL(site.mqttUrl).port)
  let isOver = false
  let wrong = 0
  const tryOutdated = async (code: string) => {
    for (let waitMs = Math.random() * retryMs; !isOver; waitMs = retryMs) {
      await sleep(waitMs)
      const attempt = await signIn(port, code, 'outdated')
      attempt.leave()
      wrong++
    }
  }
  const others = isBeside
    ? Array.from({ length: outdated }, (_, number) => tryOutdated(codeOf(2 * honest + number)))
    : []
  if (isBeside) await sleep(headStartMs)
  const wrongBefore = wrong
  const waiting = Array.from({ length: honest }, (_, number) => codeOf(first + number))
  const times: number[] = []
  const open: Attempt[] = []
  let failed = 0
  const beganAt = performance.now()
  const work = async () => {
    for (let code = waiting.pop(); code !== undefined; code = waiting.pop()) {
      const attempt = await signIn(port, code, machineSecret)
      if (attempt.isIn) {
        times.push(attempt.ms)
        open.push(attempt)
      } else {
        failed++
        waiting.unshift(code)
        await sleep(retryMs)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = (performance.now() - beganAt) / 1_000
  const wrongPerS = (wrong - wrongBefore) / seconds
  isOver = true
  await Promise.all(others)
  for (const attempt of open) attempt.leave()
  return { perS: honest / seconds, times, failed, wrongPerS }
}

console.log(describeMachine())
const site = await startSite({})
const db = await site.openDatabase()
try {
  await createMachines(db, 2 * honest + outdated)
  const alone = await measure(site, 0, false)
  const beside = await measure(site, honest, true)
  const figure = ({ perS, times, failed, wrongPerS }: typeof alone) =>
    `${perS.toFixed(0)} a second, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms, ${failed} refused; ${wrongPerS.toFixed(0)} wrong ones a second`
  printRows([
    { what: `${honest} first sign-ins from one address, nobody else`, figure: figure(alone), target: '' },
    {
      what: `the same beside ${outdated} machines with outdated secrets`,
      figure: figure(beside),
      target: '≥ 500 a second',
      met: beside.perS >= 500,
    },
  ])
} finally {
  await db.destroy()
  await site.stop()
}
