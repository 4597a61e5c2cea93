import type { access, applications } from '@busbar/contract'

/** Something that was done to a machine. */
interface OfMachine {
  readonly machineId: number
  readonly machineCode: string
  /** The actor; null for a change by time alone. */
  readonly by: number | null
}

interface OfApplication extends OfMachine {
  /** The person who gets the right. */
  readonly userId: number
  readonly applicationId: number
  readonly right: applications.ApplicationKind
  /** The Bkey who asks in that person's place. */
  readonly proposedBy: number | null
  readonly state: applications.AuditState
  /** Everybody whose pages show the application. */
  readonly told: readonly number[]
}

/** The terms of a grant; left out: unchanged. `until` null: no expiry. */
interface Terms {
  readonly until?: number | null
  readonly readOnly?: boolean
  readonly alarms?: boolean
}

interface OfTransfer extends OfMachine {
  readonly transferId: number
  /** The person who offered the machine. */
  readonly from: number
}

/** The receiver of an offered machine: a person or an enterprise. */
interface Receiver {
  readonly to: number | null
  readonly toEid: number | null
}

/** Facts of applications, of grants, of machines' settings and of their owners, by kind. */
export interface RightFacts {
  /** A person applies for a right; `asked`: the keys who may answer. */
  'application.opened': OfApplication & { readonly asked: readonly number[] }
  /** The Akeys have to answer once more, because no Bkey can. */
  'application.askedAgain': OfApplication & { readonly asked: readonly number[] }
  /** A key answered; `state` shows whether another key has to answer, too. */
  'application.answered': OfApplication & { readonly step: 'passed' | 'refused' }
  /**
   * The application is closed: passed with these terms, or over. If it was passed by password, its keys are notified.
   */
  'application.ended': OfApplication & {
    readonly step: applications.ApplicationStep
    readonly until?: number
    readonly mode?: access.VisitMode
    readonly isBlacklisted?: boolean
    readonly keys?: readonly number[]
  }
  /** A person was made Bkey, or let in; `isAsked`: after an application or a proposal. */
  'grant.given': OfMachine &
    Terms & { readonly userId: number; readonly role: 'bkey' | 'visitor'; readonly isAsked: boolean }
  'grant.changed': OfMachine &
    Terms & { readonly userId: number; readonly change: 'visitTime' | 'readOnly' | 'alarms' }
  /** A visit time ran out. */
  'grant.ranOut': { readonly machineId: number; readonly userId: number }
  /** A grant is gone; `role` is null if a person left without one. */
  'grant.ended': OfMachine & {
    readonly userId: number
    readonly role: 'bkey' | 'visitor' | null
    readonly how: 'removed' | 'lowered' | 'left'
  }
  /** A person was blacklisted; `role`: of the grant that ended with it. */
  'machine.blacklisted': OfMachine & {
    readonly userId: number
    readonly role: 'bkey' | 'visitor' | null
  }
  'machine.unblacklisted': OfMachine & { readonly userId: number }
  'machine.cloudChanged': OfMachine & { readonly isOpen: boolean }
  'machine.passwordChanged': OfMachine
  'machine.secretReset': OfMachine
  'machine.checkTypeChanged': OfMachine & { readonly checkType: number }
  'machine.renamed': OfMachine
  'machine.imageChanged': OfMachine & { readonly projectImage: string }
  /** A machine is understood in another way: its adapter, time zone, text encoding or topics changed. */
  'machine.languageChanged': {
    readonly machineId: number
    readonly machineCode?: string
    readonly by?: number | null
    readonly adapter?: string | undefined
    readonly timeZone?: string | undefined
    readonly textEncoding?: string | undefined
    readonly otherTopics?: boolean | undefined
  }
  /**
   * Keys changed the settings of a machine's tags; `opened`, `closed`: how many became writable, and how many
   * read-only.
   */
  'machine.tagsDescribed': OfMachine & {
    readonly tags: number
    readonly opened: number
    readonly closed: number
  }
  /** Its Akey gave a machine up: it has no owner now. */
  'machine.givenUp': OfMachine
  /** `asked`: the people who may accept. */
  'transfer.offered': OfTransfer & Receiver & { readonly asked: readonly number[] }
  'transfer.withdrawn': OfTransfer
  'transfer.refused': OfTransfer
  'transfer.accepted': OfTransfer & Receiver
  'transfer.ranOut': Omit<OfTransfer, 'machineCode' | 'by'>
}
