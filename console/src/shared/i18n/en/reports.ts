import type { reportsText as cn } from '../cn/reports.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const dayOf = (day: number) => (day === 0 ? 'Last day' : `Day ${day}`)
const hourOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export const reportsText: typeof cn = {
  list: {
    title: 'Reports',
    lead: 'Made every day, week or month, sent by e-mail and kept for download.',
    search: 'Search by name',
    columns: {
      name: 'Name',
      every: 'Repeats',
      next: 'Next run',
      last: 'Last run',
      machines: 'Devices',
      recipients: 'Recipients',
      formats: 'Formats',
    },
    add: 'New report',
    paused: 'Paused',
    more: (name) => `Actions for ${name}`,
    remove: 'Delete',
    removeTitle: (name) => `Delete the report ${name}?`,
    removeBody: 'Its files are deleted as well. You can’t undo this.',
    removed: (name) => `${name} was deleted`,
    empty: 'No reports yet',
    emptyHint: 'Get statistics, trends, alarms and availability of your devices every day, week or month.',
    emptyMember: 'Members with the permission to manage can add reports for the enterprise.',
  },
  schedule: {
    every: { day: 'Daily', week: 'Weekly', month: 'Monthly' },
    weekdays,
    dayOf,
    words: ({ every, weekday, monthDay, hour }) =>
      every === 'day'
        ? `Daily at ${hourOf(hour)}`
        : every === 'week'
          ? `Every ${weekdays[weekday - 1]} at ${hourOf(hour)}`
          : `Monthly on ${monthDay === 0 ? 'the last day' : `day ${monthDay}`} at ${hourOf(hour)}`,
  },
  parts: { availability: 'Availability', statistics: 'Statistics', trends: 'Trends', alarms: 'Alarms' },
  formats: { pdf: 'PDF', xlsx: 'Excel', csv: 'CSV' },
  edit: {
    add: 'New report',
    back: 'Back to the list',
    form: 'Settings of the report',
    gone: 'This report doesn’t exist, or was deleted',
    name: 'Name',
    every: 'Repeats',
    weekday: 'Day of the week',
    monthDay: 'Day of the month',
    hour: 'Time',
    more: 'Time zone and state',
    zone: 'Time zone',
    zoneHint: 'The report covers whole days of this time zone',
    enabled: 'On schedule',
    enabledHint: 'When off, you can still run it yourself',
    machines: 'Devices',
    machinesSearch: 'Search devices',
    noMachines: 'Select a device',
    parts: 'Contents',
    noParts: 'Select the contents',
    tagsOf: 'Variables of',
    tags: 'Variables',
    tagsSearch: 'Search variables',
    tagsNone: 'No variables',
    tagsCount: (count, max) => `${count} selected, at most ${max}`,
    noTags: 'Statistics and trends need variables',
    formats: 'File formats',
    noFormats: 'Select a file format',
    people: 'Send to people',
    peopleHint:
      'Each person gets only the devices that they have access to. People without access get nothing.',
    noPeople: 'There is no one to select',
    noEmail: 'No e-mail address',
    contacts: 'Send to e-mail recipients',
    contactsHint: 'E-mail recipients who confirmed get the complete report.',
    hidden: (count) =>
      count === 1
        ? 'You don’t have access to 1 device of this report. When you save, the report loses it.'
        : `You don’t have access to ${count} devices of this report. When you save, the report loses them.`,
    readOnly: 'Members with the permission to manage can change this report.',
    save: 'Save',
    saved: (name) => `${name} was saved`,
    next: (at) => `next run ${at}`,
  },
  preview: {
    title: 'Preview',
    show: 'Preview',
    hint: 'Select devices and contents, then press Preview to see the pages of the last period.',
    failed: 'The preview couldn’t be made. Try again.',
    about: (from, to) => `${from} to ${to}`,
    next: (at) => `next run ${at}`,
    page: (page, pages) => `Page ${page} of ${pages}`,
    cut: (shown, pages) => `The first ${shown} of ${pages} pages`,
  },
  runs: {
    title: 'Runs',
    now: 'Run now',
    onlyMake: 'Make files for download',
    makeAndSend: 'Make files and send them',
    started: 'The report is being made',
    none: 'No runs yet',
    asked: 'run by a person',
    gone: 'expired',
    size: (kb) => `${kb} KB`,
    states: { waiting: 'Queued', making: 'In progress', done: 'Done', failed: 'Failed' },
    errors: {
      noMachines: 'You no longer have access to any device of this report',
      noOwner: 'The owner of this report no longer exists',
      filesFull: 'Your files take up all of your space. Delete some first.',
      noRoom: 'The platform has no room left for files',
      failed: 'The report couldn’t be made. Try again.',
    },
    deliveries: {
      sent: 'sent',
      link: 'too large, sent as a download link',
      tooLarge: 'too large, sent without files',
      noRight: 'no access, not sent',
      noEmail: 'no e-mail address, not sent',
      left: 'unsubscribed or unconfirmed, not sent',
    },
    unseen: (count) => (count === 1 ? '1 device left out' : `${count} devices left out`),
  },
}
