import { agentServiceLimits as link, probeCodes, serviceConnectionStates } from '@busbar/link'
import { z } from 'zod'
import { cleanText } from '../../kernel/storable-text.ts'

/** An agent's answers are a stranger's data: texts and lists have limits, unknown fields are dropped. */
const said = (charactersMax: number) => z.string().max(charactersMax).transform(cleanText)
const reason = said(1_000)
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER)
const failure = z.object({ at: count, reason })

const connectionHealth = z.object({
  name: said(128),
  driver: said(64),
  state: z.enum(serviceConnectionStates),
  failure: failure.nullable(),
  /** A value that came while the agent answered is younger than the answer. */
  valueAgeMs: z
    .number()
    .transform((ms) => Math.max(0, ms))
    .nullable(),
})

export const healthAnswer = z.object({
  version: said(64),
  node: said(64),
  system: said(128),
  uptimeMs: count,
  load: count.nullable(),
  processors: count,
  memory: z.object({ usedBytes: count, freeBytes: count }),
  disk: z.object({ freeBytes: count, totalBytes: count }).nullable(),
  outbox: z.object({
    waiting: count,
    oldestAt: count.nullable(),
    dropped: count,
    isDiskWell: z.boolean().nullable(),
  }),
  at: count,
  clockAheadMs: z.number().nullable(),
  line: z.object({
    family: z.enum(['IPv4', 'IPv6']).nullable(),
    proxy: said(256).nullable(),
    tls: z.object({ issuer: said(512) }).nullable(),
    failures: z.array(failure).max(link.failuresMax),
  }),
  connections: z.array(connectionHealth).max(link.connectionsMax),
})
export type Health = z.output<typeof healthAnswer>

const stepMs = count.nullable()

export const probeAnswer = z.object({
  code: z.enum(probeCodes),
  reason,
  connectMs: stepMs,
  helloMs: stepMs,
  readMs: stepMs,
})
export type Probe = z.output<typeof probeAnswer>

/** A line's own fields, beside time, level and event. */
const field = z.union([said(2_000), z.number(), z.boolean()])

export const logAnswer = z.object({
  lines: z
    .array(
      z
        .object({ at: z.iso.datetime(), level: z.enum(['info', 'warn', 'error']), event: said(128) })
        .catchall(field),
    )
    .max(link.logBytesMax / 32),
  isCut: z.boolean(),
})
