import { hourMs, minuteMs, sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { expect, it } from 'vitest'
import { AppendReport } from './append-report.ts'

const store = useStore()

/** Sends one value with the machine's stamp; answers its notes. */
async function say(machineId: number, value: number, time: number, tag = 'a') {
  const report = new AppendReport()
  await store.telemetry.append(machineId, [sample(tag, value, { time })], report)
  return report.notes
}

/** The stored samples of a machine: value, minutes before the present of the store, quality. */
async function listed(machineId: number) {
  const rows = await store.rowsOf(machineId)
  return rows.map(({ num, at, quality }) => [num, (store.clock - at.getTime()) / minuteMs, quality])
}

it('values of an outage are stored at their times and do not move the newest, also after a restart', async () => {
  const machineId = await store.createMachine()
  const began = store.clock
  await say(machineId, 1, began)
  store.clock += hourMs
  expect(await say(machineId, 2, began + 10 * minuteMs)).toEqual([])
  await store.restart()
  expect(await say(machineId, 3, began + 20 * minuteMs)).toEqual([])
  // A variable that is new in the outage does as the others.
  expect(await say(machineId, 9, began + 20 * minuteMs, 'b')).toEqual([])
  expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 1, time: began })
  await say(machineId, 4, store.clock)
  expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 4, quality: 'good' })
  expect(await listed(machineId)).toEqual([
    [1, 60, 192],
    [2, 50, 192],
    [3, 40, 192],
    [4, 0, 192],
    [9, 40, 192],
  ])
})

it('a clock that was set back is not believed: values come at arrival, uncertain, with a note', async () => {
  const machineId = await store.createMachine()
  await say(machineId, 1, store.clock)
  for (let second = 1; second <= 3; second++) {
    store.clock += 1_000
    expect(await say(machineId, second, store.clock - hourMs)).toEqual([
      expect.stringContaining('60 minutes behind'),
    ])
    expect(await store.latestOf(machineId, 'a')).toMatchObject({
      value: second,
      time: store.clock,
      quality: 'uncertain',
    })
  }
})

it('a clock that stays behind after an outage is believed for five minutes at most', async () => {
  const machineId = await store.createMachine()
  const began = store.clock
  await say(machineId, 0, began)
  store.clock += hourMs
  // It stood still while the machine had no power, and goes on from there.
  for (let minute = 1; minute <= 8; minute++) {
    store.clock += minuteMs
    await say(machineId, minute, began + minute * minuteMs)
  }
  expect(await store.latestOf(machineId, 'a')).toMatchObject({
    value: 8,
    time: store.clock,
    quality: 'uncertain',
  })
})

it('old values between live ones are stored at their times once the live ones show that the clock is right', async () => {
  const machineId = await store.createMachine()
  const began = store.clock
  await say(machineId, 0, began)
  store.clock += hourMs
  for (let place = 1; place <= 4; place++) {
    store.clock += 100
    await say(machineId, 100 + place, store.clock)
    store.clock += 100
    await say(machineId, place, began + place * 10 * minuteMs)
  }
  await say(machineId, 200, store.clock)
  const old = (await store.rowsOf(machineId)).filter(({ num }) => num !== null && num > 1 && num < 100)
  expect(old.map(({ at }) => (at.getTime() - began) / minuteMs)).toEqual([20, 30, 40])
  expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 200, quality: 'good' })
})

it('late values of before 2000 or after tomorrow are refused by name, and of a clock ahead uncertain', async () => {
  const machineId = await store.createMachine()
  const late = (tag: string, time: number) => sample(tag, 1, { time, late: true })
  const report = new AppendReport()
  const refused = await store.telemetry.append(
    machineId,
    [
      late('unset', 5_000),
      late('unset', 6_000),
      late('far', store.clock + 25 * hourMs),
      late('ahead', store.clock + hourMs),
    ],
    report,
  )
  expect(refused).toEqual(['unset', 'far'])
  expect(report.notes).toEqual([expect.stringContaining('3 values ("unset", "far", …) are refused')])
  expect(await listed(machineId)).toEqual([[1, -60, 64]])
})

it('values that were sent again after an outage, because their acknowledgement was lost, were stored twice', async () => {
  const machineId = await store.createMachine()
  const began = store.clock
  for (const value of [1, 2, 3]) await say(machineId, value, began + value)
  await store.restart()
  store.clock += 11 * minuteMs
  for (const value of [1, 2, 3]) await say(machineId, value, began + value)
  // The log may have a value twice; its readers take the first of a time.
  const stored = new Map((await store.rowsOf(machineId)).map(({ at, num }) => [at.getTime() - began, num]))
  expect([...stored].sort()).toEqual([1, 2, 3].map((value) => [value, value]))
  expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 3, time: began + 3 })
})
