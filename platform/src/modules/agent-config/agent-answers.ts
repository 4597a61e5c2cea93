import { agentConfig as contract } from '@busbar/contract'
import {
  connectionStates,
  agentConfigLimits as link,
  remoteResults,
  scanKinds,
  scanRefusals,
  agentServiceLimits as service,
} from '@busbar/link'
import { z } from 'zod'
import { cleanDeep, cleanText } from '../../kernel/storable-text.ts'

/**
 * Agents' answers are a stranger's data: every text and list has a limit, texts are shown as those of machines are, and
 * unknown fields are dropped. Node ids and continuations go back to the agent as they came.
 */

const said = (charactersMax: number) => z.string().max(charactersMax).transform(cleanText)
const text = said(500)
const name = said(128)
const revision = z.int().min(0).max(2_147_483_647)
const instant = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const names = z.array(name).max(contract.agentConfigLimits.connectionsMax)

export const stateAnswer = z.object({
  revision,
  kinds: z.array(z.object({ kind: name, explore: z.enum(['nodes', 'registers', 'none']) })).max(16),
  networks: z.array(said(64)).max(32),
  wideNetworks: z.array(said(64)).max(32).default([]),
  connections: z
    .array(
      z.object({
        name,
        driver: name,
        remote: z.boolean(),
        tags: z.int().min(0).max(contract.agentConfigLimits.tagsMax),
        state: z.enum(connectionStates),
        troubleCount: z.int().min(0).max(contract.agentConfigLimits.tagsMax).default(0),
        troubles: z
          .array(z.object({ tag: name, reason: text }))
          .max(link.troublesMax)
          .default([]),
      }),
    )
    .max(2 * contract.agentConfigLimits.connectionsMax),
  trial: z.object({ revision, id: name, at: instant, isTold: z.boolean(), waitsFor: names }).nullable(),
  ended: z
    .array(z.object({ revision, id: name, at: instant, result: z.enum(remoteResults), reason: text }))
    .max(100),
})
export type StateAnswer = z.output<typeof stateAnswer>

export const documentAnswer = z.object({
  connections: z
    .array(z.preprocess(cleanDeep, contract.agentConnection))
    .max(contract.agentConfigLimits.connectionsMax),
})

export const appliedAnswer = z.object({ revision })

export const problemsAnswer = z.object({
  problems: z.array(z.object({ path: said(256), message: said(1_024) })).max(link.problemsMax),
})

export const failureAnswer = z.object({ failure: text })

export const nodesAnswer = z.object({
  nodes: z
    .array(
      z.object({
        nodeId: z.string().max(link.nodeIdCharactersMax),
        name: said(256),
        isVariable: z.boolean(),
        hasChildren: z.boolean(),
        type: said(32).nullable(),
        isReadable: z.boolean(),
        isWritable: z.boolean(),
        value: said(256).nullable(),
      }),
    )
    .max(1_000),
  continuation: z.string().max(link.continuationCharactersMax).nullable(),
})

export const registersAnswer = z.object({
  values: z.array(z.int().min(0).max(65_535)).max(link.registersMax),
})

/** Addresses and ports. */
const triedMax = service.scanHostsMax * service.scanPortsMax * scanKinds.length

export const scanAnswer = z.object({
  state: z.enum(['none', 'running', 'done']),
  network: said(64)
    .nullable()
    .transform((network) => network ?? ''),
  done: z.int().min(0).max(triedMax),
  total: z.int().min(0).max(triedMax),
  found: z
    .array(
      z.object({
        address: said(64),
        port: z.int().min(1).max(65_535),
        kind: z.enum(scanKinds),
        name: said(256).default(''),
      }),
    )
    .max(service.scanFoundMax),
})

export const scanRefusalAnswer = z.object({ refusal: z.enum(scanRefusals) })
