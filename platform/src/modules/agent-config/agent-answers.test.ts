import { expect, it } from 'vitest'
import { documentAnswer, nodesAnswer, problemsAnswer, stateAnswer } from './agent-answers.ts'

it('a NUL in the reason or the id of a change, which PostgreSQL cannot hold, failed every look at the drivers', () => {
  const ended = [{ revision: 1, id: 'a\0b', at: 0, result: 'rolledBack', reason: 'no values\0 from press' }]
  const answer = { revision: 1, kinds: [], networks: [], connections: [], trial: null, ended }
  expect(stateAnswer.parse(answer).ended).toMatchObject([{ id: 'ab', reason: 'no values from press' }])
})

it('no text of an agent turns the direction of others, and ids go back as they came', () => {
  const turned = 'a\u202eb\0\u2066c'
  const state = {
    revision: 1,
    kinds: [{ kind: turned, explore: 'none' }],
    networks: [turned],
    connections: [{ name: turned, driver: turned, remote: true, tags: 0, state: 'online' }],
    trial: { revision: 2, id: turned, at: 0, isTold: false, waitsFor: [turned] },
    ended: [{ revision: 1, id: turned, at: 0, result: 'applied', reason: turned }],
  }
  const node = { nodeId: turned, name: turned, type: turned, value: turned }
  const flags = { isVariable: true, hasChildren: false, isReadable: true, isWritable: false }
  const { nodes, continuation } = nodesAnswer.parse({ nodes: [{ ...node, ...flags }], continuation: turned })
  const said = [
    stateAnswer.parse(state),
    documentAnswer.parse({ connections: [{ name: turned, tags: [{ name: turned, note: turned }] }] }),
    problemsAnswer.parse({ problems: [{ path: turned, message: turned }] }),
    nodes.map(({ nodeId, ...rest }) => rest),
  ]
  expect(JSON.stringify(said)).not.toMatch(/\\u0000|\p{Bidi_Control}/u)
  expect(JSON.stringify(said)).toContain('"abc"')
  expect([nodes[0]?.nodeId, continuation]).toEqual([turned, turned])
})
