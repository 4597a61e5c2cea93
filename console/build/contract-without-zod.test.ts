import { accounts, enterprises, machines, routes, rulesOf } from '@busbar/contract'
import { expect, it } from 'vitest'
import { contractSource, listNouns, nounSource } from './contract-without-zod.ts'

const names = [...listNouns().keys()]
const nouns = names.map(nounSource).join('\n')

it('gives the console every route by method and path, and no schema', () => {
  expect(nouns).not.toMatch(/zod|"request"|_def|"innerType"|"checks"/)
  const { method, path } = accounts.listTerminals
  expect(nouns).toContain(`"listTerminals":${JSON.stringify({ method, path })}`)
  for (const { path } of routes) expect(nouns).toContain(JSON.stringify(path))
})

it('leads to every noun, each a module of its own', () => {
  for (const name of names) expect(contractSource()).toContain(`export { ${name} } from`)
})

it('gives forms the rules of what a person types, and of nothing else', () => {
  const rules = JSON.stringify(rulesOf(enterprises.createGroup).name)
  expect(nouns).toContain(`"rules":{"name":${rules}}`)
  expect(nouns).not.toMatch(/"rules":\{[^}]*"(page|terminalID|token|eid)"/)
})

it('keeps plain constants', () => {
  expect(nouns).toContain(JSON.stringify(machines.limitAuthority))
})

it('drops no function: a noun has none, those stand in files the console gets as they are', () => {
  for (const [name, noun] of listNouns())
    for (const [key, value] of Object.entries(noun))
      expect(typeof value, `${name}.${key}`).not.toBe('function')
})
