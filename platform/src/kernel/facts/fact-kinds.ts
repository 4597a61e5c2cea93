import type { AlarmFacts } from './alarm-facts.ts'
import type { AlarmRuleFacts } from './alarm-rule-facts.ts'
import type { DestinationFacts } from './destination-facts.ts'
import type { EnterpriseFacts } from './enterprise-facts.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { MessageFacts } from './message-facts.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { RightFacts } from './right-facts.ts'
import type { SimFacts } from './sim-facts.ts'
import type { VisitFacts } from './visit-facts.ts'

/**
 * Every kind of fact, `noun.verb`, with its contents. `machineId`, `userId` and `enterpriseId` have a column of their
 * own, the rest is its payload: ids, codes, levels and texts of machines, never personal data. Names of devices, teams,
 * groups and enterprises are personal input and are passed beside a fact (`Aside`): a fact outlives the deletion of the
 * person who gave the name.
 */
export interface FactKinds
  extends AlarmFacts,
    AlarmRuleFacts,
    DestinationFacts,
    RightFacts,
    EnterpriseFacts,
    VisitFacts,
    MachineFacts,
    MessageFacts,
    ProjectFacts,
    SimFacts {
  /** A brand was made, changed or archived. */
  'brand.changed': { readonly brandId: number }
}

export type FactKind = keyof FactKinds

interface Subject {
  readonly machineId?: number
  readonly userId?: number
  readonly enterpriseId?: number
}

/** A fact to be recorded; `at` is when it became true, epoch milliseconds. */
export type NewFact<Kinds extends FactKind = FactKind> = {
  [Kind in Kinds]: { readonly kind: Kind; readonly at: number } & Subject & FactKinds[Kind]
}[Kinds]

/** A fact of one of these kinds as its followers get it; `id` identifies it permanently. */
export type Fact<Kinds extends FactKind = FactKind> = {
  [Kind in Kinds]: {
    readonly id: number
    readonly kind: Kind
    readonly at: number
    /** The transaction that recorded it, where it was read from there: a snapshot that shows it has seen the fact. */
    readonly xid?: string
  } & Subject &
    FactKinds[Kind]
}[Kinds]

/**
 * Data for followers within the transaction that is not stored with the fact: the actor's address, and the words they
 * wrote.
 */
export interface Aside {
  /** The actor's address; the audit log stores it. */
  readonly address?: string
  readonly words?: Words
}

/** In the words of people: nothing of it is stored with a fact. */
export interface Words {
  readonly reason?: string
  readonly remark?: string | undefined
  /** The name of the machine, device, team, group or enterprise of the fact. */
  readonly name?: string | undefined
  /** Before it was renamed. */
  readonly formerName?: string
  /** The changed fields, as the audit log shows them. */
  readonly changed?: readonly object[]
  /** The name of an enterprise for its people. */
  readonly platformName?: string | undefined
  /** The name of a project's destination; the project's is `name`. */
  readonly destination?: string | undefined
  /** The name of the enterprise that acts, or that a machine is offered to. */
  readonly enterprise?: string | undefined
}
