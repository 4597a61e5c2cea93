import { Scene } from '@busbar/contract/push'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPushBench, settle, values } from '../../../test-support/push-bench.ts'

let bench: ReturnType<typeof openPushBench>
beforeEach(() => (bench = openPushBench()))
afterEach(() => bench.close())

describe('watched tags', () => {
  it('are requested once, however many components watch them', async () => {
    const line = await bench.connect()
    bench.client.watch(3, [31], () => {})
    bench.client.watch(3, [31], () => {})
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [31]'])
  })

  it('are the union of all wishes, and everything if one component wants everything', async () => {
    const line = await bench.connect()
    bench.client.watch(3, [32], () => {})
    await settle()
    bench.client.watch(3, [31], () => {})
    await settle()
    const all = bench.client.watch(3, undefined, () => {})
    await settle()
    all()
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [32]', 'watch 3 [31,32]', 'watch 3 []', 'watch 3 [31,32]'])
  })

  it('ends with the last who watched', async () => {
    const line = await bench.connect()
    const first = bench.client.watch(3, [31], () => {})
    const second = bench.client.watch(3, [31], () => {})
    await settle()
    first()
    first()
    await settle()
    second()
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [31]', 'unwatch 3'])
  })

  it('sends nothing for a change of hands within one task', async () => {
    const line = await bench.connect()
    const leave = bench.client.watch(3, [31], () => {})
    await settle()
    leave()
    bench.client.watch(3, [31], () => {})
    await settle()
    expect(line.sent.slice(1)).toEqual(['watch 3 [31]'])
  })

  it('are requested only if a component named a tag', async () => {
    const line = await bench.connect()
    bench.client.watch(3, [], () => {})
    await settle()
    expect(line.sent).toEqual(['heartbeat'])
  })

  it('reaches each who watches, with the tags they named', async () => {
    const line = await bench.connect()
    const some: unknown[] = []
    const all: unknown[] = []
    bench.client.watch(3, [31], (got) => some.push(...got.map(({ tagId, value }) => [tagId, value])))
    bench.client.watch(3, undefined, (got) => all.push(...got.map(({ tagId }) => tagId)))
    bench.client.watch(4, undefined, () => all.push('another machine'))
    line.push(Scene.TAG_VALUES, values('3', ['31', 1.5], ['32', 2]))
    expect(some).toEqual([[31, 1.5]])
    expect(all).toEqual([31, 32])
  })
})
