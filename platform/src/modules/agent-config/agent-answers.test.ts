import { expect, it } from 'vitest'
import { stateAnswer } from './agent-answers.ts'

it('a NUL in the reason or the id of a change, which PostgreSQL cannot hold, failed every look at the drivers', () => {
  const ended = [{ revision: 1, id: 'a\0b', at: 0, result: 'rolledBack', reason: 'no values\0 from press' }]
  const answer = { revision: 1, kinds: [], networks: [], connections: [], trial: null, ended }
  expect(stateAnswer.parse(answer).ended).toMatchObject([{ id: 'ab', reason: 'no values from press' }])
})
