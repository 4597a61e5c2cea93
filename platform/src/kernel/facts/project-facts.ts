import type { projects } from '@busbar/contract'

/** Something that was done to a project; `by`: null for a change by time alone. */
interface OfProject {
  readonly projectId: number
  readonly enterpriseId?: number
  readonly by: number | null
}

/** To one machine of it. */
interface OfLink extends OfProject {
  readonly machineId: number
  readonly machineCode: string
}

/** Facts of projects, by kind; their names stand beside them. */
export interface ProjectFacts {
  'project.created': OfProject
  /** Settings that are not secret; `fields`: which. */
  'project.changed': OfProject & { readonly fields: readonly string[] }
  'project.deleted': OfProject
  /** The person `userId` was invited, answered, or has another place in it. */
  'project.memberChanged': OfProject & {
    readonly userId: number
    readonly change: 'invited' | 'accepted' | 'declined' | 'removed' | 'left' | 'owner'
  }
  /** `told`: the keys of the machine, but for the person who added it. */
  'project.machineAdded': OfLink & { readonly told: readonly number[] }
  'project.machineRemoved': OfLink
  /** Another member stands for it. */
  'project.machineTaken': OfLink
  /** Its rows ended, by themselves. */
  'project.machineStopped': OfProject & { readonly machineId: number; readonly stop: projects.LinkStop }
  /** `endNow`: the former key ended at once. */
  'project.keyChanged': OfProject & { readonly endNow: boolean }
  /** Keys were tried in its name that are not its own; `told`: its owner. */
  'project.keyGuessed': OfProject & { readonly told: readonly number[] }
  'project.consentChanged': OfLink & { readonly write: boolean; readonly visit: boolean }
  /** This part of the month's quota is used, in percent; `told`: its members. */
  'project.quotaReached': OfProject & { readonly percent: 80 | 95 | 100; readonly told: readonly number[] }
}
