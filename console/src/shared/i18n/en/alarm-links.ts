import type { AlarmLinksText } from '../cn/alarm-links.ts'
import { outside } from './outside.ts'

const words: AlarmLinksText = {
  loading: 'Loading…',
  unknownTitle: 'This link is invalid or has expired',
  unknownBody: 'Use the link in the latest e-mail, or sign in to the platform.',
  toSignIn: 'Sign in',
  failedTitle: 'Couldn’t load the page',
  failedBody: 'Check your connection and try again.',
  retry: 'Try again',
  actFailed: 'The request failed. Try again later.',
  alarm: {
    title: 'Device alarm',
    doneTitle: 'Alarm acknowledged',
    levels: { critical: 'Critical', major: 'Major', minor: 'Minor', info: 'Information' },
    device: 'Device',
    value: 'Value when raised',
    limit: 'Limit',
    raisedAt: 'Raised',
    clearedAt: 'Cleared',
    count: 'Count',
    confirmed: 'Acknowledged',
    confirmedBy: (who, at) => `${who}, ${at}`,
    time: (at, offset) => `${at} (${offset})`,
    on: 'On',
    off: 'Off',
    submit: 'Acknowledge alarm',
    hint: 'Acknowledging records that you know about the alarm. The device keeps running unchanged.',
    notAllowed: 'You can’t acknowledge this alarm. Ask the Akey of the device, or sign in to the platform.',
  },
  contact: {
    alarms: {
      title: 'Receive device alarms',
      lead: (from, email) => `${from} wants to send device alarms to ${email}.`,
      hint: 'Alarm e-mails are sent only after you agree. Every e-mail has a link to unsubscribe.',
      submit: 'Agree',
      doneTitle: 'Address confirmed',
      doneBody: (from, email) => `Device alarms from ${from} will be sent to ${email}.`,
    },
    reports: {
      title: 'Receive scheduled reports',
      lead: (from, email) => `${from} wants to send scheduled reports to ${email}.`,
      hint: 'Reports are sent only after you agree. Every e-mail has a link to unsubscribe.',
      submit: 'Agree',
      doneTitle: 'You agreed',
      doneBody: (from, email) => `Scheduled reports from ${from} will be sent to ${email}.`,
    },
  },
  thisAddress: 'This address',
  yourAddress: 'your address',
  unsubscribe: {
    reports: {
      title: 'Unsubscribe from reports',
      lead: (from, email) => `${email} will no longer receive scheduled reports from ${from}.`,
      hint: 'To stop all such e-mails, sign in and turn them off in the notification settings.',
      submit: 'Unsubscribe',
      doneTitle: 'Unsubscribed',
      doneBody: (from, email) => `${email} no longer receives scheduled reports from ${from}.`,
    },
    alarms: {
      title: 'Unsubscribe from alarm e-mails',
      lead: (from, email) => `${email} will no longer receive device alarms from ${from}.`,
      hint: 'To receive them again, contact the person who added you.',
      submit: 'Unsubscribe',
      doneTitle: 'Unsubscribed',
      doneBody: (from, email) => `${email} no longer receives device alarms from ${from}.`,
    },
    account: {
      title: 'Turn off e-mails',
      lead: (_, email) =>
        `${email} will no longer receive e-mails about alarms, reports or invitations. E-mails about your account, such as codes, are still sent.`,
      hint: 'You can turn them on again after signing in, in the notification settings.',
      submit: 'Turn off e-mails',
      doneTitle: 'E-mails are off',
      doneBody: (_, email) => `${email} no longer receives e-mails about alarms, reports or invitations.`,
    },
  },
}

export const alarmLinks = { ...outside, alarmLinks: words }
