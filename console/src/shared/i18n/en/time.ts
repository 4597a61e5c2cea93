import type { Text } from '../text.ts'

export const time: Text['time'] = {
  never: '—',
  justNow: 'just now',
  secondsAgo: (n) => `${n}\u202fs ago`,
  minutesAgo: (n) => `${n}\u202fmin ago`,
  hoursAgo: (n) => `${n}\u202fh ago`,
  daysAgo: (n) => (n === 1 ? '1 day ago' : `${n} days ago`),
  inDays: (n) => (n > 1 ? `in ${n} days` : n === 1 ? 'tomorrow' : 'today'),
}
