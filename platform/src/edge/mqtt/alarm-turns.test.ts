import { setImmediate } from 'node:timers/promises'
import { plainTopic } from '@busbar/link'
import { generate } from 'mqtt-packet'
import { expect, it } from 'vitest'
import { AlarmTurns } from './alarm-turns.ts'
import { TurnQueue } from './turn-queue.ts'

const publish = (topic: string, payload: string) =>
  generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
const alarm = publish(plainTopic.alarms, '{"id":"E1"}')

/** Connections that want to read one alarm each; the test changes `room`. */
function openTurns(count: number) {
  const store = { room: 1 }
  const read: number[] = []
  const alarmTurns = new AlarmTurns(new TurnQueue(() => 0), () => store.room)
  const takers = Array.from({ length: count }, (_, place) => {
    const taker = {
      takeTurn(): boolean {
        if (alarmTurns.mayRead(taker, alarm)) read.push(place)
        else alarmTurns.add(taker)
        return false
      },
    }
    return taker
  })
  return { store, read, alarmTurns, takers }
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
}

it('an alarm is read when there is room, behind those that wait already', async () => {
  const { store, read, alarmTurns, takers } = openTurns(4)
  store.room = 0
  for (const taker of takers.slice(0, 3)) taker.takeTurn()
  expect(read).toEqual([])
  store.room = 1
  takers[3]?.takeTurn()
  expect(alarmTurns.waiting).toBe(4)
  // Reading one makes no room in this test, as if it were stored at once.
  alarmTurns.release()
  await turns()
  expect(read).toEqual([0, 1, 2, 3])
})

it('as many alarms are read as there is room', async () => {
  const { store, read, alarmTurns, takers } = openTurns(4)
  store.room = 0
  for (const taker of takers) taker.takeTurn()
  store.room = 2
  for (const taker of takers) {
    const { takeTurn } = taker
    taker.takeTurn = () => {
      const before = read.length
      takeTurn()
      store.room -= read.length - before
      return false
    }
  }
  alarmTurns.release()
  await turns()
  expect(read).toEqual([0, 1])
})

it('a connection that ends while it has room leaves the room to the next', async () => {
  const { store, read, alarmTurns, takers } = openTurns(2)
  store.room = 0
  for (const taker of takers) taker.takeTurn()
  store.room = 1
  const [first] = takers
  if (first) first.takeTurn = () => false
  alarmTurns.release()
  await turns()
  expect(read).toEqual([])
  if (first) alarmTurns.forget(first)
  await turns()
  expect(read).toEqual([1])
})

it('values and long messages wait for no room', () => {
  const { store, alarmTurns, takers } = openTurns(1)
  store.room = 0
  const [taker] = takers
  if (!taker) throw new Error('no connection')
  expect(alarmTurns.mayRead(taker, alarm)).toBe(false)
  expect(alarmTurns.mayRead(taker, publish(plainTopic.telemetry, '{"n":1}'))).toBe(true)
  expect(alarmTurns.mayRead(taker, publish('v1/devices/me/alarmz', '{"n":1}'))).toBe(true)
  expect(alarmTurns.mayRead(taker, publish(plainTopic.alarms, 'x'.repeat(3_000)))).toBe(true)
  expect(alarmTurns.mayRead(taker, Buffer.from([0x30, 1, 0]))).toBe(true)
})

it('an alarm without room takes no turn until there is room', async () => {
  const { store, read, alarmTurns, takers } = openTurns(3)
  const [first, second, third] = takers
  if (!first || !second || !third) throw new Error('three takers')
  store.room = 0
  expect(alarmTurns.waitAtOnce(first, alarm)).toBe(true)
  // Not whole, more than one, and no alarm.
  expect(alarmTurns.waitAtOnce(second, alarm.subarray(0, -1))).toBe(false)
  expect(alarmTurns.waitAtOnce(second, Buffer.concat([alarm, alarm]))).toBe(false)
  expect(alarmTurns.waitAtOnce(second, publish(plainTopic.telemetry, '{"n":1}'))).toBe(false)
  const long = publish(plainTopic.alarms, JSON.stringify({ id: 'E1', text: 'x'.repeat(500) }))
  expect(alarmTurns.waitAtOnce(third, long)).toBe(true)
  await turns()
  expect(read).toEqual([])
  store.room = 1
  alarmTurns.release()
  await turns()
  expect(read).toEqual([0, 2])
  expect(alarmTurns.waitAtOnce(second, alarm)).toBe(false)
})
