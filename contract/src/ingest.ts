import { z } from 'zod'
import { limits } from './limits.ts'
import { route } from './route.ts'

/**
 * The JSON of `v1/devices/me/telemetry`, for machines that only speak HTTP; answered after the commit. 400 or 413 with
 * the same data where nothing of it was stored, now or before.
 */
export const ingestTelemetry = route({
  method: 'POST',
  path: '/api/v1/ingest',
  who: 'machine',
  title: { cn: '数据上报', en: 'Send values' },
  request: z.looseObject({}),
  answer: z.object({
    stored: z.int().describe('Values stored by this request'),
    refused: z.array(z.string()).describe('Names of tags that were refused, and other problems'),
    repeated: z.int().optional().describe('Values that were stored before: the same time and value'),
    notes: z.array(z.string()).optional().describe('Values that were changed before they were stored'),
  }),
  errors: [],
  bodyBytesMax: limits.largeBodyBytesMax,
})
