import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../..')

/** All reasons of `right_changes`: each changes a person's rights, or ends a session. */
const rights = [
  'added',
  'alarms',
  'bkey',
  'blacklisted',
  'brandArchived',
  'checkType',
  'cloud',
  'elsewhere',
  'enterprise',
  'gone',
  'granted',
  'invited',
  'leaving',
  'left',
  'locked',
  'logout',
  'lowered',
  'maintenance',
  'member',
  'owner',
  'password',
  'passwordChanged',
  'project',
  'readOnly',
  'removed',
  'secretReset',
  'stays',
  'team',
  'terminalRemoved',
  'transferred',
  'unblacklisted',
  'visitTime',
]

/** The texts after `reason:` in calls that write a change, and in the table of facts. */
function reasonsIn(text: string): string[] {
  if (!/right-changes\.ts'/.test(text)) return []
  // The reason of a refused line of a list is not the reason of a change.
  const given = [...text.matchAll(/(?<!line, )reason: (?:\w+ === '\w+' \? '(\w+)' : )?'(\w+)'/g)]
  const listed = [...text.matchAll(/(?<![.\w])(?:all|recordRightChangesOf)\([^;']*'(\w+)',?\s*\)/g)]
  return [...given, ...listed].flatMap(([, ...reasons]) => reasons.filter((reason) => reason !== undefined))
}

test('changes of rights have reasons of rights only, not visits or languages', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/\.test\.ts$|migrations/.test(file))
  const told = new Set(files.flatMap((file) => reasonsIn(readFileSync(path.join(src, file), 'utf8'))))
  expect([...told].filter((reason) => !rights.includes(reason))).toEqual([])
  expect(told.size).toBeGreaterThan(20)
})

test('a reason that is not about rights is found', () => {
  const line =
    "import { recordRightChange } from './right-changes.ts'\nrecord(trx, { userId, reason: 'visit' })"
  expect(reasonsIn(line)).toEqual(['visit'])
})
