import type { telemetry } from '@busbar/contract'
import type { AgentPort } from '@busbar/link'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { subjectWord } from '../../kernel/cluster/nats-cluster.ts'
import { encodeWire } from '../../kernel/cluster/wire.ts'
import type { MachinePresence, OwnedTag, TagWrite, TunnelTarget, Unwritable } from '../edge-link.ts'

/** The subject of the process that holds a machine's telemetry. */
export const machineSubject = (machineId: number): string => `machine.${machineId}.telemetry`
/** The subject of the process that holds a machine's tunnel. */
export const tunnelSubject = (machineId: number): string => `machine.${machineId}.tunnel`
/** The subject of a node, for questions about all its machines. */
export const nodeSubject = (nodeId: string): string => `node.${subjectWord(nodeId)}`
/** The subject on which the holder of a machine publishes its values while they are watched. */
export const valuesSubject = (machineId: number): string => `machine.${machineId}.values`

/** Lifetime of a lease on a machine's values without renewal, in ms. */
export const leaseMs = 15_000
/** Interval at which a lease is renewed, in ms. */
export const renewMs = 5_000

/** A person's write to a tag; `request` is the number of its command. */
export interface WriteOrder {
  readonly write: TagWrite
  readonly request: number
  readonly userId: number
}

/** The act that a permit for a write allows. */
export const writeAct = (machineId: number, { write, request, userId }: WriteOrder): string => {
  const { group, tag, value, isOpened = false } = write
  return encodeWire(['write', machineId, group, tag, typeof value, value, isOpened, request, userId])
}

/** Questions about one machine, to the holder of its telemetry: each name with its question and answer. */
export interface MachineQuestions {
  latest: { asked: { readonly tagIds: readonly number[] | undefined }; answer: readonly TagValueEvent[] }
  /** Begins or renews the lease on its values; answers the present ones if they are wanted. */
  watch: { asked: { readonly wantsValues?: boolean }; answer: readonly TagValueEvent[] }
  prepareWrite: { asked: { readonly write: TagWrite }; answer: Unwritable | { readonly holder: string } }
  /** Answers whether it was sent; `permit`: of the node that checked the person's right to it (`writeAct`). */
  write: { asked: { readonly order: WriteOrder; readonly permit: string }; answer: boolean }
  rawMessages: { asked: { readonly limit: number }; answer: telemetry.RawMessage[] }
}

/** Questions to the holder of a machine's tunnel; `openedAt` names the tunnel, a newer one has another. */
export interface TunnelQuestions {
  find: {
    asked: object
    answer: { readonly openedAt: number; readonly nodeId: string; readonly address: string } | null
  }
  targets: { asked: { readonly openedAt: number }; answer: readonly TunnelTarget[] }
  ports: { asked: { readonly openedAt: number }; answer: readonly AgentPort[] }
  portsNow: { asked: { readonly openedAt: number }; answer: readonly AgentPort[] }
  remote: { asked: { readonly openedAt: number }; answer: readonly 'drivers'[] }
  ping: { asked: { readonly openedAt: number }; answer: number }
}

/** Questions to a node about machines; the answer has only those that it holds. */
export interface NodeQuestions {
  latestOfEach: {
    asked: { readonly machineIds: readonly number[] }
    answer: readonly (readonly [machineId: number, values: readonly TagValueEvent[]])[]
  }
  latestHeld: {
    asked: {
      readonly tags: readonly (Omit<OwnedTag, 'ownedSince'> & { readonly ownedSince: number | null })[]
    }
    answer: readonly TagValueEvent[]
  }
  /** The last-seen times and clock offsets of machines, from their holder. */
  presence: {
    asked: { readonly machineIds: readonly number[] }
    answer: readonly (readonly [machineId: number, presence: MachinePresence])[]
  }
}

/** A question as it is sent. */
export type Asked<Questions> = {
  readonly [Name in keyof Questions]: {
    readonly name: Name
    readonly asked: Questions[Name] extends { asked: infer What } ? What : never
  }
}[keyof Questions]

export type AnswerTo<Questions, Name extends keyof Questions> = Questions[Name] extends {
  answer: infer Answer
}
  ? Answer
  : never
export type AskedOf<Questions, Name extends keyof Questions> = Questions[Name] extends { asked: infer What }
  ? What
  : never

/** A function for each question. */
export type Answers<Questions> = {
  readonly [Name in keyof Questions]: (
    asked: AskedOf<Questions, Name>,
  ) => Promise<AnswerTo<Questions, Name>> | AnswerTo<Questions, Name>
}

/** Answers a question by its name. */
export async function answerBy<Questions>(answers: Answers<Questions>, question: unknown): Promise<unknown> {
  const { name, asked } = question as { name: keyof Questions; asked: never }
  // A node of a newer version may ask unknown questions.
  if (!Object.hasOwn(answers, name)) throw new Error(`unknown question ${String(name)}`)
  return answers[name](asked)
}
