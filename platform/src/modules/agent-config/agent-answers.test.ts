import { expect, it } from 'vitest'
import { stateAnswer } from './agent-answers.ts'

it('a reason loses the NUL that PostgreSQL cannot hold', () => {
  const ended = [{ revision: 1, id: 'a', at: 0, result: 'rolledBack', reason: 'no values\0 from press' }]
  const answer = { revision: 1, kinds: [], networks: [], connections: [], trial: null, ended }
  expect(stateAnswer.parse(answer).ended.map(({ reason }) => reason)).toEqual(['no values from press'])
})
