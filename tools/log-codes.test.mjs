import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLogCalls, logName, readListedNames, readLogCalls } from './log-codes.mjs'

const guide = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')

/** @param {readonly { isProblem: boolean, names: string[] }[]} calls */
const problemsOf = (calls) => [
  ...new Set(calls.filter(({ isProblem }) => isProblem).flatMap(({ names }) => names)),
]

test.each([
  { workspace: /** @type {const} */ ('platform'), heading: 'Warnings and errors of the platform' },
  { workspace: /** @type {const} */ ('agent'), heading: 'Warnings and errors of the agent' },
])(
  'docs/operations.md lists each warning and error of the $workspace once, and no others',
  ({ workspace, heading }) => {
    const calls = readLogCalls(workspace)
    expect(calls.flatMap(({ names }) => names).filter((name) => !logName.test(name))).toEqual([])
    expect(readListedNames(guide, heading).sort()).toEqual(problemsOf(calls).sort())
  },
)

test('names of lines are found at every level, and of both branches of a condition', () => {
  const source = `
    logger.warn({ err, part: 'a b' }, 'part.stopLate')
    this.#log
      .error({ err }, 'tail.flushFailed')
    once.error(
      { err: error, of: nameOf('x.y') },
      'request.failed',
      kindOf(error),
    )
    this.#host.log(level, { why: \`0x\${code}\` }, 'connection.ended')
    log('info', 'agent.started')
    log('warn', isRefused ? 'tunnel.refused' : 'tunnel.closed', { reason })
    log(reason === '' ? 'info' : 'warn', reason === '' ? 'remote.applied' : 'remote.rolledBack')
    console.error('There is no such command')
  `
  const calls = findLogCalls(source)
  expect(problemsOf(calls)).toEqual([
    'part.stopLate',
    'tail.flushFailed',
    'request.failed',
    'connection.ended',
    'tunnel.refused',
    'tunnel.closed',
    'remote.applied',
    'remote.rolledBack',
  ])
  expect(calls.flatMap(({ names }) => names)).toContain('agent.started')
})

test('a sentence is not a valid name of a line', () => {
  for (const name of ['presence could not be written', 'frames.push.failed', 'opcua.node-refused', 'stopped'])
    expect(logName.test(name), name).toBe(false)
})

test('the names in the first column of a section are read, and none of the next section', () => {
  const text =
    '\n### Lines\n\n| a | b |\n| `x.y`, `y.y` | c `z.z` |\n\n#### More\n\n| `x.z` |\n\n## Others\n\n| `q.r` |\n'
  expect(readListedNames(text, 'Lines')).toEqual(['x.y', 'y.y', 'x.z'])
})
