import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { buildOpcUaConnection, createTestFolder } from '../../testing/opcua-client.ts'
import type { TestOpcUaServer } from '../../testing/opcua-server.ts'
import { startOpcUaServer, testNamespace } from '../../testing/opcua-server.ts'
import { browsedNodesMax } from '../explorer.ts'
import { createOpcUaExplorer } from './opcua-explorer.ts'

let server: TestOpcUaServer
beforeAll(async () => {
  server = await startOpcUaServer()
})
afterAll(() => server.close())

async function openExplorer(url = server.url) {
  const stateFolder = await createTestFolder()
  const explorer = createOpcUaExplorer(buildOpcUaConnection({ url, timeoutMs: 5_000 }), {
    clock: systemClock,
    log: () => undefined,
    random: Math.random,
    configFolder: stateFolder,
    stateFolder,
  })
  onTestFinished(() => explorer.close())
  return explorer
}

const plant = `nsu=${testNamespace};s=Plant`

test('nodes are shown with class, type, access and value, and with ids that a configuration takes', async () => {
  server.add('Level', 'Double', 1.5, { accessLevel: 'CurrentRead', userAccessLevel: 'CurrentRead' })
  server.add('Count', 'Int64', [0, 7])
  server.add('Curve', 'Double', [1, 2], { valueRank: 1, arrayDimensions: [2] })
  const explorer = await openExplorer()
  const root = await explorer.browse?.()
  expect(root?.nodes.find(({ name }) => name === 'Plant')).toEqual({
    nodeId: plant,
    name: 'Plant',
    kind: 'object',
    isVariable: false,
    hasChildren: true,
    type: null,
    isReadable: false,
    isWritable: false,
    value: null,
  })
  const page = await explorer.browse?.(plant)
  expect(page?.continuation).toBeNull()
  const variable = { kind: 'variable', isVariable: true, hasChildren: false, isReadable: true }
  expect(page?.nodes).toEqual([
    {
      ...variable,
      nodeId: `nsu=${testNamespace};s=Level`,
      name: 'Level',
      type: 'float64',
      isWritable: false,
      value: 1.5,
    },
    {
      ...variable,
      nodeId: `nsu=${testNamespace};s=Count`,
      name: 'Count',
      type: 'int64',
      isWritable: true,
      value: 7n,
    },
    {
      ...variable,
      nodeId: `nsu=${testNamespace};s=Curve`,
      name: 'Curve',
      type: null,
      isWritable: true,
      value: null,
    },
  ])
})

test('many nodes come in pages, each node once', async () => {
  const count = browsedNodesMax + 50
  for (let index = 0; index < count; index++) server.add(`many ${index}`, 'Int32', index)
  const explorer = await openExplorer()
  const first = await explorer.browse?.(plant)
  expect(first?.nodes).toHaveLength(browsedNodesMax)
  const second = await explorer.browse?.(plant, first?.continuation ?? '')
  expect(second?.continuation).toBeNull()
  const names = [...(first?.nodes ?? []), ...(second?.nodes ?? [])].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => name.startsWith('many'))).toHaveLength(count)
})

test('a missing node and an unreachable server are explained', async () => {
  const explorer = await openExplorer()
  await expect(explorer.browse?.(`nsu=${testNamespace};s=None`)).rejects.toThrow('BadNodeIdUnknown')
  await expect(explorer.browse?.('nsu=urn:nowhere;s=x')).rejects.toThrow('is no node of this server')
  await expect(explorer.browse?.('rubbish')).rejects.toThrow('is no node of this server')
  const away = await openExplorer('opc.tcp://127.0.0.1:1')
  await expect(away.browse?.()).rejects.toThrow('nobody listens there')
})
