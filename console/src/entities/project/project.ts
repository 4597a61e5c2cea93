import type { projects } from '@busbar/contract'

/** A project as its screens show it. */
export type Project = Omit<
  projects.Project,
  | 'report_state'
  | 'remote_report'
  | 'picture'
  | 'enable_get_visit_url'
  | 'allow_write'
  | 'secret_key'
  | 'user_length'
  | 'machine_length'
  | 'report_count'
  | 'available_count'
  | 'limit_authority'
  | 'users'
  | 'machines'
> & {
  readonly isReporting: boolean
  readonly mayEmbed: boolean
  readonly mayWrite: boolean
  /** Its list of devices offers their pages. */
  readonly hasPages: boolean
  /** Empty for everybody but its owner. */
  readonly key: string
  readonly machines: number
  /** Rows of this month's quota, and those that are left. */
  readonly rowsMax: number
  readonly rowsLeft: number
  /** The person who reads it is its owner. */
  readonly isOwner: boolean
}

const ownerLevel = 3

export function projectOf(answer: projects.Project): Project {
  const { report_state, remote_report, picture: hasPages, user_length, users, ...told } = answer
  const { enable_get_visit_url: mayEmbed, allow_write: mayWrite, secret_key: key, ...rest } = told
  const { machine_length: machines, report_count: rowsMax, available_count: rowsLeft, ...kept } = rest
  const { limit_authority: level, machines: _, ...own } = kept
  const isOwner = level === ownerLevel
  return {
    ...own,
    isReporting: report_state === 1,
    mayEmbed,
    mayWrite,
    hasPages,
    key,
    machines,
    rowsMax,
    rowsLeft,
    isOwner,
  }
}

/** A device of a project. */
export type ProjectMachine = Omit<
  projects.ProjectMachine,
  'machine_id' | 'machine_name' | 'machine_code' | 'emq_project_id' | 'project_name'
> & { readonly machineId: number; readonly name: string; readonly code: string }

export function projectMachineOf(answer: projects.ProjectMachine): ProjectMachine {
  const { machine_id: machineId, machine_name: name, machine_code: code, ...rest } = answer
  const { emq_project_id, project_name, ...kept } = rest
  return { ...kept, machineId, name, code }
}

/** A person of a project, or one who was invited. */
export type ProjectPerson = Omit<projects.ProjectUser, 'user_id' | 'limit_authority' | 'country_code'> & {
  readonly userId: number
  readonly level: projects.ProjectUser['limit_authority']
}

export function projectPersonOf(answer: projects.ProjectUser): ProjectPerson {
  const { user_id: userId, limit_authority: level, country_code, ...rest } = answer
  return { ...rest, userId, level }
}

/** A project of an enterprise in which the person takes no part. */
export type OtherProject = Pick<
  projects.EnterpriseProject,
  'id' | 'name' | 'description' | 'owner' | 'ownerLeft'
> & {
  readonly isReporting: boolean
  readonly machines: number
  readonly people: number
}

export function otherProjectOf(answer: projects.EnterpriseProject): OtherProject {
  const { id, name, description, owner, ownerLeft, report_state, machine_length, user_length } = answer
  const counts = { machines: machine_length, people: user_length }
  return { ...{ id, name, description, owner, ownerLeft }, isReporting: report_state === 1, ...counts }
}
