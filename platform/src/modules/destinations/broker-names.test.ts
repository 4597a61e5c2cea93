import { expect, test } from 'vitest'
import { clientIdOf, findClash, type NamedBroker, sparkplugNames } from './broker-names.ts'

const named = (id: number, mqtt: Partial<NamedBroker['mqtt']> = {}, projectId = id): NamedBroker => ({
  ...{ id, projectId, format: 'sparkplug' },
  mqtt: { clientId: '', group: '', edgeNode: '', ...mqtt },
})

test('names are those of the settings, or of the destination and the project', () => {
  expect(clientIdOf(named(7), '-test')).toBe('busbar-7-test')
  expect(clientIdOf(named(7, { clientId: 'mes' }), '')).toBe('mes')
  expect(sparkplugNames(named(7, {}, 3), '-test')).toEqual({ group: 'busbar', edgeNode: 'project-3-test' })
})

test('two destinations clash by a client id or a node, also by one of a test', () => {
  expect(findClash(named(1), named(2))).toBeUndefined()
  expect(findClash(named(1, {}, 3), named(2, {}, 3))).toBe('edgeNode')
  expect(findClash(named(1, { edgeNode: 'line' }), named(2, { edgeNode: 'line-test' }))).toBe('edgeNode')
  expect(findClash(named(1, { edgeNode: 'line-replay' }), named(2, { edgeNode: 'line' }))).toBe('edgeNode')
  expect(findClash(named(1, { edgeNode: 'l', group: 'a' }), named(2, { edgeNode: 'l' }))).toBeUndefined()
  expect(findClash(named(1, { clientId: 'busbar-2' }), named(2))).toBe('clientId')
  const json = { ...named(1, {}, 3), format: 'json' as const }
  expect(findClash(json, named(2, {}, 3))).toBeUndefined()
})
