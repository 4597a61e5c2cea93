import { access, applications, enterprises } from '@busbar/contract'
import type { MessageTexts, TextFacts, Written } from './message-texts.ts'
import { markTime as at } from './message-times.ts'

const { auditStates } = applications
const levels = { critical: 'Critical', major: 'Major', minor: 'Minor', info: 'Information' }
const modes = { ro: 'read-only', rw: 'read-write' }
const roles = { owner: 'an owner', admin: 'an administrator', member: 'a member' }
const rights = { visitor: 'visitor', bkey: 'Bkey', akey: 'Akey' }
const spanOf = ({ from, until }: TextFacts) =>
  until === enterprises.noEnd ? `from ${at(from)}, without an end` : `from ${at(from)} to ${at(until)}`
/** A visitor's right, and its end. */
function termsOf({ mode, until }: TextFacts): string {
  if (until === access.visitTimes.over) return modes[mode]
  return `${modes[mode]}, ${until === access.visitTimes.forever ? 'without expiry' : `until ${at(until)}`}`
}
const noteOf = ({ note }: TextFacts) => (note ? `. Message: ${note}` : '')
const blacklistOf = ({ isBlacklisted }: TextFacts) =>
  isBlacklisted ? ', and added you to the device’s blacklist' : ''
const rightOf = (facts: TextFacts) =>
  facts.right === 'visitor' ? `a visitor, ${termsOf(facts)}` : `its ${rights[facts.right]}`

/** A device that is offered, with the enterprise it is of. */
const offeredOf = ({ machine, giver }: TextFacts) =>
  giver ? `“${machine}” of the enterprise “${giver}”` : `“${machine}”`

/** The end of an application that was not passed. */
function endOf(facts: TextFacts): string {
  if (facts.auditState === auditStates.refusedByAkey) return `The Akey declined${blacklistOf(facts)}`
  if (facts.auditState === auditStates.refusedByBkey) return `A Bkey declined${blacklistOf(facts)}`
  return 'The request expired after 24 hours or was withdrawn'
}

function bindOf({ reader, person, proposer, machine }: TextFacts): string {
  if (reader === 'proposer') return `You proposed ${person} as a Bkey of “${machine}”`
  return proposer
    ? `${proposer} proposed you as a Bkey of “${machine}”`
    : `You requested to become a Bkey of “${machine}”`
}

const transferEnds: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  refused: 'declined',
  withdrawn: 'can no longer accept',
  expired: 'didn’t answer in time',
}
const handoverAnswers: Readonly<Record<string, string>> & { readonly ended: string } = {
  accepted: 'accepted. You can now delete the enterprise and hand over its devices',
  refused: 'declined',
  ended: 'can no longer accept them',
}
const devices = (count: number) => (count === 1 ? 'one device' : `${count} devices`)
const windowAnswers = {
  accepted: 'approved',
  refused: 'declined',
  suspended: 'suspended',
  ended: 'ended',
}

/** The texts of messages: people, action, device, time. */
export const en: MessageTexts = {
  bindApply: (facts) => ({
    title: 'Bkey request',
    body: facts.proposer
      ? `${facts.proposer} proposes ${facts.person} as a Bkey of “${facts.machine}”. The Akey needs to approve`
      : `${facts.person} requests to become a Bkey of “${facts.machine}”${noteOf(facts)}`,
  }),
  visitApply: (facts) => ({
    title: 'Visit request',
    body: `${facts.person} requests ${modes[facts.mode]} access to “${facts.machine}”${noteOf(facts)}`,
  }),
  bindSent: (facts) => ({
    title: 'Request sent',
    body: `${bindOf(facts)}. The key holders have been notified`,
  }),
  visitSent: (facts) => ({
    title: 'Request sent',
    body: `You requested ${modes[facts.mode]} access to “${facts.machine}”. The key holders have been notified${facts.note ? `. Your message: ${facts.note}` : ''}`,
  }),
  bindReply: (facts) => ({ title: 'Bkey request not approved', body: `${bindOf(facts)}. ${endOf(facts)}` }),
  visitReply: (facts) => ({
    title: 'Visit request not approved',
    body: `You requested a visit to “${facts.machine}”. ${endOf(facts)}`,
  }),
  bindSuccess: (facts) => ({
    title: facts.reader === 'proposer' ? 'Bkey request approved' : 'You are now a Bkey',
    body:
      facts.reader === 'proposer'
        ? `${facts.person} is now a Bkey of “${facts.machine}”`
        : `You are now a Bkey of “${facts.machine}”`,
  }),
  visitSuccess: (facts) => ({
    title: 'Visit request approved',
    body: `You can now visit “${facts.machine}”: ${termsOf(facts)}`,
  }),
  transferOffer: (facts) => ({
    title: 'Device transfer',
    body: `${facts.person} wants to transfer ${offeredOf(facts)} to you. If you accept, you become its Akey`,
  }),
  transferSpaceOffer: (facts) => ({
    title: 'Device transfer to your enterprise',
    body: `${facts.person} wants to transfer ${offeredOf(facts)} to “${facts.enterprise}”. If you accept, the device belongs to that enterprise`,
  }),
  handoverAsked: ({ person, enterprise, count, until }) => ({
    title: 'Request to take over an enterprise’s devices',
    body: `${person} asks you to take over ${devices(count)} of “${enterprise}” when that enterprise is deleted. Answer by ${at(until)}. If you accept, you become the Akey of each device after the deletion`,
  }),
  handoverSpaceAsked: ({ person, enterprise, receiver, count, until }) => ({
    title: 'Request to take over devices',
    body: `${person} asks “${receiver}” to take over ${devices(count)} of “${enterprise}” when that enterprise is deleted. Answer by ${at(until)}. If you accept, the devices belong to your enterprise after the deletion`,
  }),
  handoverReply: ({ person, enterprise, answer }) => ({
    title: answer === 'accepted' ? 'Hand-over of devices accepted' : 'Hand-over of devices not accepted',
    body: `You asked ${person} to take over the devices of “${enterprise}”. ${person} ${handoverAnswers[answer] ?? handoverAnswers.ended}`,
  }),
  handoverOff: ({ enterprise }) => ({
    title: 'Hand-over of devices cancelled',
    body: `You won’t get the devices of “${enterprise}” that you accepted, because the enterprise withdrew its request or won’t be deleted`,
  }),
  handoverDone: ({ enterprise, count }) => ({
    title: 'Devices handed over',
    body: `“${enterprise}” was deleted, and ${count === 1 ? 'its device was' : `${count} of its devices were`} handed over to you or your enterprise`,
  }),
  enterpriseInvited: ({ person, enterprise, role }) => ({
    title: 'Invitation to an enterprise',
    body: `${person} invites you to join “${enterprise}” as ${roles[role]}`,
  }),
  projectInvited: ({ person, project }) => ({
    title: 'Invitation to a project',
    body: `${person} invites you to the project “${project}”`,
  }),
  projectOwner: ({ person, project }) => ({
    title: 'Project transferred to you',
    body: `${person} made you the owner of the project “${project}”`,
  }),
  projectMachine: ({ person, project, machine }) => ({
    title: 'Device added to a project',
    body: `${person} added “${machine}” to the project “${project}”, which gets its values from now on`,
  }),
  projectQuota: ({ project, percent }) => ({
    title: percent === 100 ? 'Quota used up' : 'Quota running out',
    body:
      percent === 100
        ? `The project “${project}” has used its rows of this month. Values are still stored, and are reported when there is a quota again`
        : `The project “${project}” has used ${percent}% of its rows of this month`,
  }),
  projectTarget: ({ project, target, targetState }) => targetTexts[targetState](project, target),
  projectKeys: ({ project }) => ({
    title: 'Wrong project keys',
    body: `Someone tries keys of the project “${project}” that are wrong. If it is your own system, check its key`,
  }),
  reportRequest: ({ person }) => ({
    title: 'Scheduled reports by e-mail',
    body: `${person} wants to send you scheduled reports about devices by e-mail. They are sent only after you agree`,
  }),
  alarmTest: () => ({
    title: 'Test of alarm notifications',
    body: 'This is a test: when a device raises an alarm, you are notified here and on open pages',
  }),
  boardShared: ({ person, board, mode }) => ({
    title: 'Board shared with you',
    body: `${person} shared the board “${board}” with you, ${mode === 'rw' ? 'to view and edit' : 'to view'}. Open it from your list of boards`,
  }),
  mailsOff: () => ({
    title: 'E-mails turned off',
    body: 'The unsubscribe link of an e-mail turned off all e-mails to you, those of alarms too. You can turn them on again in the notification settings',
  }),
  transferReply: ({ person, machine, transferState }) => ({
    title: transferState === 'accepted' ? 'Device transferred' : 'Device not transferred',
    body: `You offered “${machine}” to ${person}, who ${transferEnds[transferState] ?? 'hasn’t answered'}`,
  }),
  passwordPassed: (facts) => ({
    title: 'Access by device password',
    body: `${facts.person} entered the device password of “${facts.machine}” and is now ${rightOf(facts)}`,
  }),
  passwordTries: ({ person, machine, count }) => ({
    title: 'Wrong device passwords',
    body: `${count} wrong passwords were entered for “${machine}” within an hour${person ? `, the last by ${person}` : ''}. If you don’t recognise these attempts, change the device password`,
  }),
  rightGiven: (facts) => ({
    title: 'Device access granted',
    body: facts.person
      ? `${facts.person} granted you access to “${facts.machine}”. You are now ${rightOf(facts)}`
      : `You now have access to “${facts.machine}” as ${rightOf(facts)}`,
  }),
  rightTaken: (facts) => ({
    title: 'Device access revoked',
    body: facts.person
      ? `${facts.person} revoked your access as ${rights[facts.right]} of “${facts.machine}”${blacklistOf(facts)}`
      : `Your access as ${rights[facts.right]} of “${facts.machine}” has ended`,
  }),
  windowAsked: (facts) => ({
    title: 'Maintenance request',
    body: `${facts.enterprise} requests a maintenance window for “${facts.machine}” ${spanOf(facts)}${facts.reason ? `: ${facts.reason}` : ''}`,
  }),
  windowEnded: (facts) => ({
    title: 'A maintenance window was ended',
    body: `${facts.enterprise} ended the maintenance of “${facts.machine}” ${spanOf(facts)}`,
  }),
  windowBegan: (facts) => ({
    title: 'A maintenance window begins',
    body: `You maintain “${facts.machine}” ${spanOf(facts)}`,
  }),
  windowOver: (facts) => ({
    title: 'A maintenance window is over',
    body: `The maintenance of “${facts.machine}” ${spanOf(facts)} has ended`,
  }),
  windowAnswered: (facts) => ({
    title: 'Answer to your maintenance request',
    body: `${facts.person} ${windowAnswers[facts.answer]} the maintenance window for “${facts.machine}” ${spanOf(facts)}`,
  }),
  spaceLeaving: ({ person, enterprise, until }) => ({
    title: 'Your enterprise will be deleted',
    body: `${person} asked to delete the enterprise “${enterprise}”. Any owner can cancel the deletion until ${at(until)}`,
  }),
  spaceStays: ({ person, enterprise }) => ({
    title: 'Deletion of your enterprise cancelled',
    body: `${person} cancelled the deletion of the enterprise “${enterprise}”`,
  }),
  alarm: ({ machine, alarm, from, count }) => ({
    title: `${levels[alarm.level]} alarm`,
    body: `“${machine}” raised an alarm at ${at(from)}: ${alarm.text.en}${count > 1 ? ` (${count} times)` : ''}`,
  }),
  tagLimit: ({ machine, max, refused }) => ({
    title: 'Too many variables',
    body: `“${machine}” sends more than ${max} variables. Variables above the limit aren’t stored, for example ${refused.join(', ')}`,
  }),
  tagTypes: ({ machine, tags }) => ({
    title: 'Variables keep changing their types',
    body: `Variables of “${machine}” change their types again and again, so their history is in pieces: ${tags.join(', ')}. Check what the device sends, or set the type in the settings of the variable.`,
  }),
  impossibleTimes: ({ machine, refused }) => ({
    title: 'Values with impossible times',
    body: `“${machine}” sent late values whose times are before 2000 or after tomorrow. They aren’t stored, for example ${refused.join(', ')}. Check the clock of the device.`,
  }),
}

/** The events of a destination. */
const targetTexts: Readonly<Record<TextFacts['targetState'], (project: string, target: string) => Written>> =
  {
    failing: (project, target) => ({
      title: 'Destination keeps failing',
      body: `“${target}” of the project “${project}” accepts no rows. None is lost: they are tried again for 72 hours`,
    }),
    recovered: (project, target) => ({
      title: 'Destination recovered',
      body: `“${target}” of the project “${project}” accepts rows again, and gets those that waited`,
    }),
    gone: (project, target) => ({
      title: 'Destination turned off',
      body: `“${target}” of the project “${project}” answered 410 and is turned off`,
    }),
    failedTooLong: (project, target) => ({
      title: 'Destination turned off',
      body: `“${target}” of the project “${project}” failed for 72 hours and is turned off`,
    }),
    operator: (project, target) => ({
      title: 'Destination turned off',
      body: `The operator turned off “${target}” of the project “${project}”`,
    }),
  }
