import { demoMachineCode } from '@busbar/contract'
import { expect, test } from 'vitest'
import { CommandError } from './command.ts'
import { machineCreateCommand } from './machine-commands.ts'
import { userCreateCommand, userPasswordCommand } from './user-commands.ts'

const account = ['--account', 'person@example.test']

test.each([
  ['a name of 21 characters', machineCreateCommand, ['--name', 'x'.repeat(21)]],
  ['a name of spaces', machineCreateCommand, ['--name', '  ']],
  ['the demo machine’s code', machineCreateCommand, ['--name', 'Press', '--code', demoMachineCode]],
  [
    'a machine password everybody tries first',
    machineCreateCommand,
    ['--name', 'P', '--password', 'Password1'],
  ],
  ['a person’s name of one character', userCreateCommand, [...account, '--name', 'M']],
  ['a person’s name of 11 characters', userCreateCommand, [...account, '--name', 'x'.repeat(11)]],
  ['a person’s name with a tag in it', userCreateCommand, [...account, '--name', '<b>Ming']],
  [
    'a password everybody tries first',
    userCreateCommand,
    [...account, '--name', 'Ming', '--password', '123456'],
  ],
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
