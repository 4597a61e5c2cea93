import { agentConfig } from '@busbar/contract'
import { z } from 'zod'
import { cleanText } from '../../kernel/storable-text.ts'

/** An agent's answers are a stranger's data: texts and lists have limits, unknown fields are dropped. */
const said = (charactersMax: number) => z.string().max(charactersMax).transform(cleanText)
const text = said(500)
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER)
const ms = z.number().min(0).max(Number.MAX_SAFE_INTEGER)

export const probeCodes = [
  'ok',
  'refused',
  'timeout',
  'unreachable',
  'wrongUnit',
  'wrongSlot',
  'wrongUser',
  'certificate',
  'notThisProtocol',
] as const

const connectionHealth = z.object({
  name: said(128),
  driver: said(64),
  state: z.enum(['online', 'offline', 'unknown']),
  failure: text.optional(),
  valueAgeMs: ms.nullish(),
  troubleCount: count.optional(),
  trouble: text.optional(),
})
export type ConnectionHealth = z.output<typeof connectionHealth>

export const healthAnswer = z.object({
  version: said(64),
  node: said(64),
  system: said(128),
  upS: count,
  load: count,
  processors: count.default(1),
  memory: z.object({ free: count, total: count }),
  diskFree: count.nullable(),
  outbox: z.object({ waiting: count, oldestMs: ms.nullable(), dropped: count }),
  clockOffsetMs: z.number().nullish(),
  line: z.object({
    family: z.enum(['ipv4', 'ipv6']).nullish(),
    proxy: said(256).nullish(),
    tlsIssuer: said(256).nullish(),
    tlsFingerprint: said(128).nullish(),
    failures: z
      .array(z.object({ at: count, text }))
      .max(20)
      .default([]),
  }),
  connections: z.array(connectionHealth).max(2 * agentConfig.agentConfigLimits.connectionsMax),
})
export type Health = z.output<typeof healthAnswer>

export const probeAnswer = z.object({
  code: z.enum(probeCodes),
  ms: z.object({ tcp: ms.nullish(), hello: ms.nullish(), read: ms.nullish() }).default({}),
  failure: text.optional(),
})
export type Probe = z.output<typeof probeAnswer>

export const logAnswer = z.object({
  lines: z.array(z.object({ at: count, level: said(16), name: said(64), text: said(2_000) })).max(20_000),
})

/** Paths under the authority `agent`. */
export const agentServicePath = { health: '/health', probe: '/health/probe', log: '/log' } as const
