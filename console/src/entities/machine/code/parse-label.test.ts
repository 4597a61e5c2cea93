import { describe, expect, it } from 'vitest'
import { parseLabel } from './parse-label.ts'

const code = '3020882951040806714'

describe('a scanned label', () => {
  it.each([
    ['a bare code', code],
    ['a code as it is printed', '3020 8829 5104 0806 714'],
    ['a URL with it in the path', `https://cloud.example/m/${code}`],
    ['a URL with it in the query', `https://cloud.example/add?code=${code}&lang=cn`],
    ['a URL that names it twice', `https://cloud.example/${code}?code=${code}`],
  ])('names the machine: %s', (_, text) => {
    expect(parseLabel(text)).toBe(code)
  })

  it.each([
    ['another number', '12345'],
    ['a longer number that contains one', `${code}5`],
    ['two machines', `https://x.example/${code}?other=3020882951040806715`],
    ['a text', 'https://cloud.example/m/'],
    ['nothing', ''],
    ['a book', `${'a'.repeat(5_000)}${code}`],
  ])('names none: %s', (_, text) => {
    expect(parseLabel(text)).toBeUndefined()
  })
})
