import { Quality } from '@busbar/link'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfigText } from '../../config/config-text.ts'
import { checkConfig } from '../../config/parse-config.ts'
import type { TagValue } from '../../tag.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { FaultLine } from '../../testing/plc/fault-line.ts'
import type { Driver } from '../driver.ts'
import { isControllerAway } from '../driver.ts'
import type { DriverKind } from '../driver-kind.ts'

/** A real server as a driver's suite needs it, with tags of these names that can be written. */
export interface ConformanceTarget {
  readonly line: FaultLine
  /** Fields of the connection, as in the configuration; `timeoutMs` is added. */
  readonly connection: Record<string, unknown>
  /** Fields of the tags, beside the name. `refused` is one that the controller refuses to read and to write. */
  readonly tags: Record<'whole' | 'real' | 'flag' | 'text' | 'refused', Record<string, unknown>>
  /** Sets a tag in the controller. */
  set(values: Partial<ConformanceValues>): Promise<void>
  /** The values in the controller, read past the driver. */
  peek(): Promise<ConformanceValues>
  /** Whether a request reads the tag `flag`. */
  asksForFlag(request: Buffer): boolean
  /** Makes one answer shorter than requested. */
  shorten(answer: Buffer): Buffer
  /** Matches the error of a refused write. */
  readonly refusal: RegExp
  /** Renames the tag `whole`, if the controller has names; resolves to a function that undoes it. */
  rename?(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

export interface ConformanceValues {
  whole: number
  real: number
  flag: boolean
  text: string
}

const names = ['whole', 'real', 'flag', 'text', 'refused'] as const
const first: ConformanceValues = { whole: -215, real: 21.5, flag: true, text: 'Pasteur' }
const firstRead = [-215, 21.5, true, 'Pasteur', null]
/** Of drivers whose controller answers: a busy machine needs it. */
const answeredMs = 15_000
/** Of drivers that wait for an answer in vain. */
const timeoutMs = 500
/** Longer than the first pause before an unreachable controller is tried again. */
const pauseMs = 60_000
/** Time within which a server or port that was down is available again. */
const againMs = 10_000
const faults = [
  'silent',
  'silentForFlag',
  'slow',
  'tooSlow',
  'wrongLength',
  'ended',
  'unplugged',
  'idle',
] as const
const faultsPerSeed = 6
const firstSeed = Number(process.env.BUSBAR_TEST_SEED ?? 0)
const seeds = Array.from(
  { length: process.env.BUSBAR_TEST_LONG === '1' ? 20 : 1 },
  (_, place) => firstSeed + place,
)

/** Random numbers that a seed repeats. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The behaviour required of every driver, tested with a real server and through its faults. */
export function describeConformance(
  name: string,
  kind: DriverKind,
  start: () => Promise<ConformanceTarget>,
): void {
  describe(name, () => {
    let target: ConformanceTarget
    const drivers: Driver[] = []

    beforeAll(async () => {
      target = await start()
    })
    afterEach(async () => {
      for (const driver of drivers.splice(0)) await driver.close()
      const { line } = target
      Object.assign(line, { silent: false, delayMs: 0, alter: null, swallow: null })
    })
    afterAll(() => target.stop())

    async function open(timeoutMs = answeredMs) {
      await target.set(first)
      const clock = new ManualClock()
      const events: string[] = []
      const tags = names.map((tag) => ({ name: tag, readOnly: false, ...target.tags[tag] }))
      const connections = [{ driver: kind.kind, name, timeoutMs, ...target.connection, tags }]
      const cloud = { url: 'mqtt://h', code: '0000000000000000001', secret: 's' }
      const config = checkConfig(
        readConfigText(JSON.stringify({ cloud, connections })),
        new Map([[kind.kind, kind]]),
      )
      const connection = config.connections[0]
      if (connection === undefined) throw new Error('no connection')
      const driver = kind.open(connection, {
        clock,
        log: (_level, event) => void events.push(event),
        random: () => 0.5,
        configFolder: '.',
        stateFolder: '.',
      })
      drivers.push(driver)
      return { driver, clock, events }
    }

    const valuesOf = async (driver: Driver): Promise<(TagValue | null)[]> =>
      (await driver.poll()).map(({ value }) => value)
    const nothing = names.map(() => null)

    /** Lets pauses pass until the controller is read again. */
    async function readAgain(driver: Driver, clock: ManualClock): Promise<(TagValue | null)[]> {
      const untilMs = performance.now() + againMs
      for (;;) {
        clock.advance(pauseMs)
        const values = await valuesOf(driver)
        const isWhole = values.every((value, index) => value !== null || firstRead[index] === null)
        if (isWhole || performance.now() > untilMs) return values
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }

    test('reads every type; a tag that the controller refuses is bad beside good ones', async () => {
      const { driver } = await open()
      const readings = await driver.poll()
      expect(readings.map(({ value }) => value)).toEqual(firstRead)
      expect(readings.map(({ quality }) => quality === Quality.good)).toEqual([true, true, true, true, false])
      expect(await driver.read(1)).toMatchObject({ index: 1, value: 21.5, quality: Quality.good })
      await target.set({ whole: 7, flag: false })
      expect(await valuesOf(driver)).toEqual([7, 21.5, false, 'Pasteur', null])
    })

    test('a write is read back by the driver, and seen by another client', async () => {
      const { driver } = await open()
      const written: ConformanceValues = { whole: 1_234, real: -0.5, flag: false, text: 'Käse' }
      await driver.write(0, written.whole)
      await driver.write(1, written.real)
      await driver.write(2, written.flag)
      await driver.write(3, written.text)
      const back = [await driver.read(0), await driver.read(1), await driver.read(2), await driver.read(3)]
      expect(back.map(({ value }) => value)).toEqual(Object.values(written))
      expect(await target.peek()).toEqual(written)
    })

    test('a refused write is told in words, and the connection stays', async () => {
      const { driver } = await open()
      await expect(driver.write(4, 1)).rejects.toThrow(target.refusal)
      expect(await valuesOf(driver)).toEqual(firstRead)
    })

    test('silent: the poll ends with the timeout, all is bad, and good again afterwards', async () => {
      const { driver, clock, events } = await open(timeoutMs)
      await readAgain(driver, clock)
      events.length = 0
      target.line.silent = true
      const askedAt = performance.now()
      expect(await valuesOf(driver)).toEqual(nothing)
      expect(performance.now() - askedAt).toBeLessThan(timeoutMs * 12)
      await expect(driver.write(0, 1)).rejects.toSatisfy(isControllerAway)
      target.line.silent = false
      expect(await readAgain(driver, clock)).toEqual(firstRead)
      expect(
        events.filter((event) => /\.(away|back)$/.test(event)).map((event) => event.split('.')[1]),
      ).toEqual(['away', 'back'])
    })

    test('silent for one tag: the others are good, it is left out, and found when it answers', async () => {
      const { driver, clock, events } = await open(timeoutMs)
      expect(await readAgain(driver, clock)).toEqual(firstRead)
      let swallowed = 0
      target.line.swallow = (request) => target.asksForFlag(request) && ++swallowed > 0
      const withoutFlag = firstRead.map((value, index) => (index === 2 ? null : value))
      const isLeftOut = (): boolean => events.filter((event) => event.endsWith('.tagsRefused')).length === 2
      const untilMs = performance.now() + againMs
      while (!isLeftOut() && performance.now() < untilMs) {
        await driver.poll()
        clock.advance(1_000)
      }
      const before = swallowed
      expect(await valuesOf(driver)).toEqual(withoutFlag)
      expect(swallowed).toBe(before)
      target.line.swallow = null
      expect(await readAgain(driver, clock)).toEqual(firstRead)
    })

    test('slow: answers that come within the timeout are good', async () => {
      const { driver } = await open()
      await driver.poll()
      target.line.delayMs = timeoutMs / 5
      expect(await valuesOf(driver)).toEqual(firstRead)
    })

    test('too slow: an answer that came too late is never taken for the next one', async () => {
      const { driver, clock } = await open(timeoutMs)
      await driver.poll()
      target.line.delayMs = timeoutMs * 1.2
      const askedAt = performance.now()
      await driver.read(0)
      target.line.delayMs = 0
      await target.set({ whole: 4_321 })
      const right = [4_321, ...firstRead.slice(1)]
      while (performance.now() < askedAt + timeoutMs * 2)
        expect([nothing, right]).toContainEqual(await readAgain(driver, clock))
      expect(await readAgain(driver, clock)).toEqual(right)
    })

    test('wrong length: no value is made up, and the next poll is good', async () => {
      const { driver, clock } = await open(timeoutMs)
      await driver.poll()
      target.line.alter = (answer) => target.shorten(answer)
      const readings = await driver.poll()
      for (const { value, index } of readings) expect([null, firstRead[index]]).toContain(value)
      expect(readings.map(({ value }) => value)).not.toEqual(firstRead)
      target.line.alter = null
      expect(await readAgain(driver, clock)).toEqual(firstRead)
    })

    test('a connection that ends is opened again', async () => {
      const { driver, clock } = await open()
      await driver.poll()
      target.line.drop()
      const values = await valuesOf(driver)
      expect(values[0] === null || values[2] === null ? await readAgain(driver, clock) : values).toEqual(
        firstRead,
      )
    })

    test('unplugged and plugged in: bad without a wait, a write is not tried, then good', async () => {
      const { driver, clock } = await open(timeoutMs)
      await driver.poll()
      await target.line.unplug()
      await driver.poll()
      expect(await valuesOf(driver)).toEqual(nothing)
      await expect(driver.write(0, 1)).rejects.toSatisfy(isControllerAway)
      await target.line.plugIn()
      expect(await readAgain(driver, clock)).toEqual(firstRead)
    })

    test('a controller whose clock stands wrong: no reading is dated by it', async () => {
      const { driver, clock } = await open()
      // The server's clock shows today, and the agent's another year.
      for (const { at } of await driver.poll())
        expect(at === undefined || Math.abs(at - clock.now()) < 5_000).toBe(true)
    })

    async function begin(fault: (typeof faults)[number]): Promise<void> {
      const { line } = target
      if (fault === 'silent') line.silent = true
      if (fault === 'silentForFlag') line.swallow = (request) => target.asksForFlag(request)
      if (fault === 'slow') line.delayMs = timeoutMs / 5
      if (fault === 'tooSlow') line.delayMs = timeoutMs * 1.2
      if (fault === 'wrongLength') line.alter = (answer) => target.shorten(answer)
      if (fault === 'ended') line.drop()
      if (fault === 'unplugged') await line.unplug()
    }

    test.each(seeds)(
      'faults in random order, seed %i: a value is right or bad, and all come back',
      async (seed) => {
        const random = createRandom(seed)
        const { driver, clock } = await open(timeoutMs)
        await driver.poll()
        for (let round = 0; round < faultsPerSeed; round++) {
          const fault = faults[random(faults.length)] as (typeof faults)[number]
          const whole = random(30_000)
          const right = [whole, ...firstRead.slice(1)]
          await begin(fault)
          await target.set({ whole })
          for (let poll = 0; poll <= random(2); poll++) {
            const values = await valuesOf(driver)
            for (const [index, value] of values.entries())
              expect([null, right[index]], `${fault}, round ${round}`).toContain(value)
            clock.advance(random(3) * 1_000)
          }
          Object.assign(target.line, { silent: false, delayMs: 0, alter: null, swallow: null })
          if (fault === 'unplugged') await target.line.plugIn()
          expect(await readAgain(driver, clock), `after ${fault}, round ${round}`).toEqual(right)
        }
      },
    )

    const allEnded = () => vi.waitFor(() => expect(target.line.open).toBe(0), againMs)

    test('close while it opens: no connection stays behind', async () => {
      const { driver } = await open()
      const poll = valuesOf(driver)
      await driver.close()
      expect(await poll).toEqual(nothing)
      await allEnded()
    })

    test('replaced while it polls: the next driver reads, and the former one leaves no connection', async () => {
      const former = await open()
      await former.driver.poll()
      target.line.delayMs = timeoutMs / 5
      const poll = valuesOf(former.driver)
      const closed = former.driver.close()
      const next = await open()
      target.line.delayMs = 0
      expect(await readAgain(next.driver, next.clock)).toEqual(firstRead)
      await closed
      expect(await poll).toEqual(nothing)
      await next.driver.close()
      await allEnded()
    })

    test('the driver closes in the middle of a question, and is silent afterwards', async () => {
      const { driver } = await open(timeoutMs)
      await driver.poll()
      target.line.silent = true
      const poll = valuesOf(driver)
      await driver.close()
      expect(await poll).toEqual(nothing)
      const asked = target.line.questions
      expect(await valuesOf(driver)).toEqual(nothing)
      expect(target.line.questions).toBe(asked)
    })

    test('a name that is gone is bad beside good ones, and found when it is back', async (context) => {
      if (!target.rename) return context.skip()
      const { driver, clock } = await open()
      await driver.poll()
      const undo = await target.rename()
      clock.advance(pauseMs)
      const values = await valuesOf(driver)
      await undo()
      expect(values).toEqual([null, ...firstRead.slice(1)])
      expect((await readAgain(driver, clock))[0]).not.toBeNull()
    })
  })
}
