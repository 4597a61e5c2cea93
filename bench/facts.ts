import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalBus } from '@busbar/platform/kernel/bus/bus.ts'
import { surround } from '@busbar/platform/kernel/database/after-commit.ts'
import { withTransaction } from '@busbar/platform/kernel/database/database.ts'
import { Facts } from '@busbar/platform/kernel/facts/facts.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* 2,000 facts a second, recorded in the transactions of eight writers and followed by one live and one durable follower;
   a third one throws at each fact. The lag is from the moment a fact is handed to `record` until it is told; an open loop,
   so that what is late counts as late. `--short`: 5 s. */

const ratePerS = 2_000
const writersCount = 8
const factsPerTransaction = 5
const warmUpMs = 3_000
const measuredMs = process.argv.includes('--short') ? 5_000 : 30_000
const lagMsMax = 200
/** Longest wait for the last facts. */
const tellMsMax = 10_000
const kind = 'machine.languageChanged'

const stopServer = await startTestPostgres()
const { db, drop } = await createTestDatabase({ poolMax: 16 })
const bus = createLocalBus(silentLogger)
surround([db], { wake: (topic) => bus.publish(topic, {}), failed: (error) => console.error(error) })
const facts = new Facts({ db, bus, logger: silentLogger, now: Date.now })

const beganAt = performance.now()
const isMeasured = (at: number) => at >= warmUpMs && at < warmUpMs + measuredMs
/** Since the begin, to a microsecond: a fact's machine tells when it was recorded. */
const sinceBegin = () => performance.now() - beganAt
const lags = { live: [] as number[], durable: [] as number[] }
let didTell: () => unknown = () => {}
const note = (list: number[], recorded: readonly { readonly machineId: number }[]) => {
  const at = sinceBegin()
  for (const { machineId } of recorded) if (isMeasured(machineId / 1_000)) list.push(at - machineId / 1_000)
  didTell()
}
facts.follow({ mode: 'live', name: 'bench.live', kinds: [kind], follow: (all) => note(lags.live, all) })
facts.follow({
  mode: 'durable',
  name: 'bench.durable',
  kinds: [kind],
  async follow(trx, all) {
    // A typical follower writes.
    await trx.updateTable('fact_epoch').set({ is_only: true }).where('epoch', '<', 0).execute()
    note(lags.durable, all)
  },
})
facts.follow({
  mode: 'durable',
  name: 'bench.throwing',
  kinds: [kind],
  follow: () => Promise.reject(new Error('it always throws')),
})
await facts.start()

let recorded = 0
/** Delay of a transaction's commit: the part of the lag that does not depend on followers. */
const committedLate: number[] = []
async function write(): Promise<void> {
  const everyMs = (1_000 * writersCount * factsPerTransaction) / ratePerS
  for (let dueAt = sinceBegin() + Math.random() * everyMs; dueAt < warmUpMs + measuredMs; dueAt += everyMs) {
    const earlyMs = dueAt - sinceBegin()
    if (earlyMs > 0) await sleep(earlyMs)
    const all = Array.from(
      { length: factsPerTransaction },
      () =>
        ({
          kind,
          machineId: Math.round(dueAt * 1_000),
          at: Date.now(),
        }) as const,
    )
    await withTransaction(db, (trx) => facts.recordAll(trx, all))
    if (!isMeasured(dueAt)) continue
    recorded += all.length
    committedLate.push(sinceBegin() - dueAt)
  }
}
const cpuBefore = process.cpuUsage()
await Promise.all(Array.from({ length: writersCount }, write))
const cpu = process.cpuUsage(cpuBefore)
await Promise.race([
  sleep(tellMsMax, undefined, { ref: false }),
  new Promise<void>((resolve) => {
    didTell = () => lags.durable.length >= recorded && resolve()
    didTell()
  }),
])

const rowsOf = (name: 'live' | 'durable'): Row[] => {
  const [p50, p99] = [quantile(lags[name], 0.5), quantile(lags[name], 0.99)]
  return [
    {
      what: `${name} follower: facts told of ${recorded}`,
      figure: String(lags[name].length),
      target: 'all',
      met: lags[name].length === recorded,
    },
    {
      what: `${name} follower: lag`,
      figure: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
      target: `p99 < ${lagMsMax} ms`,
      met: p99 < lagMsMax,
    },
  ]
}
console.log(describeMachine())
printRows([
  {
    what: 'recorded a second',
    figure: (recorded / (measuredMs / 1_000)).toFixed(0),
    target: String(ratePerS),
    met: recorded / (measuredMs / 1_000) >= ratePerS * 0.99,
  },
  {
    what: 'of the lag, until the commit',
    figure: `p50 ${quantile(committedLate, 0.5).toFixed(0)} ms, p99 ${quantile(committedLate, 0.99).toFixed(0)} ms`,
    target: '',
  },
  ...rowsOf('live'),
  ...rowsOf('durable'),
  {
    what: 'processor of the process, with the writers',
    figure: `${((cpu.user + cpu.system) / 10_000 / ((warmUpMs + measuredMs) / 1_000)).toFixed(0)} %`,
    target: '',
  },
])
await facts.stop()
await drop()
await stopServer()
