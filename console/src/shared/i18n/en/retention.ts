import type { retention as cn } from '../cn/retention.ts'

export const retention: typeof cn = {
  lead: {
    personal:
      'Valid for all devices in your personal space. Where raw values are no longer kept, charts show averages. Data older than its retention period is permanently deleted.',
    enterprise: (name) =>
      `Valid for all devices of ${name}. Where raw values are no longer kept, charts show averages. Data older than its retention period is permanently deleted.`,
  },
  title: 'Retention',
  axis: {
    now: 'Now',
    months: (n) => (n === 1 ? '1 month' : `${n} months`),
    years: (n) => (n === 1 ? '1 year' : `${n} years`),
  },
  kinds: {
    rawDays: { name: 'Raw values', hint: 'Every value that a device sent' },
    minuteDays: { name: 'Minute averages', hint: 'Mean, lowest and highest value of each minute' },
    hourDays: { name: 'Hourly averages', hint: 'Mean, lowest and highest value of each hour' },
  },
  unit: 'days',
  days: (n) => `${n} days`,
  kept: (name, days) => `${name}: kept for ${days} days`,
  keptThen: ({ name, now, then }) => `${name}: kept for ${now} days, then for ${then} days`,
  marks: { deleted: 'Will be deleted', longer: 'Will be kept longer' },
  save: 'Save',
  saved: 'Retention periods saved',
  revert: 'Discard changes',
  order: (name, days) => `Can’t be shorter than ${name.toLowerCase()} (${days} days)`,
  readOnly: (enterprise) => `Only the owner and the administrators of ${enterprise} can change this.`,
  failed: { title: 'The retention periods couldn’t be loaded', retry: 'Try again' },
  confirm: {
    title: 'Keep data for a shorter time?',
    deletes: ({ name, count, days }) => `${count} days of ${name.toLowerCase()} (older than ${days} days)`,
    join: ', ',
    body: (losses, at) =>
      `This permanently deletes ${losses}. The change takes effect after 24 hours, on ${at}. Until then you can cancel it on this page.`,
    action: 'Shorten and delete',
    done: (at) => `Saved. The change takes effect on ${at}.`,
  },
  next: {
    title: (at) => `Shorter retention from ${at}`,
    change: ({ name, from, to }) => `${name}: ${to} days instead of ${from}`,
    join: '; ',
    deletes: 'Older data is then permanently deleted.',
    keep: 'Keep the current periods',
    kept: 'Cancelled. Retention is unchanged.',
  },
}
