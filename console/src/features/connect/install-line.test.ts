import { expect, it } from 'vitest'
import { installLine, parseNetworks } from './install-line.ts'

const url = 'https://busbar.example/api/v1/setup/token'

it('passes the networks on where the shell of the system can', () => {
  expect(installLine('linux', url, '')).toBe(`curl -fsS '${url}' | sudo sh`)
  expect(installLine('docker', url, '192.168.0.0/24，10.1.0.0/16')).toBe(
    `curl -fsS '${url}?system=docker' | sudo sh -s -- --networks 192.168.0.0/24,10.1.0.0/16`,
  )
  expect(installLine('windows', url, '192.168.0.0/24')).toBe(`irm '${url}?system=windows' | iex`)
})

it('puts nothing into the line of a shell that is not a network', () => {
  expect(parseNetworks('192.168.0.0/24; rm -rf /')).toBeUndefined()
  expect(installLine('linux', url, '$(reboot)')).toBe(`curl -fsS '${url}' | sudo sh`)
})
