import { accounts, machines, routes } from '@busbar/contract'
import { expect, it } from 'vitest'
import { contractSource } from './contract-without-zod.ts'

it('gives the console every route by method and path, and no schema', () => {
  const source = contractSource()
  expect(source).not.toMatch(/zod|request|_def/)
  expect(source).toContain(
    `"login":${JSON.stringify({ method: accounts.login.method, path: accounts.login.path })}`,
  )
  for (const { path } of routes) expect(source).toContain(JSON.stringify(path))
})

it('keeps plain constants', () => {
  expect(contractSource()).toContain(JSON.stringify(machines.limitAuthority))
})
