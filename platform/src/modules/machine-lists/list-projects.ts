import type { Database } from '../../kernel/database/database.ts'

/** A project as lists of machines name it. */
export interface NamedProject {
  readonly id: number
  readonly name: string
}

/** The oldest project of each of these machines in which a person takes part (rules/projects.md: machines). */
export type ListProjects = (
  db: Database,
  userId: number,
  machineIds: readonly number[],
) => Promise<ReadonlyMap<number, NamedProject>>
