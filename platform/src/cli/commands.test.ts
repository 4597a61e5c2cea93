import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoMachineCode } from '@busbar/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CommandError } from './command.ts'
import { machineCreateCommand } from './machine-commands.ts'
import { operatorCreateCommand } from './operator-commands.ts'
import { userCreateCommand, userPasswordCommand } from './user-commands.ts'
import { withDatabase } from './with-database.ts'

const account = ['--account', 'person@example.test']

test.each([
  ['a name of 21 wide characters', machineCreateCommand, ['--name', '机'.repeat(21)]],
  ['a name with markup', machineCreateCommand, ['--name', 'Press <1>']],
  ['a name of spaces', machineCreateCommand, ['--name', '  ']],
  ['the demo machine’s code', machineCreateCommand, ['--name', 'Press', '--code', demoMachineCode]],
  [
    'a code that people get who register a machine themselves',
    machineCreateCommand,
    ['--name', 'Press', '--code', '0100000000000000000'],
  ],
  [
    'a machine password everybody tries first',
    machineCreateCommand,
    ['--name', 'P', '--password', 'Password1'],
  ],
  ['a person’s name of one character', userCreateCommand, [...account, '--name', 'M']],
  ['a person’s name of 11 wide characters', userCreateCommand, [...account, '--name', '王'.repeat(11)]],
  ['a person’s name with a tag in it', userCreateCommand, [...account, '--name', '<b>Ming']],
  [
    'a password everybody tries first',
    userCreateCommand,
    [...account, '--name', 'Ming', '--password', '123456'],
  ],
  ['an operator without an account', operatorCreateCommand, ['--name', 'Ming']],
  ['a common password for another', userPasswordCommand, [...account, '--password', 'QWERTY123']],
])('refuses %s before anything is opened', (_, command, args) => {
  expect(() => command.prepare(args)).toThrow(CommandError)
})

test.each([
  [machineCreateCommand, ['--name', '👩‍👩‍👧'.repeat(20)]],
  [userCreateCommand, [...account, '--name', '林 昭', '--password', 'correct horse']],
])('takes what is within the limits', (command, args) => {
  expect(command.prepare(args)).toBeTypeOf('function')
})

test('a command for a database that is elsewhere names the folder it searched, and creates no database there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-commands-'))
  const dataDir = join(folder, 'data')
  vi.stubEnv('DATA_DIR', dataDir)
  vi.stubEnv('DATABASE_URL', undefined)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  const failure = await withDatabase(async () => {}, { makesDatabase: false }).catch((error) => error)
  expect(failure).toBeInstanceOf(CommandError)
  expect(failure.message).toContain(dataDir)
  expect(existsSync(dataDir)).toBe(false)
})
