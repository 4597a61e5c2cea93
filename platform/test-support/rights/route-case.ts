import {
  access,
  alarmContacts,
  alarmRules,
  alarms,
  annotations,
  boards,
  changesSettings,
  findProjectField,
  type MemberRight,
  machines,
  messages,
  projects,
  type RequestOf,
  type Route,
  reports,
  sites,
  views,
} from '@busbar/contract'

/** The right that a call needs, as the contract or, where a service decides by the request, its case says. */
export type Needs =
  | 'public'
  | 'user'
  | 'operator'
  | 'machine'
  | 'projectKey'
  | 'prj'
  | 'prj:owner'
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
  /** A window that the enterprise requested. */
  | 'askedWindow'
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
  /** A site of the caller. */
  | 'site'
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
  /** A project of the caller, in the place they have; and one that invites them. */
  | 'project'
  | 'projectInvitation'
  /** A destination of such a project, and a delivery to one. */
  | 'destination'
  | 'delivery'
  /** A machine that the caller owns. */
  | 'ownMachine'
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

/** Fields that name a person's thing. */
export const isId = (name: string): boolean =>
  /(?:^e?id|Ids?|IDs?|^machineCodes?)$/.test(name) && name !== 'terminalID' && name !== 'loginOemId'

/** The thing that a field names, unless its case says otherwise. */
const kindsOfFields: Readonly<Record<string, Kind>> = {
  ...{ machineID: 'machine', machineId: 'machine', deviceId: 'machine', updateMachineID: 'machine' },
  ...{ machineIDs: 'machines', machineIds: 'machines', machines: 'machines', delMachineID: 'listEntry' },
  ...{ machineCode: 'code', updateMachineCode: 'code', machineCodes: 'codes' },
  ...{ tagId: 'tag', tagIds: 'tags', alarmId: 'alarm', alarmIds: 'alarms', ruleId: 'rule' },
  ...{ eid: 'eid', groupId: 'group', teamId: 'team', userId: 'member', memberIds: 'members' },
  ...{ visitTimeId: 'grant', visitAlidTimeID: 'grant', sessionId: 'visit' },
  ...{ fileId: 'reportFile', jobId: 'export', projectId: 'project', targetId: 'destination' },
}

/** The things that `id` and `ids` name in the routes of a noun. */
const kindsOfNouns: readonly (readonly [noun: object, id: Kind, ids?: Kind])[] = [
  [alarmRules, 'rule', 'rules'],
  [alarms, 'alarm', 'alarms'],
  [messages, 'message', 'messages'],
  [alarmContacts, 'contact'],
  [annotations, 'annotation'],
  [access, 'grant'],
  [boards, 'board'],
  [machines, 'userGroup'],
  [projects, 'project'],
  [reports, 'report'],
  [sites, 'site'],
  [views, 'view'],
]

function kindOf(route: Route, field: string): Kind | undefined {
  const { who } = route
  if (typeof who === 'object' && 'prj' in who) {
    const named = findProjectField(who)
    if (named.field === field) return named.kind
  }
  const [, id, ids] = kindsOfNouns.find(([noun]) => Object.values(noun).includes(route)) ?? []
  return field === 'id' ? id : field === 'ids' ? ids : kindsOfFields[field]
}

/** The needs that the contract declares. */
export function needsOf(route: Route): Needs {
  const { who } = route
  if (typeof who === 'string') return who
  if ('ent' in who) return who.ent === 'member' ? 'ent' : `ent:${who.ent}`
  if ('prj' in who) return who.prj === 'member' ? 'prj' : 'prj:owner'
  const mode = changesSettings(route) ? ' rw' : ''
  return `${who.right}${mode}${who.orMember ? ` or ent:${who.orMember}` : ''}` as Needs
}

/**
 * A case of a route. The ids of its request are found by the names of their fields; `rest` has the other fields, or ids in
 * place of them; `ids` has those of another kind. Operators name things that do not exist.
 */
export function routeCase<R extends Route>(
  route: R,
  rest: Partial<RequestOf<R>> = {},
  ids: Partial<Record<keyof RequestOf<R> & string, Kind>> = {},
  needs: Needs = needsOf(route),
): RouteCase {
  const left = Object.keys(route.request.shape).filter((name) => !(name in rest))
  if (needs === 'operator') {
    const named = left.filter(isId).map((name) => [name, name === 'jobId' ? missing.jobId : missing.id])
    return { route, needs, ids: {}, rest: { ...Object.fromEntries(named), ...rest } }
  }
  const found = left.flatMap((name) => {
    const kind = kindOf(route, name)
    return kind ? [[name, kind] as const] : []
  })
  return { route, needs, ids: { ...Object.fromEntries(found), ...(ids as Record<string, Kind>) }, rest }
}

/** A call for a person's own space, for everybody, and for an enterprise's, with a right in it. */
export function inBoth<R extends Route>(
  route: R,
  inEnterprise: Needs,
  rest: Partial<RequestOf<R>> = {},
  ids: Partial<Record<keyof RequestOf<R> & string, Kind>> = {},
): RouteCase[] {
  const own = { ...rest, eid: undefined } as Partial<RequestOf<R>>
  return [routeCase(route, own, ids), routeCase(route, rest, ids, inEnterprise)]
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
