import { z } from 'zod'
import { limits } from './limits.ts'
import { route } from './route.ts'

/**
 * The JSON of `v1/devices/me/telemetry`, for machines that only speak HTTP; answered after the commit. 400 or 413 where
 * nothing of it was stored.
 */
export const ingestTelemetry = route({
  method: 'POST',
  path: '/api/v1/ingest',
  who: 'machine',
  title: { cn: '数据上报', en: 'Send values' },
  request: z.looseObject({}),
  answer: z.object({
    stored: z
      .int()
      .describe('Values stored; where there is none, and none was stored before, the answer is 400'),
    repeated: z.int().optional().describe('Values not stored again, because they were stored before'),
    refused: z.array(z.string()).describe('Names of tags that weren’t stored, and why entries weren’t'),
    notes: z.array(z.string()).optional().describe('In English: what was stored otherwise than it was sent'),
  }),
  errors: [],
  bodyBytesMax: limits.largeBodyBytesMax,
})
