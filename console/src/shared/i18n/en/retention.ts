import type { retention as cn } from '../cn/retention.ts'

export const retention: typeof cn = {
  lead: {
    personal:
      'For all devices of your own space. Charts of times beyond the raw values show averages. Data older than its period is deleted for good.',
    enterprise: (name) =>
      `For all devices of ${name}. Charts of times beyond the raw values show averages. Data older than its period is deleted for good.`,
  },
  title: 'Retention',
  axis: {
    now: 'Now',
    months: (n) => (n === 1 ? '1 month' : `${n} months`),
    years: (n) => (n === 1 ? '1 year' : `${n} years`),
  },
  kinds: {
    rawDays: { name: 'Raw values', hint: 'Every value that a device sent' },
    minuteDays: { name: 'Averages per minute', hint: 'Mean, lowest and highest of each minute' },
    hourDays: { name: 'Hourly averages', hint: 'Mean, lowest and highest of each hour' },
  },
  unit: 'days',
  days: (n) => `${n} days`,
  kept: (name, days) => `${name}: kept for ${days} days`,
  keptThen: ({ name, now, then }) => `${name}: kept for ${now} days, then for ${then} days`,
  marks: { deleted: 'Will be deleted', longer: 'Will be kept longer' },
  save: 'Save',
  saved: 'Retention saved',
  revert: 'Discard changes',
  order: (name, days) => `Not shorter than ${name.toLowerCase()} (${days} days)`,
  readOnly: (enterprise) => `Only the owner and the administrators of ${enterprise} can change this.`,
  failed: { title: 'Retention didn’t load', retry: 'Try again' },
  confirm: {
    title: 'Keep data for a shorter time?',
    deletes: ({ name, count, days }) => `${count} days of ${name.toLowerCase()} (older than ${days} days)`,
    join: ', ',
    body: (losses, at) =>
      `This deletes ${losses} for good. It takes effect after 24 hours, on ${at}. Until then you can cancel it on this page.`,
    action: 'Shorten and delete',
    done: (at) => `Saved. It takes effect on ${at}.`,
  },
  next: {
    title: (at) => `Shorter from ${at}`,
    change: ({ name, from, to }) => `${name}: ${to} days instead of ${from}`,
    join: '; ',
    deletes: 'Older data is then deleted for good.',
    keep: 'Keep as it was',
    kept: 'Cancelled. Retention stays as it is.',
  },
}
