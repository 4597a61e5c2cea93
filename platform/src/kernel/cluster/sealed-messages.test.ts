import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { ReplayWindow } from './replay-window.ts'
import { ageMsMax, RefusedMessage, SealedMessages } from './sealed-messages.ts'

const key = randomBytes(32)
let time = 1_700_000_000_000
const open = (own = key) => new SealedMessages(own, () => time)

const reasonOf = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    return error instanceof RefusedMessage ? error.reason : error
  }
}

it('a message is read by the processes of its platform, each once, and by nobody else', () => {
  const [sender, one, two, stranger] = [open(), open(), open(), open(randomBytes(32))]
  const message = sender.seal('machine.1', '{"温度":1}')
  expect(Buffer.from(message).includes('温度')).toBe(false)
  for (const reader of [one, two]) expect(reader.open('machine.1', message)).toBe('{"温度":1}')
  expect(reasonOf(() => one.open('machine.1', message))).toBe('replayed')
  expect(reasonOf(() => stranger.open('machine.1', message))).toBe('forged')
  expect(reasonOf(() => sender.open('machine.1', message))).toBe('replayed')
})

it('a message with another subject, sender, number, time, tag or text is forged', () => {
  const [sender, reader] = [open(), open()]
  const message = sender.seal('machine.1', '"a text"')
  expect(reasonOf(() => reader.open('machine.2', message))).toBe('forged')
  for (let place = 0; place < message.length; place++) {
    const changed = Uint8Array.from(message)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(reasonOf(() => reader.open('machine.1', changed))).toBe('forged')
  }
  for (const cut of [0, 1, 47])
    expect(reasonOf(() => reader.open('machine.1', message.subarray(0, cut)))).toBe('forged')
  expect(reader.open('machine.1', message)).toBe('"a text"')
})

it('an answer counts for its own question alone', () => {
  const [asker, holder] = [open(), open()]
  const [first, second] = [asker.seal('machine.1', '1'), asker.seal('machine.1', '2')]
  const answer = holder.seal('', '31337', first)
  expect(reasonOf(() => asker.open('', answer, second))).toBe('forged')
  expect(reasonOf(() => asker.open('', answer))).toBe('forged')
  expect(reasonOf(() => asker.open('', holder.seal('', '31337'), first))).toBe('forged')
  expect(asker.open('', answer, first)).toBe('31337')
})

it('a recorded message is refused later, also by a process that was not there before; clocks may differ by seconds', () => {
  const [sender, reader] = [open(), open()]
  const recorded = sender.seal('machine.1', '1')
  time += 4_000
  const after = sender.seal('machine.1', '2')
  expect(reader.open('machine.1', after)).toBe('2')
  // Young enough, but from before this process knew the sender: the one before it may have read it.
  expect(reasonOf(() => reader.open('machine.1', recorded))).toBe('replayed')
  time += ageMsMax
  for (const late of [reader, open()]) expect(reasonOf(() => late.open('machine.1', recorded))).toBe('old')
  const ahead = sender.seal('machine.1', '3')
  time -= 8_000
  expect(reader.open('machine.1', ahead)).toBe('3')
})

it('numbers may overtake each other within the window, and are taken once', () => {
  const window = new ReplayWindow(1)
  expect([1, 3, 2, 3, 2, 1].map((number) => window.take(number))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  expect([5_000, 3_977, 3_976, 4_999, 4].map((number) => window.take(number))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
})
