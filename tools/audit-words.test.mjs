import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { account as cn } from '../console/src/shared/i18n/cn/account.ts'
import { account as en } from '../console/src/shared/i18n/en/account.ts'

const modules = join(import.meta.dirname, '../platform/src/modules')
const nouns =
  'annotation|board|brand|data|enterprise|fact|job|machine|machineType|node|operator|outbox|picture|project|report|reportingServer|scada|sms|user|view'
// A log line has such a name as well, but it is the last argument.
const action = new RegExp(`'((?:${nouns})\\.[a-zA-Z.]+)'(?!\\))`, 'g')

/** The actions that a file writes into the audit log. Those of facts are put together of parts. */
function actionsIn(/** @type {string} */ source) {
  if (!/\b(auditAct|noteAct|writeAudit)\(/.test(source)) return []
  return [...source.matchAll(action)].map(([, name = '']) => name)
}

test('the operator’s audit log showed board.create in place of words', () => {
  const files = globSync('**/*.ts', { cwd: modules }).filter((file) => !/\.test\.|follow-facts/.test(file))
  const actions = new Set(files.flatMap((file) => actionsIn(readFileSync(join(modules, file), 'utf8'))))
  expect(actions.size).toBeGreaterThan(50)
  for (const { actions: words } of [cn.safety, en.safety])
    expect([...actions].filter((name) => words[name] === undefined)).toEqual([])
})
