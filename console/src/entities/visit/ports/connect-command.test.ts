import { expect, test } from 'vitest'
import { guessSystem, isLocalPort, openCommand, signInCommand } from './connect-command.ts'

const wish = { code: 'A1B2', port: 'plc', mode: 'rw', localPort: '' } as const

test('the command names device, port, and the local port where one is wished', () => {
  expect(openCommand('any', wish)).toBe('node busbar-connect.mjs open A1B2 plc --mode rw')
  expect(openCommand('any', { ...wish, mode: 'ro', localPort: '15020' })).toBe(
    'node busbar-connect.mjs open A1B2 plc:15020 --mode ro',
  )
  expect(openCommand('any', { ...wish, port: '192.168.0.5:502' })).toContain(' 192.168.0.5:502 ')
})

test.for([
  ['any', 'node busbar-connect.mjs'],
  ['windows-x64', '.\\busbar-connect'],
  ['macos-arm64', './busbar-connect'],
  ['linux-x64', './busbar-connect'],
] as const)('the program for %s is started by %s', ([system, start]) => {
  expect(openCommand(system, wish)).toBe(`${start} open A1B2 plc --mode rw`)
  expect(signInCommand(system, 'https://busbar.example')).toBe(
    `${start} login --server https://busbar.example`,
  )
})

test('the system is that of the browser where the platform has it, else the first of the list', () => {
  const all = ['any', 'windows-x64', 'macos-arm64', 'linux-x64']
  expect(guessSystem('Mozilla/5.0 (Windows NT 10.0; Win64; x64)', all)).toBe('windows-x64')
  expect(guessSystem('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', all)).toBe('macos-arm64')
  expect(guessSystem('Mozilla/5.0 (X11; Linux x86_64)', all)).toBe('linux-x64')
  expect(guessSystem('Mozilla/5.0 (Windows NT 10.0; Win64; x64)', ['any'])).toBe('any')
  expect(guessSystem('', [])).toBe('any')
})

test('a name that an agent tells cannot end its word in a shell', () => {
  for (const name of ['a"; rm -rf ~', 'a$(rm -rf ~)', 'a`rm`', 'a\nrm', 'a&&rm'])
    expect(openCommand('any', { ...wish, port: name }), name).toMatch(/ open A1B2 [\w.-]+ --mode rw$/)
})

test.for([
  ['', true],
  ['1', true],
  ['65535', true],
  ['0', false],
  ['65536', false],
  ['5o2', false],
  ['-1', false],
] as const)('local port “%s”: %s', ([text, isRight]) => {
  expect(isLocalPort(text)).toBe(isRight)
})
