import { expect, test } from 'vitest'
import { exampleLanguages, exampleOf, exampleTasks } from './examples.ts'

const place = { address: 'https://weber.example', broker: 'mqtts://weber.example:18883', projectId: 12 }

test('every task has a program in every language', () => {
  const files = exampleTasks.flatMap((task) =>
    exampleLanguages.map((language) => exampleOf(task, language, place).file),
  )
  expect(new Set(files).size).toBe(exampleTasks.length * exampleLanguages.length)
})

test('a program names the project and the platform, and no longer those of the file', () => {
  for (const task of exampleTasks)
    for (const language of exampleLanguages)
      expect(exampleOf(task, language, place).text).not.toMatch(/cloud\.example\.com|4711/)
  expect(exampleOf('pull', 'py', place).text).toContain('os.environ.get("BUSBAR_PROJECT", "12")')
  expect(exampleOf('pull', 'py', place).text).toContain('"https://weber.example"')
  expect(exampleOf('subscribe', 'ts', place).text).toContain("'mqtts://weber.example:18883'")
})

test('without a project the number of the file stays', () => {
  const { projectId: _, ...anyProject } = place
  expect(exampleOf('pull', 'sh', anyProject).text).toContain('4711')
})
