import { z } from 'zod'
import { requestForPerson } from './account-fields.ts'
import { id, instant, machineCode } from './fields.ts'
import { projectLimits } from './project-limits.ts'
import { route } from './route.ts'
import { tagValue } from './telemetry.ts'

const row = z.looseObject({
  id: z.string(),
  machineCode: machineCode.optional(),
  machineName: z.string().optional(),
  group: z.string().optional(),
  time: instant,
  receivedAt: instant.optional(),
  late: z.boolean().optional(),
  values: z.record(z.string(), tagValue).optional(),
  stats: z
    .record(z.string(), z.object({ mean: z.number(), min: z.number(), max: z.number() }))
    .optional()
    .describe('Of the interval, for numbers'),
  quality: z.record(z.string(), z.string()).optional().describe('Qualities other than good'),
  gap: z.object({ from: instant, to: instant }).optional().describe('A span whose rows are lost'),
})
export type ProjectRow = z.output<typeof row>

/**
 * The rows after a cursor, in the order of their arrival; without a cursor, from the oldest that is kept. A page counts at
 * the next pull, and a row once. With a span, the rows of history instead, machine by machine, which count at once.
 */
export const pullRows = route({
  method: 'GET',
  path: '/api/project/v1/data',
  who: 'projectKey',
  title: { cn: '拉取数据', en: 'Pull rows' },
  request: z.object({
    projectId: id.optional().describe('Left out where it’s the user name of the Basic login'),
    machineCode: machineCode.optional(),
    from: instant.optional(),
    to: instant.optional(),
    cursor: z.string().max(200).optional(),
    wait: z.int().min(0).max(projectLimits.pullWaitSMax).default(0).describe('Seconds'),
    limit: z.int().min(1).max(projectLimits.pulledRows).default(1_000),
  }),
  answer: z.object({ rows: z.array(row), cursor: z.string() }),
  errors: [
    'PROJECT_KEY_WRONG',
    'CURSOR_WRONG',
    'CURSOR_TOO_OLD',
    'HISTORY_SPAN',
    'QUOTA_OVER',
    'PROJECT_NOT_REPORTING',
  ],
})

/** An address for one use within 60 s: a visit of a member, for an iframe of the project’s own portal. */
export const getEmbeddedVisit = route({
  method: 'POST',
  path: '/api/project/getProjectMachineVisitUrl',
  who: 'projectKey',
  title: { cn: '获取嵌入访问地址', en: 'Get the address of a visit to embed' },
  request: requestForPerson({
    privateKey: z.string().max(200),
    machineCode,
    platform: z.string().max(20).default(''),
  }),
  answer: z.object({ url: z.string(), expireAt: instant }),
  errors: [
    'PROJECT_KEY_WRONG',
    'EMBEDDING_OFF',
    'EMBEDDING_ORIGINS',
    'EMBEDDING_HTTPS',
    '404',
    'WRONG_ROLE',
    'CLOUD_EXPIRED',
  ],
})
