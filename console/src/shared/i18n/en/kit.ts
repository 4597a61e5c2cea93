import type { Text } from '../text.ts'

export const kit: Text['kit'] = {
  search: 'Search',
  clearSearch: 'Clear the search',
  none: 'No matches',
  choose: 'Select',
  chosen: (first, others) => `${first} and ${others} more`,
  more: (n) => `${n} more`,
  presets: {
    lastHour: 'Last hour',
    last24Hours: 'Last 24 hours',
    today: 'Today',
    yesterday: 'Yesterday',
    last7Days: 'Last 7 days',
    last30Days: 'Last 30 days',
  },
  date: {
    presetsLabel: 'Common time ranges',
    clocks: 'Time zone',
    zone: (zone, offset) => `${zone} (${offset})`,
    time: 'Time',
    startTime: 'Start time',
    endTime: 'End time',
    done: 'Done',
    order: 'The end can’t be before the start',
    outside: 'Outside the allowed time range',
  },
  number: {
    decimals: (n) =>
      n === 0 ? 'Whole numbers only' : n === 1 ? 'At most 1 decimal' : `At most ${n} decimals`,
    onlyNumbers: 'Numbers only',
    more: (label) => `Increase ${label}`,
    less: (label) => `Decrease ${label}`,
  },
}
