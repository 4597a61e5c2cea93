import { accounts, machines, routes } from '@busbar/contract'
import { expect, it } from 'vitest'
import { contractSource, listNouns, nounSource } from './contract-without-zod.ts'

const names = [...listNouns().keys()]
const nouns = names.map(nounSource).join('\n')

it('gives the console every route by method and path, and no schema', () => {
  expect(nouns).not.toMatch(/zod|"request"|_def/)
  expect(nouns).toContain(
    `"login":${JSON.stringify({ method: accounts.login.method, path: accounts.login.path })}`,
  )
  for (const { path } of routes) expect(nouns).toContain(JSON.stringify(path))
})

it('leads to every noun, each a module of its own', () => {
  for (const name of names) expect(contractSource()).toContain(`export { ${name} } from`)
})

it('keeps plain constants', () => {
  expect(nouns).toContain(JSON.stringify(machines.limitAuthority))
})

it('drops no function: a noun has none, those stand in files the console gets as they are', () => {
  for (const [name, noun] of listNouns())
    for (const [key, value] of Object.entries(noun))
      expect(typeof value, `${name}.${key}`).not.toBe('function')
})
