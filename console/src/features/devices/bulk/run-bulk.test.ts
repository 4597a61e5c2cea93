import { describe, expect, test } from 'vitest'
import { type BulkStep, runBulk } from './run-bulk.ts'

const refusal = new Error('held')
const never = new AbortController().signal

/** One call for each id; those of `refused` fail. */
const stepsOf = (ids: readonly number[], refused: readonly number[] = []): BulkStep[] =>
  ids.map((id) => ({
    ids: [id],
    run: () => (refused.includes(id) ? Promise.reject(refusal) : Promise.resolve()),
  }))

describe('an act on many devices', () => {
  test('continues after a refusal, and reports the device and the reason', async () => {
    const { failed, notStarted } = await runBulk(stepsOf([1, 2, 3, 4, 5, 6], [2, 5]), () => {}, never)
    expect([...failed]).toEqual([
      [2, refusal],
      [5, refusal],
    ])
    expect(notStarted.size).toBe(0)
  })

  test('counts each call as it ends', async () => {
    const counts: number[] = []
    await runBulk(stepsOf([1, 2, 3], [2]), (done) => counts.push(done), never)
    expect(counts).toEqual([1, 2, 3])
  })

  test('begins no further call once it is stopped, and names the devices whose turn did not come', async () => {
    const stop = new AbortController()
    const { failed, notStarted } = await runBulk(
      stepsOf([1, 2, 3, 4, 5, 6, 7, 8]),
      () => stop.abort(),
      stop.signal,
    )
    expect(failed.size).toBe(0)
    expect([...notStarted]).toEqual([5, 6, 7, 8])
  })

  test('never has more than four calls under way', async () => {
    let underWay = 0
    let most = 0
    const step: BulkStep = {
      ids: [1],
      run: async () => {
        most = Math.max(most, ++underWay)
        await Promise.resolve()
        underWay--
      },
    }
    await runBulk(
      Array.from({ length: 20 }, () => step),
      () => {},
      never,
    )
    expect(most).toBe(4)
  })
})
