import type { enterprises, MemberRight } from '@busbar/contract'

/** Something that was done to an enterprise. */
interface OfEnterprise {
  readonly enterpriseId: number
  readonly by: number
}

/** To one person's place in it. */
interface OfPerson extends OfEnterprise {
  readonly userId: number
}

interface OfDevice extends OfEnterprise {
  readonly machineId: number
  readonly machineCode: string
}

/** To a team; `people`: those whose rights it decides or decided. */
interface OfTeam extends OfEnterprise {
  readonly people: readonly number[]
}

/** A maintenance window that begins or ends by time alone; `crew`: the machine's maintenance teams. */
interface WindowTurn {
  readonly enterpriseId: number
  readonly machineId: number
  readonly windowId: number
  readonly from: number
  readonly until: number
  readonly crew: readonly number[]
}

/** Facts of enterprises, their people, devices and maintenance windows, by kind; their names stand beside them. */
export interface EnterpriseFacts {
  'enterprise.made': OfEnterprise
  'enterprise.changed': OfEnterprise & {
    readonly applyLogoUrl?: string | undefined
    readonly timeZone?: string | undefined
    readonly awayRules?: boolean | undefined
  }
  'invitation.sent': OfPerson & {
    readonly invitationId: number
    readonly role: enterprises.EnterpriseRole
    readonly rights: readonly MemberRight[]
  }
  'invitation.changed': OfPerson & {
    readonly invitationId: number
    readonly role: enterprises.EnterpriseRole
    readonly rights: readonly string[]
    readonly formerRole: string
  }
  'invitation.withdrawn': OfPerson & { readonly invitationId: number }
  'invitation.answered': OfPerson & {
    readonly invitationId: number
    readonly invitedBy: number
    readonly action: 'accept' | 'decline'
    readonly role: string
  }
  'member.changed': OfPerson & {
    readonly role: enterprises.EnterpriseRole
    readonly rights: readonly MemberRight[]
  }
  'member.removed': OfPerson & { readonly role: enterprises.EnterpriseRole }
  'member.left': OfPerson & { readonly role: enterprises.EnterpriseRole }
  'team.made': OfTeam & { readonly teamKind: string }
  'team.changed': OfTeam & {
    readonly memberIds?: readonly number[] | undefined
    readonly machineIds?: readonly number[] | undefined
  }
  'team.removed': OfTeam
  'group.made': OfEnterprise
  'group.renamed': OfEnterprise
  'group.removed': OfEnterprise
  'device.added': OfDevice
  /** `people`: of its former and present teams, if those changed. */
  'device.changed': OfDevice & {
    readonly groupId?: number | undefined
    readonly teamId?: number | undefined
    readonly people: readonly number[]
  }
  'device.removed': OfDevice & { readonly deviceKind: string }
  /** `asked`: the Akeys who may answer; `from` and `until`: of the window; -1: without an end. */
  'maintenance.asked': OfDevice & {
    readonly windowId: number
    readonly asked: readonly number[]
    readonly from: number
    readonly until: number
    readonly scopes: readonly string[]
  }
  /**
   * `to`: who had asked; `maintainers`: of the enterprise; `crew`: of them, the machine's maintenance teams. `began`: by
   * this consent, since its time had come.
   */
  'maintenance.answered': OfDevice & {
    readonly windowId: number
    readonly action: enterprises.MaintenanceAction
    readonly state: enterprises.MaintenanceState
    readonly to: number | null
    readonly from: number
    readonly until: number
    readonly began: boolean
    readonly maintainers: readonly number[]
    readonly crew: readonly number[]
  }
  /** The enterprise ended its request, window or contract. `told`: the Akeys, unless they had not answered yet. */
  'maintenance.withdrawn': OfDevice & {
    readonly windowId: number
    readonly told: readonly number[]
    readonly from: number
    readonly until: number
    readonly maintainers: readonly number[]
    readonly crew: readonly number[]
  }
  /** A window opened or closed by itself. */
  'maintenance.began': WindowTurn
  'maintenance.ranOut': WindowTurn
  /** Windows of an enterprise opened or closed by themselves. */
  'maintenance.turned': {
    readonly enterpriseId: number
    readonly machineIds: readonly number[]
    readonly maintainers: readonly number[]
  }
}
