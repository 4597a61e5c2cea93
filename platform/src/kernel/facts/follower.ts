import type { operator } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../database/schema.gen.ts'
import type { Aside, Fact, FactKind } from './fact-kinds.ts'

/** A durable follower further behind is warned of: a fact that fails is set aside after 21 s. */
export const followerLagMsMax = 60_000

interface Named<Kinds extends FactKind> {
  /** Unique among all followers; `module.purpose`. */
  readonly name: string
  readonly kinds: readonly Kinds[]
}

/**
 * Acts within the recording transaction, for data that must change in the same commit; its failure fails the
 * transaction.
 */
export interface DuringFollower<Kinds extends FactKind = FactKind> extends Named<Kinds> {
  readonly mode: 'during'
  follow(trx: Transaction<DB>, facts: readonly Fact<Kinds>[], aside: Aside): Promise<void>
}

/** Every process acts on facts recorded after its start; those recorded while it is away are never delivered. */
export interface LiveFollower<Kinds extends FactKind = FactKind> extends Named<Kinds> {
  readonly mode: 'live'
  follow(facts: readonly Fact<Kinds>[]): void | Promise<void>
}

/**
 * One process at a time acts on every fact since the follower was first started, in one transaction with its position.
 * An effect outside of the database may happen twice and must be idempotent by the fact's id.
 */
export interface DurableFollower<Kinds extends FactKind = FactKind> extends Named<Kinds> {
  readonly mode: 'durable'
  /** The contract lists these names: the console has a word for each. */
  readonly name: operator.DurableFollower | `${'test' | 'bench'}.${string}`
  /** Limit of facts at once; 200 by default. */
  readonly factsMax?: number
  follow(trx: Transaction<DB>, facts: readonly Fact<Kinds>[]): Promise<void>
}

/** Declares a follower with the facts typed by its kinds. */
export type Follower<Kinds extends FactKind = FactKind> =
  | DuringFollower<Kinds>
  | LiveFollower<Kinds>
  | DurableFollower<Kinds>
