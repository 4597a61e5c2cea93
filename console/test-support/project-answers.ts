import type { projects } from '@busbar/contract'

/** An instant of these answers. */
export const at = Date.UTC(2026, 10, 1)

/** Answers of the platform about a project of the person who reads it. */
export const project: projects.Project = {
  ...{ id: 5, name: 'MES Halle 3', description: 'Presses', type: null, eid: null, server: 1 },
  ...{
    report_state: 1,
    remote_report: false,
    picture: false,
    enable_get_visit_url: false,
    allow_write: false,
  },
  ...{ owner: 'Ann', secret_key: 'k-1234567890', user_length: 1, machine_length: 2, limit_authority: 3 },
  ...{ report_count: 200_000, available_count: 30_000, origins: [], variables: null, everyS: 30 },
  ...{ createdAt: at, state: 'failing', lagMs: 7_200_000, worstTarget: 'ERP', invitedBy: null },
}

/** The same for a member who is not its owner. */
export const projectOfMember: projects.Project = { ...project, limit_authority: 2 }

export const machine: projects.ProjectMachine = {
  ...{ machine_id: 3, emq_project_id: 5, project_name: 'MES Halle 3', machine_name: 'Press 1' },
  ...{ machine_code: '100000000003', online: true, reported: true, linkId: 8, addedBy: 'Ann' },
  ...{
    addedByMe: true,
    addedAt: at,
    stop: null,
    lastRowAt: at,
    mayWrite: true,
    mayVisit: false,
    mayOpen: false,
  },
}

export const otherMachine = ({
  id,
  name,
  stop,
}: {
  readonly id: number
  readonly name: string
  readonly stop: projects.LinkStop | null
}): projects.ProjectMachine => ({ ...machine, machine_id: id, machine_name: name, stop })
