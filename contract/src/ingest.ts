import { z } from 'zod'
import { route } from './route.ts'

/** The JSON of `v1/devices/me/telemetry`, for machines that only speak HTTP; answered after the commit. */
export const ingestTelemetry = route({
  method: 'POST',
  path: '/api/v1/ingest',
  who: 'machine',
  title: { cn: '数据上报', en: 'Send values' },
  request: z.looseObject({}),
  answer: z.object({ stored: z.int(), refused: z.array(z.string()) }),
  errors: [],
})
