import type { MemberRight, RequestOf, Route } from '@busbar/contract'

/**
 * The right that a call needs by the rules; written here a second time, so that a `who` changed by mistake is found.
 */
export type Needs =
  | 'public'
  | 'user'
  | 'operator'
  | 'machine'
  /** The machine in the caller's own list. */
  | 'entry'
  | 'listed'
  | 'holder'
  | 'visitor+'
  | 'bkey+'
  | SettingRight
  | 'akey'
  | 'ent'
  | `ent:${MemberRight | 'admin'}`
  | MachineRightOrMember

/** A right over a machine, or instead of it a member's right in the enterprise that owns the machine. */
export type MachineRightOrMember = `${'holder' | 'bkey+' | SettingRight} or ent:${MemberRight}`

/** A key that may change settings: not one with read-only access. */
type SettingRight = 'bkey+ rw'

/** The kind of thing that an id in a request names. */
export type Kind =
  | 'machine'
  | 'code'
  | 'grant'
  | 'tag'
  | 'tags'
  | 'window'
  | 'eid'
  | 'group'
  | 'team'
  | 'member'
  | 'members'
  | 'invitationSent'
  | 'invitation'
  | 'handover'
  /** A contact of somebody who wants to send the caller reports. */
  | 'reportRequest'
  | 'friend'
  | 'session'
  | 'visit'
  | 'machines'
  | 'codes'
  | 'userGroup'
  | 'message'
  | 'messages'
  | 'alarm'
  | 'alarms'
  | 'shelve'
  | 'rule'
  | 'rules'
  /** A contact of the caller. */
  | 'contact'
  /** A contact of the enterprise. */
  | 'spaceContact'
  /** A board of the caller. */
  | 'board'
  /** A saved view of the caller. */
  | 'view'
  /** A note of the caller on the past of a machine. */
  | 'annotation'
  /** An export of the caller. */
  | 'export'
  /** A template of boards of the caller. */
  | 'boardTemplate'
  /** A report of the caller, and a file of one. */
  | 'report'
  | 'reportFile'
  /** A template of alarm rules. */
  | 'template'
  /** Any person's, for the machine. */
  | 'bindApplication'
  | 'visitApplication'
  /** The caller's own. */
  | 'application'
  /** A machine that is in the caller's list, and unrelated to the other people here. */
  | 'listEntry'
  /** A machine that is offered to the caller. */
  | 'offer'
  /** A machine that is offered to an enterprise the caller manages. */
  | 'spaceOffer'
  /** An enterprise that a machine is offered to: anyone’s. */
  | 'receiver'
  /** May be left out for the caller's own: the route compares or limits it further. */
  | 'claimedGrant'
  | 'claimedTeam'

/** One route, its needs, and a request to it that passes the checks with the smallest effect. */
export interface RouteCase {
  readonly route: Route
  readonly needs: Needs
  readonly ids: Readonly<Record<string, Kind>>
  readonly rest: Readonly<Record<string, unknown>>
}

export function routeCase<R extends Route>(
  route: R,
  needs: Needs,
  ids: Partial<Record<keyof RequestOf<R> & string, Kind>> = {},
  rest: Partial<RequestOf<R>> = {},
): RouteCase {
  return { route, needs, ids: ids as Record<string, Kind>, rest: rest as Record<string, unknown> }
}

export const missing = {
  id: 999_999_999,
  jobId: '00000000-0000-4000-8000-000000000000',
  code: '9'.repeat(19),
}
export const emptyBoard = {
  variable: { machineType: 'press' },
  range: { lastMs: 3_600_000 },
  tiles: [],
}
export const viewState = { tags: [1], last: 3_600_000 }
export const dailyReport = {
  name: 'Daily',
  schedule: { every: 'day' as const, hour: 8, timeZone: 'UTC' },
  content: { machineIds: [] as number[], tags: [], parts: ['alarms' as const] },
}
/** The fields of a report beside those of its preview. */
export const sentReport = {
  ...dailyReport,
  formats: ['pdf' as const],
  recipients: { userIds: [], contactIds: [] },
}
export const boardFile = {
  format: 'busbar-board' as const,
  formatVersion: 1 as const,
  name: 'Line 1',
  layout: emptyBoard,
}
/** An account that does not exist. */
export const nobody = { account: 'nobody@example.test' }
/** The same where a call takes a friend’s id as well. */
export const nobodyByAccount = { ...nobody, userId: undefined }
export const terminal = { terminalID: 'terminal' }
