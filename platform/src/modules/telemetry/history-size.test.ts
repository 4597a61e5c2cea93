import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { readHistory } from './history.ts'
import { createTelemetry } from './index.ts'

const samplesCount = 40
const minuteMs = 60_000

test('a history of more samples than one query may read is refused before it is read', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const telemetry = createTelemetry({
    db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: Date.now,
  })
  await telemetry.start()
  onTestFinished(() => telemetry.stop())
  const { machineId } = await createMachine(db)
  const to = Date.now()
  const from = to - 2 * samplesCount * minuteMs
  await telemetry.append(
    machineId,
    Array.from({ length: samplesCount }, (_, place) => ({
      kind: 'sample' as const,
      group: '',
      tag: 'n',
      type: 'float64' as const,
      value: place,
      quality: 192,
      time: to - (place + 1) * minuteMs,
      late: true,
    })),
  )
  await telemetry.flush()
  const [tag] = await telemetry.listTags(machineId, 'en')
  const request = { tagIds: [tag?.tagId ?? 0], from, to, agg: 'avg' } as const
  const history = await readHistory(db, request, to, samplesCount)
  expect(history.series[0]?.points.length).toBeGreaterThan(0)
  const refused = readHistory(db, request, to, samplesCount - 1)
  await expect(refused).rejects.toMatchObject({ code: 'QUERY_TOO_LARGE' })
})
