import { access, projects as contract, projectLimits } from '@busbar/contract'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'
import type { LinkRow, ProjectOfMachine } from './links-store.ts'
import type { MemberRow } from './members-store.ts'
import { decideLink, rowsMaxOf } from './projects-rules.ts'
import type { Place, ProjectRow } from './projects-store.ts'
import type { ReportingFigures } from './reporting-figures.ts'
import { ownServerId } from './servers-store.ts'

export type ListedProject = ProjectRow & Place

/** The state of a project's reporting: the first that holds (rules/projects.md: state). */
export function stateOf(row: ProjectRow, figures: ReportingFigures | undefined): contract.ReportingState {
  if (row.isStopped) return 'stopped'
  if (!row.isReporting) return 'off'
  if (figures?.isFailing) return 'failing'
  if (row.linked > 0 && row.rows >= rowsMaxOf(row.machines)) return 'quotaOver'
  const goesOut = figures?.isOn || row.isFetched
  return row.linked > 0 && goesOut ? 'well' : 'waiting'
}

/** A project in its lists; `secretKey`: for its owner alone. */
export function presentProject(
  row: ListedProject,
  figures: ReportingFigures | undefined,
  secretKey = '',
): contract.Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    eid: row.enterpriseId,
    report_state: row.isReporting ? 1 : 0,
    remote_report: row.mayWrite,
    picture: row.isPictureShown,
    enable_get_visit_url: row.mayEmbed,
    allow_write: row.mayWrite,
    server: row.serverId ?? ownServerId,
    owner: row.owner,
    secret_key: secretKey,
    user_length: row.people,
    machine_length: row.machines,
    report_count: rowsMaxOf(row.machines),
    available_count: Math.max(0, rowsMaxOf(row.machines) - row.rows),
    limit_authority: row.level,
    origins: row.origins,
    variables: row.variables,
    everyS: row.everyS,
    createdAt: row.createdAt.getTime(),
    state: stateOf(row, figures),
    lagMs: figures?.lagMs ?? null,
    worstTarget: figures?.worstTarget ?? null,
    invitedBy: row.invitedBy,
  }
}

export const presentMember = (row: MemberRow): contract.ProjectUser => ({
  id: row.id,
  user_id: row.userId,
  name: row.name,
  email: maskEmail(row.email),
  phone: maskPhone(row.phone),
  country_code: row.countryCode ?? '',
  limit_authority: row.level,
  accepted: row.isAccepted,
})

/** The facts of a machine in a project's list beside its link. */
export interface LinkDetails {
  readonly project: string
  readonly addedBy: string
  readonly addedAt: Date
  readonly isOnline: boolean
  readonly lastRowAt: number | undefined
  /** The project's list offers pages of machines, and the reader may visit this one. */
  readonly mayOpen: boolean
}

/**
 * A machine in a project's list. One whose rows ended shows no state that it has now, and one that has another owner
 * nothing but its code.
 */
export function presentLink(row: LinkRow, details: LinkDetails, readerId: number): contract.ProjectMachine {
  const { isReporting, stop } = decideLink(row)
  const isOthers = stop === 'ownerChanged'
  return {
    machine_id: row.machineId,
    emq_project_id: row.projectId,
    project_name: details.project,
    machine_name: isOthers ? row.machineCode : row.machineName,
    machine_code: row.machineCode,
    online: stop === null && details.isOnline,
    reported: isReporting,
    linkId: row.linkId,
    addedBy: details.addedBy,
    addedByMe: row.linkedBy === readerId,
    addedAt: details.addedAt.getTime(),
    stop,
    lastRowAt: details.lastRowAt ?? null,
    mayWrite: row.mayWrite,
    mayVisit: row.mayVisit,
    mayOpen: stop === null && details.mayOpen,
  }
}

/** A project among those who can reach a machine: by its name, for its owner. */
export const presentReach = (row: ProjectOfMachine): access.Reach[] =>
  row.stop !== null || row.ownerId === null
    ? []
    : [
        {
          userId: row.ownerId,
          name: row.name,
          phone: '',
          email: '',
          by: 'project',
          mode: row.write && row.wantsWrite ? 'rw' : 'ro',
          until: access.visitTimes.forever,
        },
      ]

/** A project in the list of a machine's keys. */
export const presentProjectOfMachine = (row: ProjectOfMachine): contract.MachineProject => ({
  id: row.id,
  name: row.name,
  owner: row.owner,
  addedBy: row.addedBy,
  addedAt: row.addedAt.getTime(),
  stop: row.stop,
  write: row.write,
  visit: row.visit,
  wantsWrite: row.wantsWrite,
  wantsVisit: row.wantsVisit,
  consentBy: row.consentBy,
  consentAt: row.consentAt?.getTime() ?? null,
})

/** A project in the list of an enterprise's projects. */
export const presentOfEnterprise = (
  row: ProjectRow & { readonly isMine: boolean; readonly hasOwnerLeft: boolean },
): contract.EnterpriseProject => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type ?? contract.projectTypes.enterprise,
  owner: row.owner,
  ownerLeft: row.hasOwnerLeft,
  report_state: row.isReporting ? 1 : 0,
  machine_length: row.machines,
  user_length: row.people,
  mine: row.isMine,
})

export const presentForOperator = (
  row: ProjectRow & { readonly enterprise: string },
  figures: ReportingFigures | undefined,
): contract.OperatorProject => ({
  id: row.id,
  name: row.name,
  enterprise: row.enterprise,
  owner: row.owner,
  machines: row.machines,
  rows: row.rows,
  rowsMax: row.machines * projectLimits.rowsPerMachine,
  lagMs: figures?.lagMs ?? null,
  lagRows: figures?.lagRows ?? null,
  state: stateOf(row, figures),
  stopped: row.isStopped,
})
