import { expect, test } from 'vitest'
import { IdleLines, type Line } from './line.ts'

interface Fake {
  isOpen: boolean
  end(): void
}

const createFake = (): Fake & Line => {
  const fake: Fake = { isOpen: true, end: () => (fake.isOpen = false) }
  return fake as Fake & Line
}

test('the line that was used last is taken, and one whose connection has ended is not', () => {
  const idle = new IdleLines(10)
  const [first, second, third] = [createFake(), createFake(), createFake()]
  for (const line of [first, second, third]) idle.keep('mes', line)
  third.isOpen = false
  expect([idle.take('erp'), idle.take('mes'), idle.take('mes'), idle.take('mes')]).toEqual([
    undefined,
    second,
    first,
    undefined,
  ])
})

test('no more lines are kept than there are places, and a new one takes the place of the oldest', () => {
  const idle = new IdleLines(2)
  const lines = ['mes', 'erp', 'portal'].map((key) => ({ key, line: createFake() }))
  for (const { key, line } of lines) idle.keep(key, line)
  expect(lines.map(({ line }) => line.isOpen)).toEqual([false, true, true])
  expect(lines.map(({ key }) => idle.take(key) !== undefined)).toEqual([false, true, true])
})
