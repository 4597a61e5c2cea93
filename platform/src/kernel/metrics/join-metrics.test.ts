import { expect, test } from 'vitest'
import { Histogram } from './histogram.ts'
import { joinMetrics } from './join-metrics.ts'
import { gauge, histogram, queueLength } from './metric.ts'

test('families of one name become one, where the first of them was', () => {
  const joined = joinMetrics([queueLength('a', 1), gauge('b', 'b', 2), queueLength('c', 3)])
  expect(joined.map(({ name }) => name)).toEqual(['busbar_queue_length', 'b'])
  expect(joined[0]).toMatchObject({
    samples: [
      { labels: { queue: 'a' }, value: 1 },
      { labels: { queue: 'c' }, value: 3 },
    ],
  })
})

test('a name with two types is a mistake', () => {
  expect(() => joinMetrics([gauge('a', 'a', 1), histogram('a', 'a', new Histogram())])).toThrow('two types')
})
