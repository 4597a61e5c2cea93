import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import type { PostgresConnection } from '../../src/kernel/database/connection.ts'
import { openDatabase } from '../../src/kernel/database/database.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { RuleEngine } from '../../src/modules/alarm-rules/rule-engine.ts'
import { createTelemetry } from '../../src/modules/telemetry/index.ts'

/** A sample to be stored; the answer is its `time`, after the commit. */
export interface SampleOrder {
  readonly machineId: number
  readonly value: number
  readonly time: number
}

// The store of samples and the rule engine as a separate process, so that a test can kill them.
const db = openDatabase(JSON.parse(process.argv[2] ?? '') as PostgresConnection)
const options = { db, bus: createLocalBus(silentLogger), logger: silentLogger, now: Date.now }
const facts = new Facts(options)
const telemetry = createTelemetry({ ...options, facts })
const engine = new RuleEngine({ ...options, telemetry, facts, nodeId: 'one' })
process.on('message', async (order: SampleOrder | 'begin' | 'stop') => {
  if (order === 'begin') {
    await telemetry.start()
    await engine.start()
    process.send?.('begun')
    return
  }
  if (order === 'stop') {
    await engine.stop()
    await telemetry.stop()
    process.exit(0)
  }
  const { machineId, value, time } = order
  await telemetry.append(machineId, [
    { kind: 'sample', group: '', tag: 'temp', type: 'float64', value, time, quality: 192, late: false },
  ])
  process.send?.(time)
})
process.on('disconnect', () => process.exit(1))
