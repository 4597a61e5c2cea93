import type { Text } from '../text.ts'

export const time: Text['time'] = {
  never: '—',
  justNow: 'just now',
  secondsAgo: (n) => `${n} s ago`,
  minutesAgo: (n) => `${n} min ago`,
  hoursAgo: (n) => `${n} h ago`,
  daysAgo: (n) => (n === 1 ? '1 day ago' : `${n} days ago`),
  inDays: (n) => (n > 1 ? `in ${n} days` : n === 1 ? 'tomorrow' : 'today'),
}
