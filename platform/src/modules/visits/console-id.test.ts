import { expect, test } from 'vitest'
import { addFrom, consoleIdOf, removeFrom } from './console-id.ts'

const id = consoleIdOf('cloud.delta.example')
const other = consoleIdOf('delta.example')

test.each(['/', '/a', '/a?x=1', '/a?from=2026-01-01', '/a?x=/b&from=console', '/a?from=console-1'])(
  'the mark added to %s is removed again, and nothing else',
  (url) => {
    expect(addFrom(url, id)).toContain(`from=${id}`)
    expect(removeFrom(addFrom(url, id))).toBe(url)
    expect(removeFrom(url)).toBe(url)
    expect(addFrom(url, undefined)).toBe(url)
  },
)

test.each([
  [`/a?from=${id}&x=1`, '/a?x=1'],
  [`/a?from=${id}&from=${other}&x=1`, '/a?x=1'],
  [`/a?from=${id}&from=${other}`, '/a'],
  [`/a?x=1&from=${id}&y=2`, '/a?x=1&y=2'],
  [`http://h/a?from=${id}#part`, 'http://h/a#part'],
  // A machine's own.
  [`/a?from=${id}0`, `/a?from=${id}0`],
  [`/a?from=${id}-x`, `/a?from=${id}-x`],
  [`/a?xfrom=${id}`, `/a?xfrom=${id}`],
])('%s becomes %s', (text, wanted) => {
  expect(removeFrom(text)).toBe(wanted)
})
