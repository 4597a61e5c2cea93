import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../..')
const writes =
  /(insert into|insertInto\('|delete from|deleteFrom\('|update|updateTable\(')\s*right_changes\b/i

test('changes of rights are written by one file, which wakes their followers', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter(
    (file) => !/\.test\.ts$|\/testing\/|migrations\//.test(file),
  )
  const writers = files.filter((file) => writes.test(readFileSync(path.join(src, file), 'utf8')))
  expect(writers).toEqual([path.join('kernel', 'rights', 'right-changes.ts')])
})
