import { ApiError } from '@busbar/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Poller } from './poller.ts'

let watched: [machineId: number, tagIds: readonly number[]][]
let asked: number[]
let told: number[]
let rounds: boolean[]
/** The platform's answer about a machine. */
let answer: (machineId: number) => Promise<[]>
let writes: Map<number, number>
let askedWrites: number[]
let poller: Poller

const settle = () => vi.advanceTimersByTimeAsync(0)

const failure = (http: number, data?: object) =>
  new ApiError({ http, code: String(http), hwcode: http, message: '', data })

beforeEach(() => {
  vi.useFakeTimers()
  watched = [[3, []]]
  asked = []
  askedWrites = []
  writes = new Map()
  told = []
  rounds = []
  answer = async () => []
  poller = new Poller({
    watched: () => watched,
    listLatest: (machineId) => {
      asked.push(machineId)
      return answer(machineId)
    },
    writes: () => writes,
    findResult: async (machineId, commandId) => {
      askedWrites.push(commandId)
      if (commandId === 10) throw failure(0)
      return { commandId, machineId, tagId: 31, state: 'confirmed', kept: undefined, reason: '' }
    },
    onResult: ({ commandId }) => writes.delete(commandId),
    onValues: ({ machineId }) => told.push(machineId),
    onRound: (succeeded) => rounds.push(succeeded),
  })
})

afterEach(() => {
  poller.stop()
  vi.useRealTimers()
})

const fleet = (count: number) =>
  Array.from({ length: count }, (_, place): [number, number[]] => [place + 1, []])

it('polls immediately and 5 s after each round, for the tags watched by then', async () => {
  poller.start()
  poller.start()
  await settle()
  watched = [[4, []]]
  await vi.advanceTimersByTimeAsync(4_999)
  expect(asked).toEqual([3])
  await vi.advanceTimersByTimeAsync(1)
  expect([asked, told, rounds]).toEqual([
    [3, 4],
    [3, 4],
    [true, true],
  ])
})

it('waits longer the more machines are watched: 200 calls a minute at most', async () => {
  watched = fleet(100)
  poller.start()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(asked.length).toBe(200)
})

it('asks for four machines at a time', async () => {
  watched = fleet(6)
  const answers: (() => void)[] = []
  answer = () => new Promise((resolve) => answers.push(() => resolve([])))
  poller.start()
  expect(asked).toEqual([1, 2, 3, 4])
  answers[0]?.()
  await settle()
  expect(asked).toEqual([1, 2, 3, 4, 5])
})

it('fails a round of which one answer is missing, and tells the others', async () => {
  watched = fleet(3)
  answer = (machineId) => (machineId === 2 ? Promise.reject(failure(0)) : Promise.resolve([]))
  poller.start()
  await settle()
  expect([told, rounds]).toEqual([[1, 3], [false]])
})

it('takes for an answer that a machine may not be seen any more', async () => {
  answer = () => Promise.reject(failure(403))
  poller.start()
  await settle()
  expect(rounds).toEqual([true])
})

it('waits as long as the platform says where calls are too many', async () => {
  answer = () => Promise.reject(failure(429, { retryIn: 20 }))
  poller.start()
  await vi.advanceTimersByTimeAsync(19_999)
  expect([asked.length, rounds]).toEqual([1, [false]])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked.length).toBe(2)
})

it('drops answers that come after it stopped', async () => {
  let resolve = (_: []) => {}
  answer = () =>
    new Promise((done) => {
      resolve = done
    })
  poller.start()
  poller.stop()
  resolve([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect([asked, told, rounds, poller.isRunning]).toEqual([[3], [], [], false])
})

it('asks every 2 s for the result of a write until it is here, and again after a failure', async () => {
  poller.start()
  await settle()
  writes.set(10, 3).set(11, 3)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(askedWrites).toEqual([10, 11, 10])
})
