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

it('leads to every noun, each in a separate module', () => {
  for (const name of names) expect(contractSource()).toContain(`export { ${name} } from`)
})

it('gives forms only the rules of fields that a person types', () => {
  const rules = JSON.stringify(rulesOf(enterprises.createGroup).name)
  expect(nouns).toContain(`"rules":{"name":${rules}}`)
  expect(nouns).not.toMatch(/"rules":\{[^}]*"(page|terminalID|token|eid)"/)
})

it('keeps plain constants', () => {
  expect(nouns).toContain(JSON.stringify(machines.limitAuthority))
})

it('drops no function: functions stand in files that the console gets unchanged', () => {
  for (const [name, noun] of listNouns())
    for (const [key, value] of Object.entries(noun))
      expect(typeof value, `${name}.${key}`).not.toBe('function')
})
