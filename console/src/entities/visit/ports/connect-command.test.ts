import { expect, test } from 'vitest'
import { isLocalPort, openCommand } from './connect-command.ts'

const wish = { code: 'A1B2', port: 'plc', mode: 'rw', localPort: '' } as const

test('the command names device, port, and the local port where one is wished', () => {
  expect(openCommand(wish)).toBe('node busbar-connect.mjs open A1B2 plc --mode rw')
  expect(openCommand({ ...wish, mode: 'ro', localPort: '15020' })).toBe(
    'node busbar-connect.mjs open A1B2 plc:15020 --mode ro',
  )
  expect(openCommand({ ...wish, port: '192.168.0.5:502' })).toContain(' 192.168.0.5:502 ')
})

test('a name that an agent tells cannot end its word in a shell', () => {
  for (const name of ['a"; rm -rf ~', 'a$(rm -rf ~)', 'a`rm`', 'a\nrm', 'a&&rm'])
    expect(openCommand({ ...wish, port: name }), name).toMatch(/ open A1B2 [\w.-]+ --mode rw$/)
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
