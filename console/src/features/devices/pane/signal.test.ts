import { expect, it } from 'vitest'
import { signalBars } from './signal.ts'

it.each([
  ['-67 dBm', 4],
  ['-95', 2],
  ['-120', 0],
  ['82', 4],
  ['30 %', 2],
  ['0', 0],
  ['good', null],
])('a signal of %s has %s bars', (signal, bars) => expect(signalBars(signal)).toBe(bars))
