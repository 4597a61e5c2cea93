import { expect, test } from 'vitest'
import { withoutOrigin } from './target-headers.ts'

const origin = 'http://192.168.0.5'

test.each([
  ['http://192.168.0.5/a?b#c', '/a?b#c'],
  ['http://192.168.0.5:80/a', '/a'],
  ['HTTP://192.168.0.5', '/'],
  ['//192.168.0.5/a', '/a'],
  // Would name another host.
  ['http://192.168.0.5//evil.example/', '/evil.example/'],
  ['http://192.168.0.5:8080/a', 'http://192.168.0.5:8080/a'],
  ['https://192.168.0.5/a', 'https://192.168.0.5/a'],
  ['http://192.168.0.50/a', 'http://192.168.0.50/a'],
  ['http://192.168.0.5@evil.example/', 'http://192.168.0.5@evil.example/'],
  ['next.html', 'next.html'],
  ['/login', '/login'],
  ['http://[', 'http://['],
])('Location %s becomes %s', (location, expected) => {
  expect(withoutOrigin(location, origin)).toBe(expected)
})
