import { expect, test } from 'vitest'
import { projectLimits } from './project-limits.ts'
import { fillTopic, findTopicFault } from './topic-pattern.ts'

test.each([
  ['', 1, 'empty', ''],
  ['factory/#', 9, 'character', '#'],
  ['factory/+/rows', 9, 'character', '+'],
  ['factory\0', 8, 'character', '\0'],
  ['a\nb', 2, 'character', '\n'],
  ['a/{machine}', 3, 'part', '{machine}'],
  ['a/{machineCode', 3, 'part', '{'],
  ['a/}', 3, 'part', '}'],
  ['x'.repeat(projectLimits.topicMax + 1), projectLimits.topicMax + 1, 'tooLong', 'x'],
])('the fault of %j is at %i: %s', (pattern, at, problem, found) => {
  expect(findTopicFault(pattern)).toEqual({ at, problem, found })
})

test.each(['a', '/a//b', '注塑/{machineName}', '{projectId}{group}', 'x'.repeat(projectLimits.topicMax)])(
  '%j is a topic pattern',
  (pattern) => {
    expect(findTopicFault(pattern)).toBeUndefined()
  },
)

test('a word of a row is one level of its topic', () => {
  const words = { projectId: '7', machineCode: 'A1', machineName: '$SYS/#', group: 'a+b/c\0' }
  expect(fillTopic('{machineName}/{group}/{machineCode}/{projectId}/x', words)).toBe('_SYS__/a_b_c_/A1/7/x')
})
