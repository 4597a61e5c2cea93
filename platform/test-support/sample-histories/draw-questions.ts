import type { Random } from '../histories/random.ts'
import type { Question } from './sample-answers.ts'
import type { ModelTag } from './sample-model.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const aggregates = [
  'raw',
  'auto',
  'auto',
  'avg',
  'min',
  'max',
  'sum',
  'delta',
  'count',
  'first',
  'last',
] as const
const spans = [
  secondMs,
  minuteMs,
  10 * minuteMs,
  hourMs,
  3 * hourMs,
  dayMs,
  4 * dayMs,
  30 * dayMs,
  450 * dayMs,
] as const
const intervals = [
  secondMs,
  minuteMs,
  150 * secondMs,
  5 * minuteMs,
  hourMs,
  4 * hourMs,
  dayMs,
  30 * dayMs,
] as const

/** Draws a question about the history of tags: often at the full minute, hour or day, often across empty spans. */
export function drawQuestion(random: Random, tags: readonly ModelTag[], now: number): Question {
  const some = tags.filter(() => random.chance(0.4))
  const about = random.pickAny(random.pickAny(some)?.sorted() ?? [])?.at ?? now
  const span = random.chance(0.5) ? random.pick(spans) : 1 + random.below(random.pick(spans))
  const unit = random.pick([1, 1, secondMs, minuteMs, hourMs, dayMs])
  const start = random.chance(0.3) ? now - span : about - random.below(span + 1)
  const from = start - (start % unit)
  const to = from + Math.max(1, span)
  const way = random.next()
  const question = { tags: some, from, to, agg: random.pick(aggregates) }
  // Few points of long intervals: states are answered by their changes.
  if (question.agg === 'auto' && random.chance(0.5))
    return {
      ...question,
      points: 20 + random.below(300),
      intervalMs: random.pick([hourMs, dayMs, 30 * dayMs]),
    }
  if (way < 0.4) return { ...question, points: 1 + random.below(400), intervalMs: undefined }
  if (way < 0.6) return { ...question, points: undefined, intervalMs: undefined }
  const intervalMs = random.chance(0.7) ? random.pick(intervals) : 1 + random.below(2 * hourMs)
  return { ...question, points: random.chance(0.5) ? undefined : 1 + random.below(50), intervalMs }
}
