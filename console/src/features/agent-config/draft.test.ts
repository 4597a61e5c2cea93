import { expect, test } from 'vitest'
import { connectionOf, valuesOf } from './connection-values.ts'
import { type Connection, freeName, renamed, tagsOf, toggleNode, toggleRegister } from './draft.ts'

const node = {
  nodeId: 'ns=2;s=Speed',
  name: 'Speed',
  isVariable: true,
  hasChildren: false,
  type: 'float64',
  isReadable: true,
  isWritable: false,
  value: '4.5',
}
const plc: Connection = { name: 'plc', driver: 'opcua', url: 'opc.tcp://10.0.0.1:4840', tags: [] }

test('a ticked node becomes a variable in the group of its connection, and goes when it is ticked again', () => {
  const chosen = toggleNode(plc, node)
  expect(tagsOf(chosen)).toEqual([{ name: 'Speed', group: 'plc', nodeId: 'ns=2;s=Speed', type: 'float64' }])
  expect(tagsOf(toggleNode(chosen, node))).toEqual([])
})

test('names that the agent would refuse are made free ones', () => {
  expect(freeName('a/b', 'plc', [])).toBe('a_b')
  expect(freeName('Speed', 'plc', tagsOf(toggleNode(plc, node)))).toBe('Speed 2')
  expect(freeName('', 'plc', [])).toBe('tag')
})

test('a register is chosen in one order of its words, and in another as another variable', () => {
  const at = { address: 'holding:4', type: 'float32' }
  const once = toggleRegister({ ...plc }, { ...at, wordOrder: 'ABCD' })
  const twice = toggleRegister(once, { ...at, wordOrder: 'CDAB' })
  expect(tagsOf(twice).map((tag) => [tag.name, tag.wordOrder])).toEqual([
    ['holding 4', 'ABCD'],
    ['holding 4 2', 'CDAB'],
  ])
})

test('a form keeps fields that it does not show, and variables follow a new name', () => {
  const before = { ...toggleNode(plc, node), security: 'none', samplingIntervalMs: 500 }
  const next = connectionOf({ ...valuesOf(before, 'opcua'), name: 'press' }, before)
  expect(next).toMatchObject({ name: 'press', samplingIntervalMs: 500, security: 'none' })
  expect(next).not.toHaveProperty('trust')
  expect(tagsOf(renamed(next, 'plc'))).toMatchObject([{ group: 'press' }])
})

test('another driver begins without the variables of the former one', () => {
  const values = { ...valuesOf(plc, 'opcua'), driver: 'modbus-tcp', host: '10.0.0.2' }
  expect(connectionOf(values, toggleNode(plc, node))).toEqual({
    driver: 'modbus-tcp',
    name: 'plc',
    host: '10.0.0.2',
    port: 502,
    unit: 1,
    wordOrder: 'ABCD',
    pollIntervalMs: 1_000,
    tags: [],
  })
})

test('the settings of a line are written where they are set, and come back in the form; older agents do not know them', () => {
  const values = { ...valuesOf(undefined, 'modbus-tcp'), name: 'press', host: '10.0.0.9' }
  expect(Object.keys(connectionOf(values, undefined))).not.toContain('closeAfterPoll')
  const set = { pauseMs: '50', closeAfterPoll: 'true', transactionIds: 'ignore' }
  const connection = connectionOf({ ...values, ...set }, undefined)
  expect(connection).toMatchObject({ pauseMs: 50, closeAfterPoll: true, transactionIds: 'ignore' })
  expect(valuesOf(connection, 'modbus-tcp')).toMatchObject(set)
})
