import type { messages as contract, enterprises, machines, Text } from '@busbar/contract'

type AlarmLevel = machines.AlarmLevel

/**
 * Every message the platform writes: its tab, what lists call it, whether it tells how something ended, and which
 * params its text tells (see message-text.ts). Who applied, for what and how that ended, is read from the application;
 * who offered a machine to whom, from the transfer.
 */
export const messageKinds = {
  /** To a machine's keys: somebody asks for a right. */
  bindApply: { tab: 'inbox', type: 'bindApply', isResult: false, params: [] },
  visitApply: { tab: 'inbox', type: 'visitApply', isResult: false, params: [] },
  /** To whoever asked, or proposed somebody: what they sent. */
  bindSent: { tab: 'sent', type: 'send', isResult: false, params: [] },
  visitSent: { tab: 'sent', type: 'send', isResult: false, params: [] },
  /** To whoever asked: it was passed on, refused, or is over. */
  bindReply: { tab: 'sent', type: 'reply', isResult: true, params: ['isBlacklisted'] },
  visitReply: { tab: 'sent', type: 'reply', isResult: true, params: ['isBlacklisted'] },
  bindSuccess: { tab: 'sent', type: 'bindSuccess', isResult: true, params: [] },
  visitSuccess: { tab: 'sent', type: 'visitSuccess', isResult: true, params: ['until', 'mode'] },
  /** To whom a machine is offered, to the managers of the enterprise it is offered to, and back to who offered it. */
  transferOffer: { tab: 'inbox', type: 'transfer', isResult: false, params: [] },
  transferSpaceOffer: { tab: 'inbox', type: 'transfer', isResult: false, params: ['enterprise'] },
  transferReply: { tab: 'sent', type: 'reply', isResult: true, params: [] },
  /**
   * To whom an enterprise that is to be deleted asks to take its devices, and to the managers of the enterprise it asks;
   * to its owners: the answer; and to the receiver who accepted: what became of it.
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
  /** To a person whom an enterprise invites. */
  enterpriseInvited: {
    tab: 'inbox',
    type: 'invitation',
    isResult: false,
    params: ['person', 'enterprise', 'role'],
  },
  /** To a machine's keys: its password let somebody in, or was tried too often. */
  passwordPassed: {
    tab: 'device',
    type: 'notice',
    isResult: false,
    params: ['person', 'right', 'until', 'mode'],
  },
  passwordTries: { tab: 'device', type: 'notice', isResult: false, params: ['person', 'count'] },
  /** To whom a right was given or taken without having been asked for; `person`: by whom. */
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
  /** To a machine's Akey: an enterprise asks for a maintenance window; and what was said to it. */
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
  /** To an enterprise's owners: one of them asked to delete it, or keeps it. */
  spaceLeaving: { tab: 'device', type: 'notice', isResult: false, params: ['person', 'enterprise', 'until'] },
  spaceStays: { tab: 'device', type: 'notice', isResult: false, params: ['person', 'enterprise'] },
  /** To whoever is told of a machine's alarms; `count`: how often it was raised while it stood. */
  alarm: { tab: 'alarm', type: 'alarm', isResult: false, params: ['alarm', 'from', 'count'] },
  /** To a machine's keys: it sends more variables than are kept. */
  tagLimit: { tab: 'device', type: 'notice', isResult: false, params: ['max', 'refused'] },
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
  /** What the machine is called to a reader who has it in no list; left out: as now. Empty: its code alone is told. */
  readonly machine?: string
  /** A person's name. */
  readonly person?: string
  readonly enterprise?: string
  /** The enterprise that is asked to take devices. */
  readonly receiver?: string
  /** In the enterprise. */
  readonly role?: enterprises.EnterpriseRole
  readonly right?: 'visitor' | 'bkey' | 'akey'
  /** Epoch milliseconds. */
  readonly from?: number
  /** Epoch milliseconds; -1 for ever. */
  readonly until?: number
  readonly mode?: 'ro' | 'rw'
  /** Refused or taken for good. */
  readonly isBlacklisted?: boolean
  readonly answer?: 'accepted' | 'refused' | 'suspended' | 'ended'
  /** In the words of whoever asks. */
  readonly reason?: string
  /** The alarm a letter tells of, with what it says by language. */
  readonly alarm?: { readonly id: number; readonly level: AlarmLevel; readonly text: Text }
  /** Wrong passwords within an hour, raisings of an alarm, or devices that are handed over. */
  readonly count?: number
  /** Variables a machine may have. */
  readonly max?: number
  /** Names of some that are not kept. */
  readonly refused?: readonly string[]
}
