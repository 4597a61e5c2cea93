import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { settled } from '../testing/one-controller.ts'
import { readLines } from './read-lines.ts'

function setUp(isGood: (line: string) => boolean = () => true) {
  const clock = new ManualClock()
  const stream = new PassThrough()
  const stopping = new AbortController()
  const lines: string[] = []
  const onLine = (line: string): boolean => {
    lines.push(line)
    return isGood(line)
  }
  const done = readLines(stream, { clock, signal: stopping.signal, lineBytesMax: 20, onLine })
  const ended = done.then(
    () => 'stopped',
    (error: Error) => error.message,
  )
  return { clock, stream, stopping, lines, ended }
}

test('lines are whole whatever pieces they come in, and one that is too long is passed over', async () => {
  const { stream, lines, ended } = setUp()
  for (const piece of ['on', 'e\r\ntwo\n', 'x'.repeat(15), 'x'.repeat(15), 'x\nthree', '\n\nfour'])
    stream.write(piece)
  stream.end()
  expect(await ended).toBe('the line was closed')
  expect(lines).toEqual(['one', 'two', 'three', ''])
})

test('of a flood a part is read in each second, and the sender waits', async () => {
  const { clock, stream, stopping, lines, ended } = setUp()
  const line = 'a line of nineteen.\n'
  const sent = (): number => lines.length * line.length
  for (let count = 0; count < 10_000; count++) stream.write(line)
  await settled()
  const first = sent()
  expect(first).toBeLessThan(64 * 1_024)
  expect(stream.isPaused()).toBe(true)
  clock.advance(999)
  await settled()
  expect(sent()).toBe(first)
  clock.advance(1)
  await settled()
  expect(sent()).toBeGreaterThan(first)
  expect(sent()).toBeLessThan(128 * 1_024)
  stopping.abort()
  expect(await ended).toBe('stopped')
})

test('a line on which the reader fails is a failure of the source', async () => {
  const { stream, ended } = setUp(() => {
    throw new Error('unread')
  })
  stream.write('line\n')
  expect(await ended).toBe('unread')
})

test('a source that says nothing that can be read for a minute has failed', async () => {
  const { clock, stream, ended } = setUp((line) => line === 'good')
  clock.advance(59_000)
  stream.write('good\n')
  await settled()
  clock.advance(59_000)
  stream.write('bad\n')
  await settled()
  expect(stream.destroyed).toBe(false)
  clock.advance(1_000)
  expect(await ended).toBe('nothing that can be read for a minute')
})
