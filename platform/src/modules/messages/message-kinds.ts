import type { messages as contract, enterprises, machines, Text } from '@busbar/contract'

type AlarmLevel = machines.AlarmLevel

/**
 * Every message that the platform writes: its tab, its type in lists, whether it reports a result, and the params of
 * its text (see message-text.ts). The applicant, the right and the result are read from the application; giver and
 * receiver of an offer, from the transfer (rules/messages.md: readers of a message).
 */
export const messageKinds = {
  /** To a machine's keys: an application for a right. */
  bindApply: { tab: 'inbox', type: 'bindApply', isResult: false, params: [] },
  visitApply: { tab: 'inbox', type: 'visitApply', isResult: false, params: [] },
  /** To the applicant or proposer: a copy of the application. */
  bindSent: { tab: 'sent', type: 'send', isResult: false, params: [] },
  visitSent: { tab: 'sent', type: 'send', isResult: false, params: [] },
  /** To the applicant: it was passed on, refused, or is over. */
  bindReply: { tab: 'sent', type: 'reply', isResult: true, params: ['isBlacklisted'] },
  visitReply: { tab: 'sent', type: 'reply', isResult: true, params: ['isBlacklisted'] },
  bindSuccess: { tab: 'sent', type: 'bindSuccess', isResult: true, params: [] },
  visitSuccess: { tab: 'sent', type: 'visitSuccess', isResult: true, params: ['until', 'mode'] },
  /** To the receiver of an offered machine, to the managers of a receiving enterprise, and back to the giver. */
  transferOffer: { tab: 'inbox', type: 'transfer', isResult: false, params: [] },
  transferSpaceOffer: { tab: 'inbox', type: 'transfer', isResult: false, params: ['enterprise'] },
  transferReply: { tab: 'sent', type: 'reply', isResult: true, params: [] },
  /**
   * To the receiver that an enterprise about to be deleted asks to take its devices, and to the managers of a receiving
   * enterprise; to its owners: the answer; and to a receiver who accepted: the result.
   */
  handoverAsked: {
    tab: 'inbox',
    type: 'transfer',
    isResult: false,
    params: ['person', 'enterprise', 'count', 'until'],
  },
  handoverSpaceAsked: {
    tab: 'inbox',
    type: 'transfer',
    isResult: false,
    params: ['person', 'enterprise', 'receiver', 'count', 'until'],
  },
  handoverReply: { tab: 'sent', type: 'reply', isResult: true, params: ['person', 'enterprise', 'answer'] },
  handoverOff: { tab: 'device', type: 'notice', isResult: false, params: ['enterprise'] },
  handoverDone: { tab: 'device', type: 'notice', isResult: false, params: ['enterprise', 'count'] },
  /** To a person: an enterprise's invitation. */
  enterpriseInvited: {
    tab: 'inbox',
    type: 'invitation',
    isResult: false,
    params: ['person', 'enterprise', 'role'],
  },
  /** To a person: somebody, or an enterprise, wants to send them reports. */
  reportRequest: { tab: 'inbox', type: 'reportRequest', isResult: false, params: ['person', 'contactId'] },
  /** To a person: somebody shared a board with them. */
  boardShared: {
    tab: 'inbox',
    type: 'notice',
    isResult: false,
    params: ['person', 'board', 'boardId', 'mode'],
  },
  /** To a person: somebody invites them to a project, or made them its owner. */
  projectInvited: {
    tab: 'inbox',
    type: 'invitation',
    isResult: false,
    params: ['person', 'project', 'projectId'],
  },
  projectOwner: { tab: 'inbox', type: 'notice', isResult: false, params: ['person', 'project', 'projectId'] },
  /** To a machine's keys: a project gets its values from now on. */
  projectMachine: {
    tab: 'device',
    type: 'notice',
    isResult: false,
    params: ['person', 'project', 'projectId'],
  },
  /** To a project's people: this part of the month's quota is used; and to its owner: wrong keys were tried. */
  projectQuota: {
    tab: 'project',
    type: 'projectAlarm',
    isResult: false,
    params: ['project', 'projectId', 'percent'],
  },
  /** To a project's people: one of its destinations keeps failing, is well again, or was switched off. */
  projectTarget: {
    tab: 'project',
    type: 'projectAlarm',
    isResult: false,
    params: ['project', 'projectId', 'target', 'targetState'],
  },
  projectKeys: { tab: 'project', type: 'projectAlarm', isResult: false, params: ['project', 'projectId'] },
  /** To a person: the link of a mail switched their e-mails off. */
  mailsOff: { tab: 'inbox', type: 'notice', isResult: false, params: [] },
  /** To a person: the test of their notifications. */
  alarmTest: { tab: 'inbox', type: 'notice', isResult: false, params: [] },
  /** To a machine's keys: a visitor was admitted by its password, or the password was tried too often. */
  passwordPassed: {
    tab: 'device',
    type: 'notice',
    isResult: false,
    params: ['person', 'right', 'until', 'mode'],
  },
  passwordTries: { tab: 'device', type: 'notice', isResult: false, params: ['person', 'count'] },
  /** To a person whose right was given or taken without an application; `person`: the actor. */
  rightGiven: {
    tab: 'device',
    type: 'notice',
    isResult: false,
    params: ['person', 'right', 'until', 'mode'],
  },
  rightTaken: {
    tab: 'device',
    type: 'notice',
    isResult: false,
    params: ['person', 'right', 'isBlacklisted'],
  },
  /** To a machine's Akey: an enterprise requests a maintenance window; and to the enterprise: the answer. */
  windowAsked: {
    tab: 'inbox',
    type: 'notice',
    isResult: false,
    params: ['enterprise', 'from', 'until', 'reason'],
  },
  windowAnswered: {
    tab: 'sent',
    type: 'reply',
    isResult: true,
    params: ['person', 'answer', 'from', 'until'],
  },
  /** To a machine's Akey: the enterprise that maintains it ended its window or contract. */
  windowEnded: { tab: 'device', type: 'notice', isResult: false, params: ['enterprise', 'from', 'until'] },
  /** To a machine's maintenance teams: a window or contract begins, or is over. */
  windowBegan: { tab: 'device', type: 'notice', isResult: false, params: ['from', 'until'] },
  windowOver: { tab: 'device', type: 'notice', isResult: false, params: ['from', 'until'] },
  /** To an enterprise's owners: one of them asked to delete it, or keeps it. */
  spaceLeaving: { tab: 'device', type: 'notice', isResult: false, params: ['person', 'enterprise', 'until'] },
  spaceStays: { tab: 'device', type: 'notice', isResult: false, params: ['person', 'enterprise'] },
  /** To the people notified of a machine's alarms; `count`: how often it was raised while it was active. */
  alarm: { tab: 'alarm', type: 'alarm', isResult: false, params: ['alarm', 'from', 'count'] },
  /** To a machine's keys: it sends more variables than are kept. */
  tagLimit: { tab: 'device', type: 'notice', isResult: false, params: ['max', 'refused'] },
  /** To a machine's keys: variables of it change their types again and again. */
  tagTypes: { tab: 'device', type: 'notice', isResult: false, params: ['tags'] },
  /** To a machine's keys: values that it had kept have times that cannot be, and are not stored. */
  impossibleTimes: { tab: 'device', type: 'notice', isResult: false, params: ['refused'] },
} as const satisfies Record<
  string,
  {
    tab: contract.MessageTab
    type: contract.MessageType
    isResult: boolean
    params: readonly (keyof MessageParams)[]
  }
>

export type MessageKind = keyof typeof messageKinds

/**
 * The parameters of a message beside its machine, application, transfer, invitation and handover; `messageKinds`
 * lists them by kind.
 */
export interface MessageParams {
  /**
   * The machine's name for a reader who has it in no list; left out: the present one. Empty: only its code is shown.
   */
  readonly machine?: string
  /** A person's name. */
  readonly person?: string
  readonly enterprise?: string
  /** The name of a board. */
  readonly board?: string
  /** The name of a project. */
  readonly project?: string
  readonly projectId?: number
  /** The name of a destination, and what happened to it. */
  readonly target?: string
  readonly targetState?: 'failing' | 'recovered' | 'gone' | 'failedTooLong' | 'operator'
  /** Of a quota. */
  readonly percent?: number
  /** The enterprise that is asked to take devices. */
  readonly receiver?: string
  /** In the enterprise. */
  readonly role?: enterprises.EnterpriseRole
  readonly right?: 'visitor' | 'bkey' | 'akey'
  /** Epoch milliseconds. */
  readonly from?: number
  /** Epoch milliseconds; -1 for no expiry. */
  readonly until?: number
  readonly mode?: 'ro' | 'rw'
  /** Refused or taken with blacklisting. */
  readonly isBlacklisted?: boolean
  readonly answer?: 'accepted' | 'refused' | 'suspended' | 'ended'
  /** In the applicant's words. */
  readonly reason?: string
  /** The alarm of a message, with its text by language. */
  readonly alarm?: { readonly id: number; readonly level: AlarmLevel; readonly text: Text }
  /** Wrong passwords within an hour, raisings of an alarm, or devices that are handed over. */
  readonly count?: number
  /** The request to get reports. */
  readonly contactId?: number
  /** The shared board. */
  readonly boardId?: number
  /** Variables a machine may have. */
  readonly max?: number
  /** Names of some that are not kept. */
  readonly refused?: readonly string[]
  /** Names of variables that the message is about. */
  readonly tags?: readonly string[]
}
