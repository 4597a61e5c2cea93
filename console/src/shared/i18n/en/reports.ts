import type { reportsText as cn } from '../cn/reports.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const dayOf = (day: number) => (day === 0 ? 'Last day' : `Day ${day}`)
const hourOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export const reportsText: typeof cn = {
  list: {
    title: 'Reports',
    lead: 'Generated every day, week or month, sent by e-mail and kept for download.',
    search: 'Search reports',
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
    remove: 'Delete',
    removeTitle: (name) => `Delete the report “${name}”?`,
    removeBody: 'The files of its runs are deleted as well. You can’t undo this.',
    removed: (name) => `Deleted “${name}”`,
    empty: 'No reports yet',
    emptyHint:
      'Create a report to receive statistics, trends, alarms and availability of your devices every day, week or month.',
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
    inZone: (words, zone) => `${words} ${zone}`,
    here: (words, time) => `${words} (${time} here)`,
  },
  parts: { availability: 'Availability', statistics: 'Statistics', trends: 'Trends', alarms: 'Alarms' },
  formats: { pdf: 'PDF', xlsx: 'Excel', csv: 'CSV' },
  edit: {
    add: 'New report',
    back: 'All reports',
    form: 'Report settings',
    gone: 'Report not found. It may have been deleted.',
    name: 'Name',
    noName: 'Enter a name',
    every: 'Repeats',
    weekday: 'Day of the week',
    monthDay: 'Day of the month',
    hour: 'Time of day',
    more: 'Time zone and schedule',
    zone: 'Time zone',
    zoneHint: 'Time zone of the schedule and of the days that the report covers',
    enabled: 'Run on schedule',
    enabledHint: 'When off, the report runs only when you start it',
    machines: 'Devices',
    machinesSearch: 'Search devices',
    noMachines: 'Select at least one device',
    parts: 'Contents',
    noParts: 'Select at least one part of the contents',
    tags: 'Variables',
    noTags: 'Select variables for the statistics and trends',
    formats: 'File formats',
    noFormats: 'Select at least one file format',
    people: 'Send to users',
    peopleHint:
      'Each user is asked once and receives reports only after agreeing, with the devices that they can access. A user without access to any of them receives nothing.',
    noPeople: 'Users with access to the selected devices are listed here',
    noEmail: 'No e-mail address',
    states: {
      none: 'Asked when you save',
      asked: 'Hasn’t answered yet',
      confirmed: 'Agreed',
      left: 'Declined or unsubscribed',
    },
    contacts: 'Send to e-mail recipients',
    contactsHint: 'Confirmed e-mail recipients receive the complete report.',
    hidden: (count) =>
      count === 1
        ? 'This report has 1 device that you can’t access. If you save, the device is removed from the report.'
        : `This report has ${count} devices that you can’t access. If you save, they are removed from the report.`,
    readOnly: 'You can view this report. Members with the permission to manage can change it.',
    side: 'Preview and runs',
    nobody: 'No one receives this report',
    save: 'Save',
    saved: (name) => `Saved “${name}”`,
    next: (at) => `next run ${at}`,
  },
  preview: {
    title: 'Preview',
    show: 'Preview',
    hint: 'Enter a name, select devices and contents, then press Preview to see the report for the last period.',
    failed: 'The preview couldn’t be generated. Try again.',
    about: (span) => `Period: ${span}`,
    next: (at) => `next run ${at}`,
    page: (page, pages) => `Page ${page} of ${pages}`,
    cut: (shown, pages) => `First ${shown} of ${pages} pages`,
  },
  runs: {
    title: 'Runs',
    now: 'Run now',
    onlyMake: 'Generate files for download',
    makeAndSend: 'Generate and send to recipients',
    started: 'The report is being generated for download, and isn’t sent to the recipients.',
    startedToSend: 'The report is being generated and will be sent',
    none: 'No runs yet. The report runs on its schedule, or when you press Run now.',
    asked: 'started manually',
    gone: 'expired',
    states: { waiting: 'Queued', making: 'In progress', done: 'Done', failed: 'Failed' },
    errors: {
      noMachines: 'You no longer have access to any device of this report',
      noOwner: 'The account of the report’s owner was deleted',
      filesFull: 'Your file storage is full. Delete some files, then run the report again.',
      noRoom: 'The platform’s file storage is full. Contact the platform operator.',
      failed: 'The report couldn’t be generated. Run it again.',
    },
    deliveries: {
      sent: 'sent',
      link: 'too large, sent as a download link',
      tooLarge: 'too large, sent without files',
      kept: 'kept: no e-mail service set up',
      noRight: 'no access, not sent',
      noEmail: 'no e-mail address, not sent',
      left: 'unsubscribed or declined, not sent',
      asked: 'hasn’t agreed yet, not sent',
      off: 'e-mails turned off, not sent',
      limited: 'daily limit of e-mails reached, not sent; files can be downloaded',
    },
    unseen: (count) => (count === 1 ? '1 device left out' : `${count} devices left out`),
  },
}
