import { Quality } from '@busbar/link'
import type { Driver } from '../drivers/driver.ts'
import { MachineModel } from '../machine-model.ts'
import type { Reading, Sample, Tag, TagValue } from '../tag.ts'
import { buildTag } from './builders.ts'
import { ManualClock } from './manual-clock.ts'

/** Runs everything that is ready. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A controller that the test plays: its values, its reaction to a write, the duration of a poll. */
function controller(tags: Tag[]) {
  const state = {
    values: tags.map((): TagValue => 0),
    /** The value that the controller keeps after a write. */
    keep: (value: TagValue): TagValue => value,
    refusal: undefined as Error | undefined,
    asked: [] as string[],
    holdPoll: undefined as Promise<void> | undefined,
    holdWrite: undefined as Promise<void> | undefined,
    isClosed: false,
  }
  const readingOf = (index: number): Reading => ({
    index,
    value: state.isClosed ? null : (state.values[index] ?? null),
    quality: state.isClosed ? Quality.bad : Quality.good,
  })
  const driver: Driver = {
    async poll() {
      state.asked.push('poll')
      await state.holdPoll
      state.asked.push('polled')
      return tags.map((_, index) => readingOf(index))
    },
    async read(index) {
      state.asked.push('read')
      return readingOf(index)
    },
    async write(index, value) {
      state.asked.push('write')
      await state.holdWrite
      if (state.refusal) throw state.refusal
      state.values[index] = state.keep(value)
    },
    close: async () => {
      state.isClosed = true
    },
  }
  return { state, driver }
}

/** A machine with one controller that the test plays, after its first poll. */
export async function setUpMachine(fields: Partial<Tag>[]) {
  const tags = fields.map((own, index) => buildTag({ name: `tag ${index}`, readOnly: false, ...own }))
  const clock = new ManualClock()
  const published: Sample[] = []
  const logged: unknown[] = []
  const { state, driver } = controller(tags)
  const machine = new MachineModel({
    code: '1000000000000000001',
    connections: [{ tags, pollIntervalMs: 1_000, driver }],
    clock,
    log: (_level, event, fields) => void logged.push([event, fields]),
    publish: (samples) => published.push(...samples),
  })
  await machine.firstPolls
  published.length = 0
  state.asked.length = 0
  return { machine, state, clock, published, logged }
}

/** Lets pauses between read-backs pass. */
export async function passing<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await settled()
    clock.advance(10)
  }
  return work
}
