import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bodyBytesMaxOf, routes } from '@busbar/contract'
import { expect, test } from 'vitest'
import { writeGenerated } from './operations-text.ts'

test('a limit on bodies was missing in the table of limits', async () => {
  const document = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8')
  const rows = document.split('\n').filter((line) => line.startsWith('| body of an '))
  const told = rows.map((row) => /(\d+) (kB|MB) *\|$/.exec(row)).map((size) => `${size?.[1]} ${size?.[2]}`)
  // An upload has the length of its file, which is a row of its own, and the form around it.
  const declared = routes.filter(({ multipart }) => !multipart).map(bodyBytesMaxOf)
  const sizes = [...new Set(declared)].sort((one, other) => one - other)
  const size = (bytes: number) => (bytes < 1_048_576 ? `${bytes / 1024} kB` : `${bytes / 1_048_576} MB`)
  expect(told).toEqual(sizes.map(size))
})

test('the sizing said 72 bytes a value where 1 was measured', async () => {
  const root = join(import.meta.dirname, '..', '..')
  const document = await readFile(join(root, 'docs', 'operations.md'), 'utf8')
  const results = await readFile(join(root, 'bench', 'RESULTS.md'), 'utf8')
  const [, bytes] = /^\| bytes a sample with indexes and averages +\| ([\d.]+) /m.exec(results) ?? []
  expect(writeGenerated(document, results)).toContain(`A value takes ${bytes} bytes on disk`)
  const dearer = results.replace(/^(?<head>\| bytes a sample [^|]+\| )[\d.]+/m, '$<head>72.5')
  expect(writeGenerated(document, dearer)).toContain('A value takes 72.5 bytes on disk')
  expect(() => writeGenerated(document, results.replace('bytes a sample', 'bytes of a sample'))).toThrow(
    'bytes a sample with indexes and averages',
  )
})
