import {
  create,
  Quality,
  Scene,
  toBinary,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPushBench, settle } from '../../../test-support/push-bench.ts'

let bench: ReturnType<typeof openPushBench>
beforeEach(() => (bench = openPushBench()))
afterEach(() => bench.close())

describe('visits that a bar shows', () => {
  it('are attended again on every connection, so that a lost line does not make them idle', async () => {
    bench.client.attend(7)
    const first = await bench.connect()
    expect(first.sent).toEqual(['attend 7', 'heartbeat'])
    first.breakLine()
    await vi.advanceTimersByTimeAsync(5_000)
    bench.socket().open()
    expect(bench.socket().sent).toEqual(['attend 7', 'heartbeat'])
  })

  it('are attended until the last bar is gone, and not left between two drawings', async () => {
    const line = await bench.connect()
    const first = bench.client.attend(7)
    await settle()
    const second = bench.client.attend(7)
    first()
    first()
    await settle()
    second()
    const third = bench.client.attend(7)
    await settle()
    third()
    await settle()
    expect(line.sent.slice(1)).toEqual(['attend 7', 'unattend 7'])
  })

  it('report the visitors, and that the controller is free', async () => {
    const line = await bench.connect()
    const heard: unknown[] = []
    bench.client.on('visit', (event) => heard.push(event))
    const body = create(VisitSessionSchema, {
      sessionId: '7',
      machineId: '3',
      userId: '5',
      user: 'Ming Li',
      target: 'page',
      mode: 'admin',
      until: '90000',
      ended: true,
      reason: 'idle',
    })
    line.push(Scene.VISIT_SESSION, toBinary(VisitSessionSchema, body))
    expect(heard).toEqual([
      {
        sessionId: 7,
        machineId: 3,
        userId: 5,
        user: 'Ming Li',
        target: 'page',
        mode: 'ro',
        until: 90_000,
        idleAt: null,
        releaseAt: null,
        ended: true,
        reason: 'idle',
        controls: false,
        asks: false,
        controller: { who: null, me: false, sessionId: null },
      },
    ])
  })

  it('report the result of a write, with the machine’s value', async () => {
    const line = await bench.connect()
    const heard: unknown[] = []
    bench.client.on('writeResult', ({ commandId, state, kept }) =>
      heard.push([commandId, state, kept?.value]),
    )
    const result = (state: string) =>
      toBinary(
        WriteResultSchema,
        create(WriteResultSchema, {
          commandId: '11',
          machineId: '3',
          tagId: '31',
          state,
          kept: { tagId: '31', value: { case: 'boolValue', value: false }, quality: Quality.GOOD },
        }),
      )
    line.push(Scene.WRITE_RESULT, result('failed'))
    line.push(Scene.WRITE_RESULT, result('of another version'))
    expect(heard).toEqual([[11, 'failed', false]])
  })
})
