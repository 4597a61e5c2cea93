import { z } from 'zod'
import { id, instant, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { settingsOfTag, tagOwn } from './tag-fields.ts'
import { tagTypes } from './tag-limits.ts'

export type TagType = (typeof tagTypes)[number]

export const qualities = ['good', 'stale', 'bad', 'uncertain'] as const
export type Quality = (typeof qualities)[number]

/** A value on the wire; int64 beyond 2^53 is a string of digits, and bad quality may come without a value. */
export const tagValue = z.union([z.boolean(), z.number(), z.string(), z.null()])
export type TagValue = z.output<typeof tagValue>

export const tag = z.object({
  tagId: id,
  group: z.string().describe('The text for people, as `name`'),
  wireGroup: z.string().describe('The device’s own name for the group: reports and boards name it'),
  tag: z.string().describe('The device’s own name for it'),
  name: z.string().describe('The text for people, in the caller’s language where the device gives several'),
  type: z.enum(tagTypes),
  unit: z.string(),
  scale: z.int().nullable().describe('Decimal places; null: as they come'),
  readOnly: z.boolean(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  enum: z.record(z.string(), z.string()).optional(),
  lastAt: instant.nullable(),
  settings: settingsOfTag.optional().describe('Settings made by its keys; left out where there are none'),
  own: tagOwn.optional().describe('The device’s own values, where there are settings'),
  openable: z
    .boolean()
    .optional()
    .describe('The device leaves it open whether it may be written: its keys decide'),
})
export type Tag = z.output<typeof tag>

export const listTags = route({
  method: 'GET',
  path: '/api/v1/data/:machineId/tags',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '设备变量', en: 'List the variables of a device' },
  request: z.object({ machineId: id }),
  answer: z.array(tag),
  errors: [],
})

export const latestValue = z.object({
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
  title: { cn: '变量最新值', en: 'Get the latest values' },
  request: z.object({ machineId: id, tags: z.array(id).max(limits.tagsPerMachine).optional() }),
  answer: z.array(latestValue),
  errors: [],
})

export const aggregates = ['avg', 'min', 'max', 'first', 'last', 'count', 'sum', 'delta', 'raw'] as const
export type Aggregate = (typeof aggregates)[number]

/** The forms of a series' samples. */
export const historyKinds = ['raw', 'changes', 'buckets'] as const
export type HistoryKind = (typeof historyKinds)[number]

const historyPoint = z
  .tuple([
    instant,
    tagValue,
    z.number().nullable(),
    z.number().nullable(),
    z.enum(['stale', 'bad', 'uncertain']).optional(),
  ])
  .describe(
    '[time, value, min, max, quality]; quality is left out where it is good. Stale and bad samples count for no value and break a line',
  )
export type HistoryPoint = z.output<typeof historyPoint>

const formerVersion = z.object({
  name: z.string(),
  group: z.string(),
  type: z.enum(tagTypes),
  unit: z.string(),
  scale: z.int().nullable(),
  retiredAt: instant.nullable().describe('Null: this is the current version'),
  earlierId: id.nullable().describe('The tag id before its type changed last'),
  laterId: id.nullable(),
})

const historySeries = z.object({
  tagId: id,
  machineId: id.nullable().describe('Null: no tag has this id'),
  kind: z.enum(historyKinds).describe('raw: every sample; changes: every change, and one sample an interval'),
  intervalMs: z.int().nullable().describe('Width of a bucket; null when raw'),
  points: z.array(historyPoint).describe('In time order; a bucket has the time of its begin'),
  cutAt: instant.nullable().describe('Raw and more than asked for: nothing from here on is told'),
  before: historyPoint
    .nullable()
    .describe('With auto, where not buckets: the sample before `from`, if it is near'),
  after: historyPoint.nullable(),
  version: formerVersion.nullable().describe('Null for a tag that always had one type'),
})
export type HistorySeries = z.output<typeof historySeries>

const gapSpans = z
  .array(z.tuple([instant, instant]))
  .describe('Times in which the device wasn’t connected; they reach to `before` and `after`')
const lostSpans = z
  .array(z.tuple([instant, instant, z.int()]))
  .describe('[first, last, how many] of samples the device had to drop; both ends included')

export const getHistory = route({
  method: 'GET',
  path: '/api/v1/data/history',
  who: { right: 'visitor+', tags: 'tagIds' },
  load: 'history',
  title: { cn: '历史数据', en: 'Get the history of variables' },
  request: z.object({
    tagIds: z.array(id).min(1).max(limits.tagsPerHistory),
    from: instant,
    to: instant,
    points: z
      .int()
      .min(1)
      .max(limits.historyPointsMax)
      .optional()
      .describe('Of each tag at most; with auto, how many samples are told one by one'),
    interval: z
      .int()
      .min(1000)
      .max(31_536_000_000)
      .optional()
      .describe('Milliseconds a point; instead of points, with auto beside them'),
    agg: z
      .enum([...aggregates, 'auto'])
      .default('avg')
      .describe('auto: each tag raw where it has few samples, as changes where it is a state, else avg'),
  }),
  answer: z.object({
    series: z.array(historySeries),
    gaps: gapSpans,
    lost: lostSpans,
    machines: z
      .array(
        z.object({
          machineId: id,
          gaps: gapSpans,
          lost: lostSpans,
        }),
      )
      .describe('The same for each device, where the tags are of several'),
  }),
  errors: [],
})

const valueAt = z.object({
  value: tagValue,
  at: instant,
  withinMs: z.int().describe('0: at this time; otherwise within so many milliseconds from it on'),
})
const statisticsBases = ['samples', 'averages'] as const

/** A variable's statistics in a span of time. A value holds until the next sample, but not into a gap. */
const tagStatistics = z.object({
  tagId: id,
  machineId: id.nullable().describe('Null: no tag has this id'),
  basis: z
    .enum(statisticsBases)
    .describe(
      'samples: all of it is exact; averages: there are too many samples, or only their averages are kept, and what depends on how long a value lasted is null',
    ),
  samples: z.int().describe('All samples, bad and stale ones too'),
  count: z.int().describe('Samples with a value that is good or uncertain: all values below are of them'),
  min: valueAt.nullable().describe('The first of the least; null for a state and a text'),
  max: valueAt.nullable().describe('The first of the greatest; null for a state and a text'),
  mean: z.number().nullable().describe('Of the samples; null for a state and a text'),
  timeMean: z.number().nullable().describe('Each value weighted by how long it lasted'),
  first: valueAt.nullable(),
  last: valueAt.nullable(),
  delta: z
    .object({
      value: tagValue,
      resets: z.int().describe('How often it fell: a counter then begins at 0 again'),
    })
    .nullable()
    .describe(
      'By how much a counter rose since the last value before `from`, or since its first one; null for a state, a text and what falls too often for a counter',
    ),
  states: z
    .array(
      z.object({
        value: tagValue,
        ms: z.int().describe('How long it lasted'),
        times: z.int().describe('How often the value began'),
      }),
    )
    .max(limits.statesPerStatistics)
    .nullable()
    .describe('Of a switch, a text and a number with words, the longest first; otherwise null'),
  otherStatesMs: z.int().nullable().describe('How long all further states lasted together'),
  knownMs: z.int().nullable().describe('How long a good or uncertain value lasted'),
  badMs: z.int().nullable().describe('How long the last sample was bad or stale'),
  gapMs: z
    .int()
    .nullable()
    .describe(
      'How long the device wasn’t connected, or its samples were lost, and none was sent later. The rest of the span is unknown, or is still to come',
    ),
})
export type TagStatistics = z.output<typeof tagStatistics>

export const getStatistics = route({
  method: 'GET',
  path: '/api/v1/data/statistics',
  who: { right: 'visitor+', tags: 'tagIds' },
  load: 'history',
  title: { cn: '变量统计', en: 'Get statistics of variables' },
  request: z.object({
    tagIds: z.array(id).min(1).max(limits.tagsPerHistory),
    from: instant,
    to: instant,
  }),
  answer: z.array(tagStatistics).describe('In the order of `tagIds`'),
  errors: [],
})

/** The states of a write to a machine. */
export const writeStates = ['sent', 'confirmed', 'failed', 'timedOut'] as const
export type WriteState = (typeof writeStates)[number]

export const writeTag = route({
  method: 'POST',
  path: '/api/v1/data/:machineId/write',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '写入变量', en: 'Write a variable' },
  request: z.object({
    machineId: id,
    tagId: id,
    value: z.union([z.boolean(), z.number(), z.string().max(limits.tagTextBytesMax)]),
    reason: shortText(0, 50).optional(),
  }),
  answer: z.object({
    commandId: id,
    state: z.literal('sent').describe('The result is pushed: scene 12'),
  }),
  errors: [
    '404',
    'READ_ONLY',
    'CONTROL_TAKEN',
    'MACHINE_OFFLINE',
    'TAG_READ_ONLY',
    'VALUE_TYPE',
    'VALUE_RANGE',
    'VALUE_DIGITS',
    'WRITE_UNSUPPORTED',
  ],
})

/** A write of the caller's own, for a window that the push does not reach. */
export const getWrite = route({
  method: 'GET',
  path: '/api/v1/data/:machineId/writes/:commandId',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '写入结果', en: 'Get the result of a write' },
  request: z.object({ machineId: id, commandId: id }),
  answer: z.object({
    commandId: id,
    tagId: id,
    state: z.enum(writeStates),
    kept: tagValue.describe('The value on the device now; null where it is unknown'),
    reason: z.string().describe('Why it failed, in the device’s words'),
  }),
  errors: ['404'],
})

/** The formats of a machine's messages, in the order in which they are tried. */
export const adapters = ['sparkplug', 'json', 'vendor', 'weintek'] as const
export type Adapter = (typeof adapters)[number]

/** Encodings of the texts that a machine sends as JSON; latin1 is Windows-1252. */
export const textEncodings = ['utf8', 'gbk', 'latin1'] as const
export type TextEncoding = (typeof textEncodings)[number]

/**
 * The result of a machine's message. All words but `stored`, `repeated` and `empty` mean that a part of it was not kept;
 * `repeated`: all of it was stored before.
 */
export const rawVerdicts = [
  'stored',
  'repeated',
  'empty',
  'unknownTopic',
  'unknownShape',
  'otherAdapter',
  'notJson',
  'tooLarge',
  'tooFast',
  'protocolError',
  'unknownMetrics',
  'unstoredMetrics',
  'staleDeath',
  'tagsRefused',
  'partlyRefused',
  'unstorable',
] as const
export type RawVerdict = (typeof rawVerdicts)[number]

const rawMessage = z.object({
  at: instant.describe('When it arrived'),
  topic: z.string(),
  bytes: z.int(),
  adapter: z.enum(adapters).nullable().describe('Null: none knew it'),
  verdict: z.enum(rawVerdicts),
  detail: z.string().describe('For engineers, in English: which tag, which byte'),
  head: z.string().describe('Its first bytes, base64'),
})
export type RawMessage = z.output<typeof rawMessage>

export const listRawMessages = route({
  method: 'GET',
  path: '/api/v1/data/:machineId/raw',
  who: { right: 'bkey+', machine: 'machineId' },
  title: { cn: '原始报文', en: 'List recent raw messages' },
  request: z.object({
    machineId: id,
    limit: z.int().min(1).max(limits.rawMessagesMax).default(50),
  }),
  answer: z.array(rawMessage).describe('Newest first'),
  errors: [],
})
