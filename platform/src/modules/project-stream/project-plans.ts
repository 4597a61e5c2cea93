import type { projects } from '@busbar/contract'

/** A machine in a project. */
export interface PlannedLink {
  readonly linkId: number
  readonly machineId: number
  readonly machineCode: string
  readonly machineName: string
}

/** The machines and variables of a project that reports. */
export interface ProjectPlan {
  readonly projectId: number
  /** Seconds between two rows of a machine; 0: each change. */
  readonly everyS: number
  readonly variables: projects.VariableChoice
  /** The active ones. */
  readonly links: readonly PlannedLink[]
}

/** The projects that report. */
export interface ProjectPlans {
  list(): Promise<readonly ProjectPlan[]>
  /** Told after each change of a plan, in every process. Answers the function that ends it. */
  subscribe(listener: () => void): () => void
}
