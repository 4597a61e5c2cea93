import { type ErrorKind, refusals } from './error-kind.ts'

/** Alarms, and their shelving. */
export const alarmErrors = {
  ...refusals({
    SHELVE_SCOPE: {
      cn: '报警、规则和变量只能选择一项',
      en: 'Select only one of these: an alarm, a rule or a variable',
    },
    SHELVE_SPAN: {
      cn: '搁置的结束时间须晚于现在，最长 30 天',
      en: 'Select an end time within the next 30 days',
    },
    SHELVES_FULL: {
      cn: '每台设备最多 200 项搁置和停用',
      en: 'A device can have up to 200 shelved or out-of-service items',
    },
    ALARM_SPAN: {
      cn: '时段最长 92 天',
      en: 'Select a period of up to 92 days',
    },
  }),
} satisfies Record<string, ErrorKind>
