import { z } from 'zod'
import { id, instant, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const tagTypes = ['bool', 'int64', 'float64', 'string'] as const
export type TagType = (typeof tagTypes)[number]

export const qualities = ['good', 'stale', 'bad', 'uncertain'] as const
export type Quality = (typeof qualities)[number]

/** A value on the wire; int64 beyond 2^53 is a string of digits, bad quality may have none (decision 43). */
export const tagValue = z.union([z.boolean(), z.number(), z.string(), z.null()])
export type TagValue = z.output<typeof tagValue>

const tag = z.object({
  tagId: id,
  group: z.string(),
  tag: z.string().describe("The machine's own name for it"),
  name: z.string().describe("What a person reads, in the caller's language where the machine gives several"),
  type: z.enum(tagTypes),
  unit: z.string(),
  scale: z.int().nullable().describe('Decimal places; null: as they come'),
  readOnly: z.boolean(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  enum: z.record(z.string(), z.string()).optional(),
  lastAt: instant.nullable(),
})
export type Tag = z.output<typeof tag>

export const listTags = route({
  method: 'GET',
  path: '/api/v1/data/:machineId/tags',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '设备变量', en: "A machine's tags" },
  request: z.object({ machineId: id }),
  answer: z.array(tag),
  errors: [],
})

const latestValue = z.object({
  tagId: id,
  value: tagValue,
  quality: z.enum(qualities),
  time: instant,
  receivedAt: instant,
})
export type LatestValue = z.output<typeof latestValue>

export const listLatest = route({
  method: 'GET',
  path: '/api/v1/data/:machineId/latest',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '变量最新值', en: 'Latest values' },
  request: z.object({ machineId: id, tags: z.array(id).max(limits.tagsPerMachine).optional() }),
  answer: z.array(latestValue),
  errors: [],
})

export const aggregates = ['avg', 'min', 'max', 'first', 'last', 'count', 'sum', 'delta', 'raw'] as const
export type Aggregate = (typeof aggregates)[number]

export const getHistory = route({
  method: 'GET',
  path: '/api/v1/data/history',
  who: { right: 'visitor+', tags: 'tagIds' },
  title: { cn: '历史数据', en: 'History of tags' },
  request: z.object({
    tagIds: z.array(id).min(1).max(limits.tagsPerHistory),
    from: instant,
    to: instant,
    points: z.int().min(1).max(limits.historyPointsMax).optional(),
    interval: z
      .int()
      .min(1000)
      .max(31_536_000_000)
      .optional()
      .describe('Milliseconds a point; instead of points'),
    agg: z.enum(aggregates).default('avg'),
  }),
  answer: z.object({
    series: z.array(
      z.object({
        tagId: id,
        points: z
          .array(z.tuple([instant, tagValue, z.number().nullable(), z.number().nullable()]))
          .describe('[time, value, min, max], in time order'),
      }),
    ),
    gaps: z.array(z.tuple([instant, instant])).describe('Times in which the machine was not connected'),
  }),
  errors: [],
})

/** What became of a write to a machine (decision 47). */
export const writeStates = ['sent', 'confirmed', 'failed', 'timedOut'] as const
export type WriteState = (typeof writeStates)[number]

export const writeTag = route({
  method: 'POST',
  path: '/api/v1/data/:machineId/write',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '写入变量', en: 'Write a tag' },
  request: z.object({
    machineId: id,
    tagId: id,
    value: z.union([z.boolean(), z.number(), z.string().max(limits.tagTextBytesMax)]),
    reason: shortText(0, 50).optional(),
  }),
  answer: z.object({
    commandId: id,
    state: z.literal('sent').describe('What became of it is pushed: scene 12'),
  }),
  errors: [
    '404',
    'READ_ONLY',
    'CONTROL_TAKEN',
    'MACHINE_OFFLINE',
    'TAG_READ_ONLY',
    'VALUE_TYPE',
    'VALUE_RANGE',
    'WRITE_UNSUPPORTED',
  ],
})
