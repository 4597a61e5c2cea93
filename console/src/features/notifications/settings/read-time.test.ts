import { expect, test } from 'vitest'
import { readTime } from './read-time.ts'

test('a time of day is read as people type it, and invalid input is refused', () => {
  expect(['', '22:30', '7:05', '2230', '22：30', ' 00:00 '].map(readTime)).toEqual([
    '',
    '22:30',
    '07:05',
    '22:30',
    '22:30',
    '00:00',
  ])
  expect(['24:00', '12:60', 'noon', '7'].map(readTime)).toEqual([undefined, undefined, undefined, undefined])
})
