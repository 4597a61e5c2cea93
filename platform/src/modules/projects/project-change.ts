import type { ProjectRight } from '@busbar/contract'
import type { Transaction } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { FactKind, NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { ProjectFacts } from '../../kernel/facts/project-facts.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from '../access/index.ts'
import { findLevel, type LockedProject, lockProject } from './projects-store.ts'

/** The parts that every change of a project uses. */
export interface ChangeDeps {
  readonly db: Database
  readonly facts: Pick<Facts, 'record'>
  readonly access: AccessPort
}

/** A fact about a project, without the fields that its scope adds. */
export type ProjectFact<Kind extends keyof ProjectFacts & FactKind = keyof ProjectFacts> =
  Kind extends FactKind ? Omit<NewFact<Kind>, 'projectId' | 'enterpriseId' | 'by' | 'at'> : never

/** The project that is being changed, locked against other changes. */
export interface ProjectChange {
  readonly trx: Transaction<DB>
  readonly project: LockedProject
  /** The level of the caller. */
  readonly level: 2 | 3
  readonly at: Date
  /** Records an act on the project: the audit log and people's messages follow it at this commit. */
  record(fact: ProjectFact): Promise<void>
}

/** Records an act of a caller on a project, with its name for the people who are told. */
export function recordAct(
  facts: Pick<Facts, 'record'>,
  trx: Transaction<DB>,
  { userId: by, now: at, address }: Caller,
  { id: projectId, name, enterpriseId }: Pick<LockedProject, 'id' | 'name' | 'enterpriseId'>,
  fact: ProjectFact,
): Promise<void> {
  const about = { projectId, ...(enterpriseId === null ? {} : { enterpriseId }), by, at }
  return facts.record(trx, { ...fact, ...about } as NewFact, { address, words: { name } })
}

/**
 * One change of a project: one transaction under its row lock, which checks the caller's level again, so that a member
 * removed a moment ago changes nothing. Throws 403.
 */
export async function changeProject<T>(
  { db, facts }: ChangeDeps,
  caller: Caller,
  projectId: number,
  right: ProjectRight,
  change: (scope: ProjectChange) => Promise<T>,
): Promise<T> {
  return withTransaction(db, async (trx) => {
    const project = await lockProject(trx, projectId)
    const level = project && (await findLevel(trx, caller.userId, projectId))
    if (!level || (right === 'owner' && level !== 3)) throw new Failure('403')
    return change({
      trx,
      project,
      level,
      at: new Date(caller.now),
      record: (fact) => recordAct(facts, trx, caller, project, fact),
    })
  })
}
